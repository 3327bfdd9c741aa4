"""The book as the site builder gets it: executed copies, fresh prose, figures with their alternative text.

Everything goes to `_build/book` (`_build/book-<profile>` for other profiles than embedded); a file is written only when
its bytes change, so that Jupyter Book reads again only what changed.
"""

from __future__ import annotations

import copy
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from lib.book.book import Book, Chapter
from lib.book.depfile import digest, library_hash, module_hashes
from lib.book.execution import read_notebook, write_notebook
from lib.files import write_if_changed
from lib.paths import LIBRARY

_BUILDERS = (
    "jupyter-book",
    "Sphinx",
    "myst-nb",
    "myst-parser",
    "sphinx-book-theme",
    "sphinx-external-toc",
)
_LINKED = re.compile(
    r"""\]\(\s*<?([^)\s>]+)|\{(?:include|image|figure|literalinclude|csv-table)\}\s*([^\s`]+)"""
    r"""|\{download\}`[^`]*?([^`<>\s]+)>?`|<(?:img|source|a)\b[^>]*?(?:src|href)=["']([^"']+)"""
)


class BuildError(RuntimeError):
    """Jupyter Book did not finish; what it printed says why."""


@dataclass(frozen=True)
class Stage:
    """Where a profile's book is put together and built."""

    book: Book
    profile: str

    @cached_property
    def suffix(self) -> str:
        return "" if self.profile == "embedded" else f"-{self.profile}"

    @property
    def folder(self) -> Path:
        return self.book.folder / "_build" / f"book{self.suffix}"

    @property
    def html(self) -> Path:
        return self.book.folder / "_build" / f"html{self.suffix}"

    @property
    def stamp(self) -> Path:
        return self.book.folder / "_build" / f".built{self.suffix}.json"


def stage(place: Stage, executed: Mapping[str, bytes]) -> tuple[int, str]:
    """Bring the staged book up to date with the executed chapters, by name.

    Returns how many files were written or removed, and one hash of all that is staged.
    """
    files = dict(_staged_files(place.book, executed))
    changed = sum(write_if_changed(place.folder / name, data) for name, data in files.items())
    for path in sorted(place.folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(place.folder).as_posix() not in files:
            path.unlink()
            changed += 1
    return changed, digest(
        json.dumps(sorted((name, digest(data)) for name, data in files.items())).encode()
    )


def build(place: Stage, staged: str, strict: bool) -> bool:
    """Run Jupyter Book on the staged book. Returns False when the site was already built from exactly this.

    staged : the hash that `stage` returned; strict : warnings are errors
    Raises BuildError when Jupyter Book fails.
    """
    wanted = {
        "staged": staged,
        "lib": library_hash(module_hashes()),
        "builder": _builder(place.book),
    }
    last = json.loads(place.stamp.read_text()) if place.stamp.is_file() else {}
    covered = last.get("strict", False) or not strict
    if (
        covered
        and (place.html / "index.html").is_file()
        and {name: last.get(name) for name in wanted} == wanted
    ):
        return False
    place.stamp.unlink(missing_ok=True)
    _run_jupyter_book(
        place, strict, all_pages=not covered or last.get("builder") != wanted["builder"]
    )
    write_if_changed(place.stamp, json.dumps({**wanted, "strict": strict}, indent=1).encode())
    return True


def merge(fresh: NotebookNode, executed: NotebookNode, chapter: Chapter) -> NotebookNode:
    """The fresh notebook with the outputs of its executed copy, cell by cell where id and source agree.

    The cell of injected parameters follows the `parameters` cell, folded; it is left out where it repeats the defaults.
    Figures that carry alternative text and caption get them where the site builder looks.
    """
    outputs = {(cell.id, cell.source): cell for cell in executed.cells if cell.cell_type == "code"}
    injected = next((cell for cell in executed.cells if cell.id == "injected-parameters"), None)
    merged = nbformat.v4.new_notebook(metadata=executed.metadata)
    for cell in copy.deepcopy(fresh.cells):
        run = outputs.get((cell.id, cell.source)) if cell.cell_type == "code" else None
        if run is not None:
            cell.outputs, cell.execution_count = run.outputs, run.execution_count
        merged.cells.extend(
            _with_alternative_text(cell, chapter.name) if run is not None else [cell]
        )
        if (
            "parameters" in cell.metadata.get("tags", [])
            and injected is not None
            and _differs(injected, chapter)
        ):
            injected.metadata.tags = ["injected-parameters", "hide-input"]
            merged.cells.append(injected)
    merged.nbformat_minor = 5
    return merged


def _differs(injected: NotebookNode, chapter: Chapter) -> bool:
    cell = nbformat.v4.new_code_cell(injected.source, metadata={"tags": ["parameters"]})
    given = Chapter(
        chapter.name, chapter.page, write_notebook(nbformat.v4.new_notebook(cells=[cell]))
    )
    return given.parameters != chapter.parameters


def _with_alternative_text(cell: NotebookNode, chapter: str) -> list[NotebookNode]:
    """The cell, cut into several where it shows a figure beside other output: a cell holds one alternative text."""
    groups: list[list[NotebookNode]] = [[]]
    for output in cell.outputs:
        described = _description(output) is not None
        if groups[-1] and (described or _description(groups[-1][0]) is not None):
            groups.append([])
        groups[-1].append(output)
    return [_part_of(cell, group, place, chapter) for place, group in enumerate(groups)]


def _part_of(
    cell: NotebookNode, outputs: list[NotebookNode], place: int, chapter: str
) -> NotebookNode:
    part = copy.deepcopy(cell)
    part.outputs = outputs
    if place:
        part.id, part.source = f"{cell.id}-{place + 1}", "# output of the cell above, continued"
        part.metadata["tags"] = [*part.metadata.get("tags", []), "remove-input"]
    described = _description(outputs[0]) if outputs else None
    if described:
        own = part.metadata.get("mystnb", {})
        part.metadata["mystnb"] = {
            **own,
            "image": {"alt": described["alt"], **own.get("image", {})},
            "figure": {
                "caption": described["caption"],
                "name": f"{chapter}-{part.id}",
                **own.get("figure", {}),
            },
        }
    return part


def _description(output: NotebookNode) -> Mapping | None:
    found = [
        entry
        for kind, entry in output.get("metadata", {}).items()
        if kind.startswith("image/") and "alt" in entry
    ]
    return found[0] if found else None


def _staged_files(book: Book, executed: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    config = yaml.safe_load((book.folder / "_config.yml").read_text()) or {}
    config["execute"] = {**(config.get("execute") or {}), "execute_notebooks": "off"}
    yield "_config.yml", yaml.safe_dump(config, sort_keys=True, allow_unicode=True).encode()
    yield "_toc.yml", (book.folder / "_toc.yml").read_bytes()
    chapters = {chapter.page: chapter for chapter in book.chapters.values()}
    for page in book.pages:
        if page in chapters:
            chapter = chapters[page]
            merged = merge(chapter.notebook, read_notebook(executed[chapter.name]), chapter)
            yield page, write_notebook(merged)
        else:
            yield page, (book.folder / page).read_bytes()
    extensions = ((config.get("sphinx") or {}).get("local_extensions") or {}).values()
    code = (path for folder in extensions for path in (book.folder / folder).rglob("*.py"))
    beside = [
        *book.folder.glob("*.bib"),
        *(book.folder / "_static").rglob("*"),
        *code,
        *_named(book, config),
    ]
    for path in sorted({path for path in beside if path.is_file()}):
        yield path.relative_to(book.folder).as_posix(), path.read_bytes()


def _named(book: Book, config: Mapping) -> Iterator[Path]:
    """Files of the book that its pages include, show or offer for download, and those the configuration names."""
    for page in book.pages:
        text = (book.folder / page).read_text()
        if page.endswith(".ipynb"):
            text = "\n".join(
                cell.source
                for cell in read_notebook(text.encode()).cells
                if cell.cell_type == "markdown"
            )
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


def _builder(book: Book) -> dict[str, str]:
    """What makes every page besides its source: package versions, hashes of the contents and of the book's extensions."""
    config = yaml.safe_load((book.folder / "_config.yml").read_text()) or {}
    folders = ((config.get("sphinx") or {}).get("local_extensions") or {}).values()
    files = sorted(
        path for folder in folders if folder for path in (book.folder / folder).glob("*.py")
    )
    return {
        **{name: importlib.metadata.version(name) for name in _BUILDERS},
        **{path.name: digest(path.read_bytes()) for path in (book.folder / "_toc.yml", *files)},
    }


def _run_jupyter_book(place: Stage, strict: bool, all_pages: bool) -> None:
    """Build below `_build`; another profile's output folder is reached through a link, as its name is fixed."""
    output = place.book.folder
    if place.suffix:
        output = place.book.folder / "_build" / f".jupyter-book{place.suffix}"
        link = output / "_build" / "html"
        place.html.mkdir(parents=True, exist_ok=True)
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(place.html, link.parent))
    options = ["-q", *(["-W", "--keep-going"] if strict else []), *(["--all"] if all_pages else [])]
    command = [
        sys.executable,
        "-c",
        "from jupyter_book.cli.main import main; main()",
        "build",
        str(place.folder),
        "--path-output",
        str(output),
        *options,
    ]
    paths = [str(LIBRARY.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    finished = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        check=False,
        cwd=place.book.folder,
    )
    if finished.returncode:
        raise BuildError(
            f"jupyter-book gave exit code {finished.returncode}; what it printed is above. "
            f"It was reading {place.folder}."
        )
