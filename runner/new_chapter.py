"""A new chapter: a notebook with all sections that runs as it is, and its entries wherever a
chapter is named.
"""

import re
from pathlib import Path

import pandas as pd

from lib.files import write_whole
from runner.book import Book

TEMPLATE = Path(__file__).with_name("template.ipynb")
_ENTRY = re.compile(r"^( *- file: )(chapters/[\w/]+)$", re.MULTILINE)
_TEST = '''"""What the chapter {name} finds."""

from tests.chapters.runs import run_of


def test_every_number_is_one():
    assert run_of("embedded", "{name}")["value"].notna().all()
'''
_MAP = "\n(map-of-the-book)=\n"  # of pages/what_we_learned.md: a table with a row for each chapter
_REFERENCE = """
@inproceedings{{{key},
  author    = {{to be filled in}},
  title     = {{{key}}},
  booktitle = {{to be filled in}},
  year      = {{{year}}},
  url       = {{https://aclanthology.org/}}
}}
"""


def new_chapter(book: Book, name: str, paper: str = "") -> list[str]:
    """Make a chapter and enter it in the book.

    Parameters
    ----------
    book : Book
    name : str
        Of the chapter: small letters, digits and _.
    paper : str, optional
        The paper that it reruns, as its file in data/claims is called, such as
        "zhang2020_base_pairs".

    Returns
    -------
    list of str
        The files that were written or changed, below the book's folder.

    Raises
    ------
    ValueError
        Where there is such a chapter, a name has other characters, or the table of contents lists
        no chapter.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"--new: expected small letters, digits and _; got {name!r}.")
    if paper and not re.fullmatch(r"[a-z]+\d{4}[a-z]?_[a-z0-9_]+", paper):
        raise ValueError(
            f"--paper: expected author, year and topic, such as zhang2020_base_pairs; got {paper!r}."
        )
    page = book.folder / "chapters" / f"{name}.ipynb"
    if page.exists():
        raise ValueError(f"--new: there is a chapter {name} already, {page}.")
    texts = {page: _notebook(name, paper), **_contents(book, name), **_profiles(book, name)}
    texts |= _map(book.folder, name, paper) | _course(book.folder, name)
    tests = book.folder / "tests" / "chapters"
    if tests.is_dir():
        texts[tests / f"test_{name}.py"] = _TEST.format(name=name)
    if paper:
        texts |= _paper_files(book.folder, name, paper)
    for path, text in texts.items():
        write_whole(path, text)
    return [path.relative_to(book.folder).as_posix() for path in texts]


def _notebook(name: str, paper: str) -> str:
    text = TEMPLATE.read_text(encoding="utf-8").replace("template", name)
    asked = "Who asked what"
    return text.replace(asked, f"{asked} {{cite}}`{_key(paper)}`") if paper else text


def _contents(book: Book, name: str) -> dict[Path, str]:
    """The table of contents with the chapter behind the last one that does not wait for all
    others.
    """
    path = book.folder / "_toc.yml"
    text = path.read_text(encoding="utf-8")
    waiting = {chapter for chapter, entry in book.entries("embedded").items() if "after" in entry}
    entries = [entry for entry in _ENTRY.finditer(text) if Path(entry[2]).name not in waiting]
    if not entries:
        raise ValueError(f"{path}: expected a line `- file: chapters/…` to put the new one behind.")
    end = entries[-1].end()
    return {path: f"{text[:end]}\n{entries[-1][1]}chapters/{name}{text[end:]}"}


def _profiles(book: Book, name: str) -> dict[Path, str]:
    """The profiles that list chapters line by line, with one for this; the others need none."""
    texts = {}
    for path in sorted((book.folder / "data" / "profiles").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"^chapters:$", text, re.MULTILINE):
            texts[path] = f"{text.rstrip()}\n  {name}: {{}}\n"
    return texts


def _map(folder: Path, name: str, paper: str) -> dict[Path, str]:
    """The map of the book with a row for the chapter, before that of the last one, which is about all of them."""
    path = folder / "pages" / "what_we_learned.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, heading, table = text.partition(_MAP)
    last = re.search(r"^\|.*\|\n(?![|])", table, re.MULTILINE)
    if not heading or last is None:
        return {}
    after = f"{{cite:t}}`{_key(paper)}`" if paper else "to be filled in"
    row = f"| [{name}](../chapters/{name}.ipynb) | to be filled in | to be filled in | {after} |\n"
    return {path: before + heading + table[: last.start()] + row + table[last.start() :]}


def _course(folder: Path, name: str) -> dict[Path, str]:
    """The course with a line for the chapter at the end of its last part."""
    path = folder / "data" / "course.yml"
    if not path.is_file():
        return {}
    line = f'      {name}: {{goal: "to be filled in"}}\n'
    return {path: path.read_text(encoding="utf-8").rstrip() + "\n" + line}


def _paper_files(folder: Path, name: str, paper: str) -> dict[Path, str]:
    """The chapter in the scope of a paper whose claims are there, and the paper's entry in the bibliography.

    Of a paper without claims no file is made: an empty one would be a claim of a paper that says nothing.
    """
    texts = {}
    path = _scope(folder, paper)
    if path.is_file():
        scope = pd.read_csv(path, dtype=str, keep_default_na=False)
        if not scope.loc[0, "chapter"]:
            scope.loc[0, "chapter"] = name
            texts[path] = scope.to_csv(index=False)
    bibliography = folder / "references.bib"
    text = bibliography.read_text(encoding="utf-8") if bibliography.is_file() else ""
    if f"{{{_key(paper)}," not in text:
        year = re.sub(r"\D", "", _key(paper))
        texts[bibliography] = text + _REFERENCE.format(key=_key(paper), year=year)
    return texts


def left_to_do(folder: Path, name: str, paper: str = "") -> list[str]:
    """What a new chapter still needs from whoever writes it, a line each."""
    lines = [f"python -m lib.run --chapter {name} --build  shows the page"]
    if paper and not _scope(folder, paper).is_file():
        lines.append(
            f"data/claims/{paper}.csv and data/claims/scope/{paper}.csv come with the first printed number "
            f"(CONTRIBUTING.md, Add a claim); the first row of the scope is {paper}.*,,,{name},,sample,KEY,rerun,,,,,PROCEDURE,,,,"
        )
    for file in ("pages/what_we_learned.md", "data/course.yml", "references.bib"):
        page = folder / file
        if page.is_file() and "to be filled in" in page.read_text(encoding="utf-8"):
            lines.append(f"{file} says 'to be filled in'; make check asks for it until it is")
    lines.append(f"code that the chapter alone needs goes into studies/{name}/, once there is any")
    lines.append(
        f"python -m pytest tests/chapters/test_{name}.py tests/scripts/tools tests/site/test_landing.py  checks it"
    )
    return lines


def _scope(folder: Path, paper: str) -> Path:
    return folder / "data" / "claims" / "scope" / f"{paper}.csv"


def _key(paper: str) -> str:
    return paper.partition("_")[0]
