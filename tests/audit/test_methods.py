"""What the methods paragraphs of all audits cite is in references.bib, in branches that no test runs as well."""

import re

import nbformat
import pytest

from lib.paths import ROOT

KEYS = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text("utf-8"), re.M))


@pytest.mark.parametrize(
    "path", sorted((ROOT / "audit").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_every_key_that_an_audit_cites_is_there(path):
    cells = nbformat.read(path, as_version=4).cells
    methods = "\n".join(cell.source for cell in cells if "report.methods(" in cell.source)
    cited = set(re.findall(r'"([a-z]+\d{4}[a-z_]*)"', methods))
    assert cited and cited <= KEYS
    if path.stem not in ("vectors", "predictions", "messages"):
        return
    for said, key in (("Benjamini", "benjamini1995"), ("Holm's", "holm1979")):
        assert said not in methods or key in cited
