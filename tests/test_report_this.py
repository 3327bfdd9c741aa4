"""The page *Report this*: every line of its code runs, and its links lead to sections that are there."""

import json
import re

import numpy as np
import pytest
from docutils.nodes import make_id

from lib.paths import ROOT

PAGE = (ROOT / "pages" / "report_this.md").read_text(encoding="utf-8")
ITEMS = re.findall(r"^\d+\. (.*)\\\n +(`.*`)$", PAGE, re.MULTILINE)
LINKS = re.findall(r'href="\.\./(chapters/\w+)\.html#([^"]+)"', PAGE)


def test_every_line_of_code_runs_and_gives_something():
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL).group(1), names)
    assert len(ITEMS) == len(re.findall(r"^\d+\. ", PAGE, re.MULTILINE)) >= 10
    for what, code in ITEMS:
        for line in re.findall(r"`([^`]+)`", code):
            found = eval(line, names)
            assert found is not None and not (isinstance(found, float) and np.isnan(found)), what


def test_every_item_says_where_to_see_what_happens_without_it():
    assert all("href=" in what or "](" in what for what, _ in ITEMS)


@pytest.mark.parametrize(("page", "section"), LINKS)
def test_links_lead_to_a_page_and_a_section(page, section):
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    assert section in {make_id(heading.replace("*", "")) for heading in headings}
