"""The site: Jupyter Book run on the book, when anything that makes its pages has changed."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lib.documents import read_json, read_yaml
from lib.files import crowded, file_hash, text_hash, write_whole
from runner.book import Book
from runner.depfile import library_hash, module_hashes
from runner.executed import NAME, RUNS

_BUILDERS = (
    "jupyter-book",
    "Sphinx",
    "myst-nb",
    "myst-parser",
    "sphinx-book-theme",
    "sphinx-external-toc",
)
# What a page can be made of beside the outputs of chapters; weights of models show on no page.
_SOURCES: tuple[str, ...] = (
    "*.md",
    "*.yml",
    "*.bib",
    "chapters/**/*",
    "pages/**/*",
    "_static/**/*",
    "_ext/**/*",
)
_SOURCES += ("data/**/*",)
_NOT_SHOWN = (".safetensors", ".npz", ".npy", ".pyc")


class BuildError(RuntimeError):
    """Jupyter Book did not finish; what it printed says why."""


@dataclass(frozen=True)
class Site:
    """Where a book, or a part of it, is built, below `_build`.

    Attributes
    ----------
    book : Book
    suffix : str
        Of its folders: nothing for the profile embedded, `-sample`, `-preview`.
    """

    book: Book
    suffix: str = ""

    @property
    def html(self) -> Path:
        """The folder of the pages."""
        return self.book.folder / "_build" / f"html{self.suffix}"

    def publish(
        self,
        profile: str,
        executed: Mapping[str, Path],
        say: Callable[[str], None],
        *,
        pages: Sequence[str] = (),
        strict: bool = False,
    ) -> None:
        """Make the pages, unless the site was already built from exactly this.

        Parameters
        ----------
        profile : str
            Of the runs that are shown.
        executed : Mapping of str to Path
            The executed notebooks, by chapter.
        say : callable
            Is given one line.
        pages : sequence of str, optional
            The pages of a preview; all pages of the book when there are none.
        strict : bool, optional
            Whether a warning is an error.

        Raises
        ------
        BuildError
            When Jupyter Book fails, or the book does not ask for its chapters.
        WriteError
            When the disk is full.
        """
        started = time.monotonic()
        sphinx = configuration(self.book).get("sphinx") or {}
        if NAME not in (sphinx.get("extra_extensions") or ()):
            raise BuildError(
                f"{self.book.folder / '_config.yml'}: the site would have chapters without outputs. Write\n"
                f"execute: {{execute_notebooks: 'off'}}\nsphinx: {{extra_extensions: [{NAME}]}}"
            )
        wanted = {
            "code": library_hash(module_hashes()),
            "sources": self._sources(executed),
            "pages": list(pages),
            "builders": {name: importlib.metadata.version(name) for name in _BUILDERS},
        }
        last: dict[str, Any] = {}
        with suppress(ValueError):  # damaged, so it vouches for nothing
            last = read_json(self._made_by, dict) if self._made_by.is_file() else {}
        covered = last.get("strict", False) or not strict
        same = {name: last.get(name) for name in wanted} == wanted
        first = f"{Path(pages[0]).with_suffix('.html')}" if pages else "index.html"
        page = (self.html / first).relative_to(self.book.folder)
        if covered and same and (self.html / "index.html").is_file():
            say(f"{page}  up to date")
            return
        self._made_by.unlink(missing_ok=True)
        all_pages = not covered or last.get("builders") != wanted["builders"]
        self._run_jupyter_book(profile, executed, pages, strict, all_pages)
        write_whole(self._made_by, json.dumps({**wanted, "strict": strict}, indent=1))
        say(f"{page}  built in {time.monotonic() - started:.1f} s")

    def remove(self) -> None:
        """Take the site away, and all that it was made of."""
        for path in (self.html, self._output):
            shutil.rmtree(path, ignore_errors=True)
        self._made_by.unlink(missing_ok=True)

    @property
    def _made_by(self) -> Path:
        return self.book.folder / "_build" / f".built{self.suffix}.json"

    @property
    def _output(self) -> Path:
        """Where Jupyter Book makes the pages of another suffix, as the name of its folder is fixed."""
        return self.book.folder / "_build" / f".jupyter-book{self.suffix}"

    def _sources(self, executed: Mapping[str, Path]) -> str:
        """One hash of all that a page may show: sources, outputs, and the records of all runs."""

        def found() -> Iterator[Path]:
            for pattern in (*_SOURCES, "results/*/*.run.json"):
                yield from self.book.folder.glob(pattern)
            yield from executed.values()

        paths = {path for path in found() if path.suffix not in _NOT_SHOWN and path.is_file()}
        return text_hash(json.dumps([(str(path), file_hash(path)) for path in sorted(paths)]))

    def _run_jupyter_book(
        self,
        profile: str,
        executed: Mapping[str, Path],
        pages: Sequence[str],
        strict: bool,
        all_pages: bool,
    ) -> None:
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
        runs = self.book.folder / "_build" / f".runs{self.suffix}.json"
        shown = {name: str(path) for name, path in executed.items()}
        asked = {"profile": profile, "runs": shown, "folder": f"{profile}{self.suffix}"}
        write_whole(runs, json.dumps(asked, indent=1))
        options = ["--path-output", str(output), "-q"]
        options += ["-W", "--keep-going"] if strict else []
        options += ["--all"] if all_pages else []
        if pages:
            contents = runs.with_name(f".toc{self.suffix}.yml")
            write_whole(contents, _contents(pages))
            options += ["--toc", str(contents)]
        start = "from jupyter_book.cli.main import main; main()"
        finished = subprocess.run(
            [sys.executable, "-c", start, "build", str(self.book.folder), *options],
            env={**os.environ, RUNS: str(runs)},
            check=False,
            cwd=self.book.folder,
        )
        if finished.returncode:
            raise BuildError(
                f"jupyter-book gave exit code {finished.returncode}; what it printed is above. It was reading "
                f"{self.book.folder}. {crowded(self.html)}".strip()
            )


def configuration(book: Book) -> dict[str, Any]:
    """What `_config.yml` says."""
    return read_yaml(book.folder / "_config.yml", dict)


def _contents(pages: Sequence[str]) -> str:
    """A table of contents of some pages."""
    root, *others = [str(Path(page).with_suffix("")) for page in pages]
    entries = {"chapters": [{"file": name} for name in others]} if others else {}
    return str(yaml.safe_dump({"format": "jb-book", "root": root, **entries}))
