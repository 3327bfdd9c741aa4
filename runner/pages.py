"""The pages of the book as the site builder reads them: chapters with the outputs of their runs, figures with their alternative
text.

A chapter is merged with its outputs again only when either has changed, or what merges them.
"""

import contextlib
import copy
import importlib.metadata
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from lib.files import text_hash, write_if_changed
from lib.markdown import harmless
from runner.book import Book, Chapter
from runner.depfile import hash_if_there, library_hash, module_hashes
from runner.notebooks import read_notebook, tags, write_notebook
from runner.parameters import defaults
from runner.tables import tidy_tables

_HEADING = re.compile(r"^#+\s+(.+?)\s*$", re.MULTILINE)
_LISTS = ("{bibliography}", "{glossary}")
_LINK = re.compile(
    r"(?<!!)\[(?P<words>[^\[\]]*)\]\((?P<target>[^)\s#]*)(?:#(?P<anchor>[^)\s]*))?\)"
)
_DOCUMENT = re.compile(r"\{doc\}`(?:(?P<words>[^`<]+?)\s*<(?P<named>[^`>]+)>|(?P<bare>[^`<>]+))`")


def merged_pages(book: Book, folder: Path, executed: Mapping[str, Path]) -> dict[str, Path]:
    """Bring the merged chapters in a folder up to date, and take others away.

    Parameters
    ----------
    book : Book
    folder : Path
        Has a notebook for each chapter under its page's name, and `phone/<chapter>.svg` where its first picture can be had
        so narrow.
    executed : Mapping of str to Path
        The executed notebooks, by chapter.

    Returns
    -------
    dict of str to Path
        The merged notebook of each chapter.
    """
    record = folder / "merged.json"
    last: dict[str, Any] = {}
    now, files = {}, {}
    with contextlib.suppress(OSError, ValueError):
        last = dict(json.loads(record.read_bytes()))
    tools = [importlib.metadata.version(name) for name in ("nbformat", "beautifulsoup4")]
    made_by = [library_hash(module_hashes()), *tools]
    for name, outputs in executed.items():
        chapter, path = book.chapters[name], folder / book.chapters[name].page
        narrow = folder / "phone" / f"{name}.svg"
        source = text_hash(
            json.dumps([made_by, text_hash(chapter.data), text_hash(outputs.read_bytes())])
        )
        if last.get(name, [None])[:2] != [source, hash_if_there(path)]:
            merged = merge(chapter.notebook, read_notebook(outputs.read_bytes()), chapter)
            picture = picture_for_a_phone(merged)
            if picture:
                write_if_changed(narrow, picture)
            write_if_changed(path, write_notebook(merged))
            last[name] = [source, hash_if_there(path), bool(picture)]
        now[name], files[path] = last[name], name
        if last[name][2]:
            files[narrow] = name
    write_if_changed(record, json.dumps(now, indent=1).encode())
    for path in folder.rglob("*"):
        if path.is_file() and path not in files and path != record:
            path.unlink()
    return {name: folder / book.chapters[name].page for name in executed}


def preview(book: Book, chapters: Sequence[Chapter]) -> list[str]:
    """The pages of some chapters, and those that list what they cite and explain their terms."""
    lists = (
        page
        for page in book.pages
        if page.endswith(".md") and any(name in (book.folder / page).read_text() for name in _LISTS)
    )
    return [*(chapter.page for chapter in chapters), *lists]


def merge(fresh: NotebookNode, executed: NotebookNode, chapter: Chapter) -> NotebookNode:
    """The fresh notebook with the outputs of its executed copy, cell by cell where id and source
    agree.

    Parameters
    ----------
    fresh, executed : NotebookNode
    chapter : Chapter
        Names the figures, and tells the defaults of its parameters.

    Returns
    -------
    NotebookNode
        The cell of injected parameters follows the `parameters` cell, folded; it is left out where it repeats the
        defaults. Figures that carry alternative text and caption get them where the site builder looks.
    """
    outputs = {(cell.id, cell.source): cell for cell in executed.cells if cell.cell_type == "code"}
    injected = next((cell for cell in executed.cells if cell.id == "injected-parameters"), None)
    merged: NotebookNode = nbformat.v4.new_notebook(metadata=executed.metadata)
    heading = ""
    for cell in copy.deepcopy(fresh.cells):
        if cell.cell_type == "markdown":
            heading = ([heading, *_HEADING.findall(cell.source)])[-1]
        run = outputs.get((cell.id, cell.source)) if cell.cell_type == "code" else None
        if run is None:
            merged.cells.append(cell)
        else:
            cell.outputs = _for_pages(run.outputs, heading, chapter.page)
            cell.execution_count = run.execution_count
            merged.cells.extend(_with_alternative_text(cell, chapter.name))
        if (
            injected
            and "parameters" in tags(cell)
            and defaults(injected.source) != chapter.parameters
        ):
            injected.metadata.tags = ["injected-parameters", "hide-input"]
            merged.cells.append(injected)
    merged.nbformat_minor = 5
    return merged


def picture_for_a_phone(notebook: NotebookNode) -> bytes | None:
    """The first picture of a page as narrow as a phone, where it can be had so; those of all figures leave the notebook."""
    pictures = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            described = output.get("metadata", {}).get("image/svg+xml", {})
            narrow = described.pop("phone", None)  # as `lib.plots.show` calls it
            if described and "picture" in tags(cell):
                pictures.append(narrow.encode() if narrow else None)
    return pictures[0] if pictures else None


def _for_pages(outputs: Sequence[NotebookNode], heading: str, page: str) -> list[NotebookNode]:
    """Outputs as a page shows them: Markdown harmless, whoever displayed it; tables tidied; a figure
    once, as SVG where there is one, with the caption that it carries itself and not the one written
    below it for other readers of the notebook; files of the site as they are seen from the page.
    """
    static = "../" * page.count("/") + "_static/"
    kept = [output for output in outputs if not output.get("metadata", {}).get("figure_caption")]
    for output in kept:
        if "text/markdown" in output.get("data", {}):
            output.data["text/markdown"] = harmless(output.data["text/markdown"])
        if "text/html" in output.get("data", {}):
            shown = tidy_tables(output.data["text/html"], heading)
            output.data["text/html"] = shown.replace('"../_static/', f'"{static}')
        if "image/svg+xml" in output.get("data", {}) and _description(output):
            output.data.pop("image/png", None)
            output.metadata.pop("image/png", None)
    return kept


def _with_alternative_text(cell: NotebookNode, chapter: str) -> Iterator[NotebookNode]:
    """The cell, cut into several where it shows a figure beside other output: a cell holds one
    alternative text.
    """
    groups: list[list[NotebookNode]] = [[]]
    for output in cell.outputs:
        if groups[-1] and (_description(output) or _description(groups[-1][0])):
            groups.append([])
        groups[-1].append(output)
    for place, outputs in enumerate(groups):
        part = copy.deepcopy(cell)
        part.outputs = outputs
        if place:
            part.id, part.source = f"{cell.id}-{place + 1}", "# output of the cell above, continued"
            part.metadata["tags"] = [*part.metadata.get("tags", []), "remove-input"]
        description = _description(outputs[0]) if outputs else None
        if description:
            own = part.metadata.get("mystnb", {})
            caption = {"caption": description["caption"], "name": f"{chapter}-{part.id}"}
            part.metadata["mystnb"] = {
                **own,
                "image": {"alt": description["alt"], **own.get("image", {})},
                "figure": {**caption, **own.get("figure", {})},
            }
        yield part


def _description(output: NotebookNode) -> Mapping[str, str] | None:
    """Alternative text and caption of a figure."""
    images = [
        entry
        for kind, entry in output.get("metadata", {}).items()
        if kind.startswith("image/") and "alt" in entry
    ]
    return images[0] if images else None


def within(text: str, book: Book, page: str, pages: Collection[str]) -> str:
    """The source of a page for a site that has some pages of the book: links to the others, and to anchors there, keep their words
    only.

    Parameters
    ----------
    text : str
        Markdown, or a notebook as JSON.
    book : Book
    page : str
        Its path below the book's folder.
    pages : collection of str
        All pages of the site.
    """
    if not page.endswith(".ipynb"):
        return _without_links_outside(text, book, page, pages)
    notebook = read_notebook(text.encode())
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _without_links_outside(cell.source, book, page, pages)
        for output in cell.get("outputs", ()):  # a sentence that a cell wrote links, too
            if said := output.get("data", {}).get("text/markdown"):
                output.data["text/markdown"] = _without_links_outside(said, book, page, pages)
    return write_notebook(notebook).decode()


def _without_links_outside(text: str, book: Book, page: str, pages: Collection[str]) -> str:
    def shown(match: re.Match[str]) -> str:
        if re.fullmatch(r"[\w-]*", match["target"]):  # a label, with or without #
            label = match["target"] or match["anchor"]
            return match[0] if f"({label})=" in text else match["words"]
        path = ((book.folder / page).parent / match["target"]).resolve()
        inside = path.is_relative_to(book.folder)
        target = path.relative_to(book.folder).as_posix() if inside else ""
        return match["words"] if target in book.pages and target not in pages else match[0]

    titles = {chapter.page: chapter.title for chapter in book.chapters.values()}

    def named(match: re.Match[str]) -> str:  # of a page by its name alone, which shows its title
        path = ((book.folder / page).parent / (match["named"] or match["bare"])).resolve()
        for other in book.pages:
            if (book.folder / other).with_suffix("") == path and other not in pages:
                return match["words"] or titles.get(other, Path(other).stem)
        return match[0]

    return _DOCUMENT.sub(named, _LINK.sub(shown, text))
