"""Sphinx extension: brings the chapters up to date, and shows each with what its run put out.

So `jupyter-book build .` is all that a book needs. What is stale is run by `python -m lib.run`, in a process of its own; the profile is
that of BIASBOOK_PROFILE. A run of `lib.run --build` says itself which runs its site shows. A book of one's own names this extension
in its `_config.yml`, below `sphinx: extra_extensions`, and turns `execute_notebooks` off.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

from lib.checks import one_of
from lib.files import file_hash, text_hash
from lib.paths import ROOT
from lib.profiles import PROFILES
from runner.archive import Archive
from runner.book import Book, Chapter
from runner.depfile import library_hash, module_hashes
from runner.pages import merged_pages, within

NAME = __name__
RUNS = "BIASBOOK_RUNS"  # names a file that says which runs to show, as `runner.site` writes it
PROFILE = "BIASBOOK_PROFILE"
# Sphinx reads with several processes only where each extension says that it can. These, which Jupyter Book brings, do not say so: they
# add styles, number the parts once all pages are read, or act in LaTeX alone.
_SAFE = ("sphinx_jupyterbook_latex", "sphinx_multitoc_numbering", "sphinx-mathjax-offline")


@dataclass(frozen=True)
class Executed:
    """The chapters of a site.

    Attributes
    ----------
    book : Book
    profile : str
        Of their runs.
    folder : Path
        Of the merged notebooks.
    merged : Mapping of str to Path
        Each notebook with its outputs, by chapter.
    pages : tuple of str
        The pages of the site, which may be fewer than the book has.
    """

    book: Book
    profile: str
    folder: Path
    merged: Mapping[str, Path]
    pages: tuple[str, ...]

    def chapter(self, document: str) -> Chapter | None:
        """The chapter whose page this is."""
        shown = (self.book.chapters[name] for name in self.merged)
        return next((one for one in shown if one.page == f"{document}.ipynb"), None)

    def source(self, chapter: Chapter) -> bytes:
        """The notebook of a chapter with its outputs."""
        return self.merged[chapter.name].read_bytes()

    def phone(self, chapter: str) -> Path | None:
        """The first picture of a chapter as narrow as a phone, where there is one."""
        path = self.folder / "phone" / f"{chapter}.svg"
        return path if path.is_file() else None


def of(app: Sphinx) -> Executed:
    """The chapters of the site that is being built."""
    known: Executed = app.executed  # type: ignore[attr-defined]
    return known


def leave_out(app: Sphinx, config: Config) -> None:
    """What the runner keeps beside the book are no pages of it."""
    config.exclude_patterns = [*config.exclude_patterns, ".cache", "_build", "results"]


def bring_up_to_date(app: Sphinx) -> None:
    """Run what is stale, and merge what the site shows with its outputs."""
    book = Book.open(Path(app.srcdir))
    documents = set(app.config.external_site_map)
    pages = tuple(page for page in book.pages if str(Path(page).with_suffix("")) in documents)
    wanted = [chapter.name for chapter in book.chapters.values() if chapter.page in pages]
    asked = json.loads(Path(os.environ[RUNS]).read_bytes()) if os.environ.get(RUNS) else None
    profile = asked["profile"] if asked else os.environ.get(PROFILE) or PROFILES[0]
    if asked:
        runs = {name: Path(path) for name, path in asked["runs"].items() if name in wanted}
    else:
        one_of(PROFILE, profile, PROFILES)
        runs = _run(book, profile, wanted) if wanted else {}
    folder = book.folder / ".cache" / "pages" / (asked or {}).get("folder", profile)
    merged = merged_pages(book, folder, runs)
    app.executed = Executed(book, profile, folder, merged, pages)  # type: ignore[attr-defined]
    # Jupyter Book has no option for what Sphinx calls -j. Pages are trees of many small objects; to look for garbage among all of
    # them so often takes a tenth of the time.
    app.parallel = os.cpu_count() or 1
    for name in _SAFE:
        if name in app.extensions and app.extensions[name].parallel_read_safe is None:
            app.extensions[name].parallel_read_safe = True
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def _run(book: Book, profile: str, chapters: Sequence[str]) -> dict[str, Path]:
    """Run the chapters that are stale with the parameters of a profile. The executed notebooks, by chapter."""
    archive = Archive(book, profile)
    runs = [run for run in book.runs(profile, chapters) if run.default]
    results = archive.fresh_results()[0] if any(run.after_all for run in runs) else {}
    if any(archive.why_stale(run, results if run.after_all else {}) for run in runs):
        command = [sys.executable, "-m", "lib.run", "--profile", profile]
        command += ["--book", str(book.folder)]
        if len(chapters) < len(book.chapters):
            command += ["--chapter", *chapters]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            raise ExtensionError("the chapters could not be brought up to date: see above")
    return {run.chapter.name: archive.executed(run) for run in runs}


def outdated(
    app: Sphinx,
    env: BuildEnvironment,
    added: Collection[str],
    changed: Collection[str],
    removed: Collection[str],
) -> list[str]:
    """The pages whose source is as it was, but not their outputs; all where what makes pages has changed."""
    shown = of(app)
    extensions = [path for name in app.extensions for path in _source(name, shown.book.folder)]
    hashes = [file_hash(path) for path in (shown.book.folder / "_config.yml", *extensions)]
    made_by = text_hash(json.dumps([library_hash(module_hashes()), *hashes, list(shown.pages)]))
    now = {name: file_hash(path) for name, path in shown.merged.items()}
    before: dict[str, Any] = getattr(env, "executed_before", {})
    env.executed_before = {"made_by": made_by, "outputs": now}  # type: ignore[attr-defined]
    if before.get("made_by") != made_by:
        return list(env.found_docs)
    known = before["outputs"]
    pages = (shown.book.chapters[name].page for name in now if now[name] != known.get(name))
    return [str(Path(page).with_suffix("")) for page in pages]


def _source(extension: str, folder: Path) -> list[Path]:
    """The file of an extension that stands in the book itself."""
    file = getattr(sys.modules.get(extension), "__file__", None)
    return [Path(file)] if file and Path(file).is_relative_to(folder / "_ext") else []


def show(app: Sphinx, document: str, source: list[str]) -> None:
    """Give Sphinx a chapter with its outputs in place of the one without."""
    shown = of(app)
    chapter = shown.chapter(document)
    page = chapter.page if chapter else f"{document}.md"
    if chapter:
        source[0] = shown.source(chapter).decode()
    if len(shown.pages) < len(shown.book.pages):
        source[0] = within(source[0], shown.book, page, shown.pages)


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.connect("config-inited", leave_out)
    app.connect("builder-inited", bring_up_to_date, priority=100)
    app.connect("env-get-outdated", outdated)
    app.connect("source-read", show, priority=100)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
