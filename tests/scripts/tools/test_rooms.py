"""The sizes of rooms, and the pages of the library: every public module has its place."""

import re
import tomllib

import yaml

from lib.paths import LIBRARY, ROOT
from scripts.tools import api_pages
from scripts.tools.rooms import code_lines, rooms


def test_lines_of_code_are_neither_blank_nor_comment_nor_docstring():
    source = '"""What it is."""\n\n# a comment\nx = (\n    1\n)\n\n\ndef f():\n    """Says."""\n    return """a\n    text"""\n'
    assert code_lines(source) == 3 + 1 + 2


def test_the_map_shows_the_layers_that_are_checked():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    checked = [{*re.findall(r"\w+", line)} for line in contracts["contracts"][0]["layers"]]
    text = (ROOT / "pages" / "architecture.md").read_text().partition("## The layers")[2]
    block = text.split("```")[1].removeprefix("text").strip()
    shown = [{*re.findall(r"\w+", re.sub(r"\([^)]*\)", "", line))} for line in block.splitlines()]
    assert shown == checked


def test_every_entry_of_lib_says_what_it_holds_and_every_public_module_is_on_one_page():
    entries = {name: (purpose, lines) for name, purpose, _, lines in rooms()}
    present = {path.stem for path in LIBRARY.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert set(entries) == present - {"__init__", "__pycache__"}
    assert all(len(purpose) > 20 and lines > 0 for purpose, lines in entries.values())
    listed = [
        line.split()[-1]
        for path in (ROOT / "pages" / "api").glob("*.md")
        for line in path.read_text().splitlines()
        if line.startswith(".. automodule::")
    ]
    places = [LIBRARY / name if name != "audit" else ROOT / "audit" for name in entries]
    held = {
        package: modules
        for place in places
        for package, modules in api_pages.packages(
            place if place.is_dir() else place.with_suffix(".py")
        ).items()
    }
    assert sorted(listed) == sorted(module for modules in held.values() for module in modules)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    pages = [
        page for part in toc["parts"] for page in part["chapters"] if page["file"] == "pages/api"
    ]
    assert [section["file"] for section in pages[0]["sections"]] == [
        f"pages/api/{api_pages.page_of(package).stem}" for package in held
    ]
