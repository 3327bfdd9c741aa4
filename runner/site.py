"""The site: Jupyter Book run on the staged book, when anything that makes its pages has changed."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.documents import read_json
from lib.files import crowded, file_hash, text_hash, write_whole
from lib.paths import ROOT
from runner.book import Book, Chapter
from runner.depfile import library_hash, module_hashes
from runner.staging import extensions, preview, stage

_BUILDERS = (
    "jupyter-book",
    "Sphinx",
    "myst-nb",
    "myst-parser",
    "sphinx-book-theme",
    "sphinx-external-toc",
)
# Jupyter Book has no option for what Sphinx calls -j.
_IN_PARALLEL = (
    "import jupyter_book.cli.main, sphinx.application, jupyter_book.sphinx as build; from functools import partial; "
    "build.build_sphinx = partial(build.build_sphinx, jobs=os.cpu_count())"
)
# Pages are trees of many small objects; to look for garbage among all of them so often takes a tenth of the time.
_LESS_OFTEN = "import gc; gc.freeze(); gc.set_threshold(100_000, 20, 20)"


class BuildError(RuntimeError):
    """Jupyter Book did not finish; what it printed says why."""


@dataclass(frozen=True)
class Site:
    """Where a book, or a part of it, is put together and built, below `_build`.

    Attributes
    ----------
    book : Book
    suffix : str
        Of its folders: nothing for the profile embedded, `-sample`, `-preview`.
    quiet : bool
        Whether what Jupyter Book prints is shown only where it fails.
    """

    book: Book
    suffix: str = ""
    quiet: bool = False

    @property
    def staged(self) -> Path:
        """The folder of the staged book."""
        return self.book.folder / "_build" / f"book{self.suffix}"

    @property
    def html(self) -> Path:
        """The folder of the pages."""
        return self.book.folder / "_build" / f"html{self.suffix}"

    def publish(
        self,
        executed: Mapping[str, bytes],
        say: Callable[[str], None],
        *,
        pages: Sequence[str] = (),
        build: bool = True,
        strict: bool = False,
    ) -> None:
        """Stage the book, and make pages of it.

        Parameters
        ----------
        executed, pages
            As in `runner.staging.stage`.
        say : callable
            Is given one line on either step.
        build : bool, optional
            Whether pages are made.
        strict : bool, optional
            Whether a warning is an error.

        Raises
        ------
        BuildError
            When Jupyter Book fails.
        WriteError
            When the disk is full.
        """
        started = time.monotonic()
        changed, staged = stage(self.book, self.staged, executed, pages)
        say(f"staged {self._short(self.staged)}: {changed or 'no'} files changed")
        if build:
            built = self._build(staged, strict)
            seconds = time.monotonic() - started
            first = f"{Path(pages[0]).with_suffix('.html')}" if pages else "index.html"
            page = self._short(self.html / first)
            say(f"{page}  built in {seconds:.1f} s" if built else f"{page}  up to date")

    @property
    def built(self) -> bool:
        """Whether there is a site, of whatever state."""
        return (self.html / "index.html").is_file()

    def remove(self) -> None:
        """Take the site away, and all that it was made of."""
        for path in (self.staged, self.html, self._output):
            shutil.rmtree(path, ignore_errors=True)
        self._made_by.unlink(missing_ok=True)

    def _short(self, path: Path) -> Path:
        return path.relative_to(self.book.folder)

    def _build(self, staged: str, strict: bool) -> bool:
        """Run Jupyter Book, unless the site was already built from exactly this; whether it was
        run.
        """
        wanted = {
            "staged": staged,
            "code": library_hash(module_hashes()),
            "records": self._records(),
            "builder": self._builder(),
        }
        last: dict[str, Any] = {}
        with suppress(ValueError):  # damaged, so it vouches for nothing
            last = read_json(self._made_by, dict) if self._made_by.is_file() else {}
        covered = last.get("strict", False) or not strict
        same = {name: last.get(name) for name in wanted} == wanted
        if covered and same and self.built:
            return False
        self._made_by.unlink(missing_ok=True)
        all_pages = not covered or last.get("builder") != wanted["builder"]
        self._run_jupyter_book(strict, all_pages)
        write_whole(self._made_by, json.dumps({**wanted, "strict": strict}, indent=1))
        return True

    @property
    def _made_by(self) -> Path:
        return self.book.folder / "_build" / f".built{self.suffix}.json"

    @property
    def _output(self) -> Path:
        """Where Jupyter Book makes the pages of another suffix, as the name of its folder is fixed."""
        return self.book.folder / "_build" / f".jupyter-book{self.suffix}"

    def _records(self) -> str:
        """One hash of the records of all runs, which a page may show."""
        folders = (self.book.folder / "results", self.book.folder / "data" / "results")
        paths = sorted(path for folder in folders for path in folder.glob("*/*.run.json"))
        return text_hash(json.dumps([(path.name, file_hash(path)) for path in paths]))

    def _builder(self) -> dict[str, str]:
        """What makes every page besides its source: package versions, hashes of contents and of the
        book's extensions.
        """
        files = (self.staged / "_toc.yml", *extensions(self.book))
        return {
            **{name: importlib.metadata.version(name) for name in _BUILDERS},
            **{path.name: file_hash(path) for path in files},
        }

    def _run_jupyter_book(self, strict: bool, all_pages: bool) -> None:
        """Build below `_build`; the output folder of another suffix is reached through a link, as
        its name is fixed.
        """
        output = self.book.folder
        if self.suffix:
            output = self._output
            link = output / "_build" / "html"
            self.html.mkdir(parents=True, exist_ok=True)
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(os.path.relpath(self.html, link.parent))
        start = f"import os, runner; {_IN_PARALLEL}; {_LESS_OFTEN}; from jupyter_book.cli.main import main; main()"
        options = ["--path-output", str(output), "-q"]
        options += ["-W", "--keep-going"] if strict else []
        options += ["--all"] if all_pages else []
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        finished = subprocess.run(
            [sys.executable, "-c", start, "build", str(self.staged), *options],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            check=False,
            cwd=self.book.folder,
            stdout=subprocess.PIPE if self.quiet else None,
            stderr=subprocess.STDOUT if self.quiet else None,
            text=True,
        )
        if finished.returncode:
            raise BuildError(
                f"{finished.stdout or ''}jupyter-book gave exit code {finished.returncode}; what it printed is "
                f"above. It was reading {self.staged}. {crowded(self.html)}".strip()
            )


def first_pages(book: Book, chapter: Chapter, executed: bytes, say: Callable[[str], None]) -> Site:
    """A site of the start page and one chapter, for readers who wait for the rest.

    Parameters
    ----------
    book : Book
    chapter : Chapter
    executed : bytes
        The executed chapter.
    say : callable
        Is given lines.

    Returns
    -------
    Site
        To be removed when the whole is there. What goes wrong is said only, as the whole is still to come.
    """
    site = Site(book, "-first", quiet=True)  # links to pages that are still to come are warned of
    pages = [book.pages[0], *preview(book, [chapter])]
    try:
        site.publish({chapter.name: executed}, say, pages=pages)
    except BuildError as error:
        say(f"no first pages: {error}")
    else:
        say("to read while the rest is made: the start page and the first chapter")
    return site
