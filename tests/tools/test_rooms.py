"""The sizes of rooms, and the pages of the library: every public module has its place."""

import json
import re
import textwrap
import tomllib

import yaml

from lib.paths import LIBRARY, ROOT
from tools import api_pages
from tools.rooms import Size, code_lines, houses, rooms, served, shares


def test_lines_of_code_are_neither_blank_nor_comment_nor_docstring():
    source = '"""What it is."""\n\n# a comment\nx = (\n    1\n)\n\n\ndef f():\n    """Says."""\n    return """a\n    text"""\n'
    assert code_lines(source) == 3 + 1 + 2


def notebook(path, *cells):
    """A notebook of code cells."""
    path.parent.mkdir(exist_ok=True)
    made = [{"cell_type": "code", "source": source} for source in cells]
    path.write_text(json.dumps({"cells": made}))


def test_a_house_is_counted_by_files_code_docstrings_and_comments(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "one.py").write_text('"""Says\nmore."""\n\n# why\nx = 1  # a number\n')
    (tmp_path / "conftest.py").write_text("y = 2\n")
    notebook(tmp_path / "chapters" / "a.ipynb", "z = 3", "%matplotlib inline")
    assert houses(tmp_path) == {
        "lib": Size(files=1, code=1, docstring=2, comment=1),
        "tests": Size(files=1, code=1),
        "notebooks": Size(files=1, code=1),
    }


def test_code_serves_the_chapters_whose_cells_reach_it(tmp_path):
    (tmp_path / "lib").mkdir()
    source = """
        import math
        def often():
            return math.pi
        def seldom():
            'Says.'
            one = often()
            return one
        @decorated
        def never():
            return 1
        """
    (tmp_path / "lib" / "one.py").write_text(textwrap.dedent(source))
    notebook(tmp_path / "chapters" / "a.ipynb", "from lib.one import often", "often()")
    notebook(tmp_path / "chapters" / "b.ipynb", "from lib.one import seldom", "seldom()")
    found = served(tmp_path)["lib"]
    assert found == {2: 2, 1: 3, 0: 3}
    assert [count for count, _ in shares(found).values()] == [3, 3, 2, 0]


def test_every_entry_of_lib_is_a_room_that_says_what_it_holds():
    entries = {name: (purpose, modules, lines) for name, purpose, modules, lines in rooms()}
    present = {path.stem for path in LIBRARY.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert set(entries) == present - {"__init__", "__pycache__"}
    assert all(len(purpose) > 20 and lines > 0 for purpose, _, lines in entries.values())


def test_the_map_shows_the_layers_that_are_checked():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    checked = [{*re.findall(r"\w+", line)} for line in contracts["contracts"][0]["layers"]]
    text = (ROOT / "architecture.md").read_text().partition("## The layers")[2]
    block = text.split("```")[1].removeprefix("text").strip()
    shown = [{*re.findall(r"\w+", re.sub(r"\([^)]*\)", "", line))} for line in block.splitlines()]
    assert shown == checked


def test_every_public_module_is_listed_on_one_page_and_every_page_in_the_contents():
    listed = [
        line.split()[-1]
        for path in (ROOT / "api").glob("*.md")
        for line in path.read_text().splitlines()
        if line.startswith(".. automodule::")
    ]
    held = {
        package: modules
        for name, *_ in rooms()
        for package, modules in api_pages.packages(name).items()
    }
    assert sorted(listed) == sorted(module for modules in held.values() for module in modules)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    pages = [page for part in toc["parts"] for page in part["chapters"] if page["file"] == "api"]
    assert [section["file"] for section in pages[0]["sections"]] == [
        f"api/{api_pages.page_of(package).stem}" for package in held
    ]
