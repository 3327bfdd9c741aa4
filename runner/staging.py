"""The book as the site builder gets it: executed copies, fresh prose, figures with their
alternative text.

A file is written only when its bytes change, so that Jupyter Book reads again only what changed. A
chapter is merged with its outputs again only when either has changed, or what merges them.
"""

import contextlib
import copy
import importlib.metadata
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from lib.documents import read_yaml
from lib.files import text_hash, write_if_changed
from lib.markdown import harmless
from runner.book import Book, Chapter
from runner.depfile import hash_if_there, library_hash, module_hashes
from runner.notebooks import read_notebook, tags, write_notebook
from runner.parameters import defaults
from runner.tables import tidy_tables

_HEADING = re.compile(r"^#+\s+(.+?)\s*$", re.MULTILINE)
_LINKED = re.compile(
    r"""\]\(\s*<?([^)\s>]+)|\{(?:include|image|figure|literalinclude|csv-table)\}\s*([^\s`]+)"""
    r"""|\{download\}`[^`]*?([^`<>\s]+)>?`|<(?:img|source|a)\b[^>]*?(?:src|href)=["']([^"']+)"""
)
_LISTS = ("{bibliography}", "{glossary}")
_LINK = re.compile(
    r"(?<!!)\[(?P<words>[^\[\]]*)\]\((?P<target>[^)\s#]*)(?:#(?P<anchor>[^)\s]*))?\)"
)
_DOCUMENT = re.compile(r"\{doc\}`(?:(?P<words>[^`<]+?)\s*<(?P<named>[^`>]+)>|(?P<bare>[^`<>]+))`")


def stage(
    book: Book, folder: Path, executed: Mapping[str, bytes], pages: Sequence[str] = ()
) -> tuple[int, str]:
    """Bring a staged book up to date.

    Parameters
    ----------
    book : Book
    folder : Path
        Where the files go; others that lie there are removed.
    executed : Mapping of str to bytes
        The executed chapters, by name.
    pages : sequence of str, optional
        The pages of a preview; all pages of the book when there are none.

    Returns
    -------
    changed : int
        How many files were written or removed.
    staged : str
        One hash of all that is staged.
    """
    chapters = {} if pages else _merged(book, folder, executed)
    files = dict(_staged_files(book, executed, pages)) | chapters
    changed = sum(write_if_changed(folder / name, data) for name, data in files.items())
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
            changed += 1
    hashes = sorted((name, text_hash(data)) for name, data in files.items())
    return changed, text_hash(json.dumps(hashes))


def preview(book: Book, chapters: Sequence[Chapter]) -> list[str]:
    """The pages of some chapters, and those that list what they cite and explain their terms."""
    lists = (
        page
        for page in book.pages
        if page.endswith(".md") and any(name in (book.folder / page).read_text() for name in _LISTS)
    )
    return [*(chapter.page for chapter in chapters), *lists]


def configuration(book: Book) -> dict[str, Any]:
    """What `_config.yml` says."""
    return read_yaml(book.folder / "_config.yml", dict)


def extensions(book: Book) -> list[Path]:
    """The source files of the book's own Sphinx extensions."""
    sphinx = configuration(book).get("sphinx") or {}
    folders = (sphinx.get("local_extensions") or {}).values()
    return sorted(path for name in folders for path in (book.folder / name).rglob("*.py"))


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
            cell.outputs = _for_pages(run.outputs, heading)
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


def _for_pages(outputs: Sequence[NotebookNode], heading: str) -> list[NotebookNode]:
    """Outputs as a page shows them: Markdown harmless, whoever displayed it; tables tidied; a figure
    once, as SVG where there is one, with the caption that it carries itself and not the one written
    below it for other readers of the notebook.
    """
    kept = [output for output in outputs if not output.get("metadata", {}).get("figure_caption")]
    for output in kept:
        if "text/markdown" in output.get("data", {}):
            output.data["text/markdown"] = harmless(output.data["text/markdown"])
        if "text/html" in output.get("data", {}):
            output.data["text/html"] = tidy_tables(output.data["text/html"], heading)
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


def _merged(book: Book, folder: Path, executed: Mapping[str, bytes]) -> dict[str, bytes]:
    """Each chapter with its outputs, by page; from the folder where it was merged from just these."""
    record = folder.with_name(f".{folder.name}.json")
    last, now, files = {}, {}, {}
    with contextlib.suppress(OSError, ValueError):
        last = dict(json.loads(record.read_bytes()))
    tools = [importlib.metadata.version(name) for name in ("nbformat", "beautifulsoup4")]
    made_by = [library_hash(module_hashes()), *tools]
    for chapter in book.chapters.values():
        outputs, path = executed[chapter.name], folder / chapter.page
        source = text_hash(json.dumps([made_by, text_hash(chapter.data), text_hash(outputs)]))
        narrow = folder / _for_phone(chapter)
        if last.get(chapter.page) == [source, hash_if_there(path)]:
            data, picture = path.read_bytes(), narrow.read_bytes() if narrow.is_file() else None
        else:
            merged = merge(chapter.notebook, read_notebook(outputs), chapter)
            picture, data = picture_for_a_phone(merged), write_notebook(merged)
        files[chapter.page], now[chapter.page] = data, [source, text_hash(data)]
        if picture:
            files[_for_phone(chapter)] = picture
    write_if_changed(record, json.dumps(now, indent=1).encode())
    return files


def _for_phone(chapter: Chapter) -> str:
    return f"_static/phone/{chapter.name}.svg"


def _staged_files(
    book: Book, executed: Mapping[str, bytes], pages: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    config = configuration(book)
    config["execute"] = {**(config.get("execute") or {}), "execute_notebooks": "off"}
    yield "_toc.yml", _contents(book, pages)
    chapters = {chapter.page: chapter for chapter in book.chapters.values()}
    for page in pages:
        if page in chapters:
            chapter = chapters[page]
            merged = merge(chapter.notebook, read_notebook(executed[chapter.name]), chapter)
            if picture := picture_for_a_phone(merged):
                yield _for_phone(chapter), picture
            for cell in merged.cells:
                if cell.cell_type == "markdown":
                    cell.source = _without_links_outside(cell.source, book, page, pages)
                for output in cell.get("outputs", ()):  # a sentence that a cell wrote links, too
                    if text := output.get("data", {}).get("text/markdown"):
                        shown = _without_links_outside(text, book, page, pages)
                        output.data["text/markdown"] = shown
            yield page, write_notebook(merged)
        else:
            text = (book.folder / page).read_text()
            yield page, _without_links_outside(text, book, page, pages).encode()
    for page in () if pages else book.pages:
        if page not in chapters:
            yield page, (book.folder / page).read_bytes()
    yield "_config.yml", yaml.safe_dump(config, sort_keys=True, allow_unicode=True).encode()
    static = (book.folder / "_static").rglob("*")
    named = _named(book, pages or book.pages, config)
    beside = {*book.folder.glob("*.bib"), *static, *extensions(book), *named}
    for path in sorted(path for path in beside if path.is_file()):
        yield path.relative_to(book.folder).as_posix(), path.read_bytes()
    # reports of audits come to the site as they are: a link to one opens it
    for path in sorted((book.folder / "data" / "reports").glob("*/*")):
        yield Path("_static", "reports", *path.parts[-2:]).as_posix(), path.read_bytes()


def _without_links_outside(text: str, book: Book, page: str, pages: Sequence[str]) -> str:
    """The text of a page of a preview: links to pages that the preview leaves out, and to anchors of
    such pages, keep their words only.
    """

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


def _contents(book: Book, pages: Sequence[str]) -> bytes:
    """The table of contents, or one of a few pages."""
    if not pages:
        return (book.folder / "_toc.yml").read_bytes()
    root, *others = [str(Path(page).with_suffix("")) for page in pages]
    entries = {"chapters": [{"file": name} for name in others]} if others else {}
    return str(yaml.safe_dump({"format": "jb-book", "root": root, **entries})).encode()


def _named(book: Book, pages: Sequence[str], config: Mapping[str, Any]) -> Iterator[Path]:
    """Files of the book that its pages include, show or offer for download, and those the
    configuration names.
    """
    for page in pages:
        text = (book.folder / page).read_text()
        if page.endswith(".ipynb"):
            cells = json.loads(text)["cells"]
            sources = (cell["source"] for cell in cells if cell["cell_type"] == "markdown")
            text = "\n".join("".join(source) for source in sources)
        for match in _LINKED.finditer(text):
            target = next(filter(None, match.groups())).partition("#")[0]
            path = ((book.folder / page).parent / target.lstrip("/")).resolve()
            if target and "://" not in target and _is_attachment(book, path):
                yield path
    for name in (config.get("logo"), (config.get("html") or {}).get("favicon")):
        if name:
            yield book.folder / name


def _is_attachment(book: Book, path: Path) -> bool:
    """Whether a link leads to a file of the book that is not itself one of its pages."""
    return (
        path.is_file()
        and path.is_relative_to(book.folder)
        and path.relative_to(book.folder).as_posix() not in book.pages
    )
