"""The book as the runner sees it: its pages, its chapters with their parameters, and what a profile
asks of each.
"""

import copy
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from lib.checks import one_of
from lib.definitions import HOUSES
from lib.documents import read_yaml
from lib.files import text_hash
from lib.paths import ROOT
from lib.profiles import chapter_entries, chapter_of
from lib.slug import slug
from runner.notebooks import read_notebook, tags
from runner.parameters import checked, choices, defaults, parsed

PROGRAM = (*HOUSES, "runner")  # the packages of the checkout that a run imports
TELLING_TAGS = {"parameters", "raises-exception", "skip-execution"}
CHECK = "check-parameters"  # the id of the cell that holds the rules for the parameters
_ENTRIES = ("parameters", "resources", "data", "after", "takes")


@dataclass(frozen=True, eq=False)
class Chapter:
    """One notebook of the book.

    Attributes
    ----------
    name : str
        The file's name without .ipynb, for evidence with `_evidence` behind it.
    page : str
        Its path below the book's folder.
    data : bytes
        The notebook as it lies there.
    """

    name: str
    page: str
    data: bytes

    @cached_property
    def notebook(self) -> NotebookNode:
        """The cells. Raises ValueError where the file is no notebook."""
        try:
            return read_notebook(self.data)
        except ValueError as error:
            raise ValueError(f"{self.page}: expected a notebook; got {error}.") from error

    @property
    def title(self) -> str:
        """The heading of its first cell."""
        source: str = self.notebook.cells[0].source
        return source.partition("\n")[0].removeprefix("# ").strip()

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Names and default values in the cell tagged `parameters`. Raises ValueError where that
        computes.
        """
        cell = next((cell for cell in self.notebook.cells if "parameters" in tags(cell)), None)
        try:
            return defaults(cell.source) if cell else {}
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
            raise ValueError(
                f"{self.page}: the cell tagged `parameters` may only set names to plain values, "
                f"such as seed = 0; got {error}."
            ) from error

    def check(self, parameters: Mapping[str, Any]) -> None:
        """Run the cell that holds the rules for the parameters, where the chapter has one.

        Raises
        ------
        ValueError
            Where a value breaks its rule; a list is brought into form in the run itself.
        """
        cell = next((cell for cell in self.notebook.cells if cell.id == CHECK), None)
        if cell and cell.cell_type == "code":
            code = compile(cell.source, f"{self.page}, cell {CHECK}", "exec")
            try:
                exec(code, copy.deepcopy(dict(parameters)))
            except ValueError as error:
                raise ValueError(f"{self.name}: {error}") from error

    @cached_property
    def code(self) -> str:
        """Hash of everything that can change a run: ids, sources and telling tags of the code
        cells, in order.
        """
        cells = [
            (cell.id, cell.source, sorted(TELLING_TAGS & tags(cell)))
            for cell in self.notebook.cells
            if cell.cell_type == "code"
        ]
        return text_hash(json.dumps(cells))


@dataclass(frozen=True, eq=False)
class Run:
    """One chapter with one set of parameters.

    Attributes
    ----------
    chapter : Chapter
    profile : str
    parameters : Mapping
        All of them, by name.
    resources : Mapping
        What a Dask worker must offer to take it, such as {"GPU": 1}.
    after_all : bool
        Whether it runs last, on the results of all others.
    default : bool
        Whether the parameters are the profile's own.
    """

    chapter: Chapter
    profile: str
    parameters: Mapping[str, Any]
    resources: Mapping[str, float]
    after_all: bool
    default: bool

    @cached_property
    def name(self) -> str:
        """The name that its files share, `<chapter>--<slug of the parameters>`."""
        return f"{self.chapter.name}--{slug(self.parameters)}"

    @property
    def label(self) -> str:
        """What the runner calls it."""
        name = self.chapter.name
        return name if self.default else f"{name} [{slug(self.parameters)}]"


@dataclass(frozen=True)
class Book:
    """A folder that holds `_toc.yml`, `_config.yml`, the pages these name, and `data/profiles`."""

    folder: Path
    pages: tuple[str, ...]
    chapters: Mapping[str, Chapter]

    @classmethod
    def open(cls, folder: Path) -> "Book":
        """Read the table of contents and every notebook in it.

        Raises
        ------
        ValueError
            When there is no book, its table of contents cannot be read or names a page that is missing or no chapter, or
            the book has a `lib`, `studies` or `runner` of its own.
        """
        folder = folder.resolve()
        if not (folder / "_toc.yml").is_file():
            raise ValueError(
                f"no book at {folder}: expected a folder with _toc.yml and _config.yml. Name it with --book."
            )
        for house in PROGRAM:
            if (folder / house / "__init__.py").is_file() and folder != ROOT:
                raise ValueError(
                    f"the book at {folder} has its own {house}, but the one running is {ROOT / house}. "
                    f"Run it from there, if it is a whole checkout: cd {folder} && python -m lib.run; else give its "
                    f"package {house} another name."
                )
        toc = folder / "_toc.yml"
        contents = read_yaml(toc, dict, needs=["root"])
        pages = tuple(_page(folder, name) for name in _names(toc, contents))
        chapters = {
            chapter_of(page): Chapter(chapter_of(page), page, (folder / page).read_bytes())
            for page in pages
            if page.endswith(".ipynb")
        }
        if not chapters:
            raise ValueError(f"{toc}: expected a chapter, a page that is a notebook; got none.")
        return cls(folder, pages, chapters)

    def results(self, profile: str) -> Path:
        """The folder of the results of a profile."""
        return self.folder / "results" / profile

    def recorded(self, profile: str) -> Path:
        """The folder of the results of a profile that are kept with the book."""
        return self.folder / "data" / "results" / profile

    def cache(self, profile: str) -> Path:
        """The folder of executed notebooks and depfiles of a profile."""
        return self.folder / ".cache" / "runs" / profile

    def entries(self, profile: str) -> Mapping[str, Mapping[str, Any]]:
        """What a profile says of the chapters that it names.

        Raises
        ------
        ValueError
            For an unknown profile, and where it says what no chapter understands.
        """
        entries = chapter_entries(profile, self.folder / "data" / "profiles")
        for name, entry in entries.items():
            one_of(f"profile {profile}: chapter", name, self.chapters)
            for key in entry:
                one_of(f"profile {profile}, chapter {name}", key, _ENTRIES)
            one_of(f"profile {profile}, chapter {name}: after", entry.get("after", "all"), ["all"])
        return entries

    def data(self, profile: str, chapters: Iterable[str] = ()) -> list[str]:
        """The keys that a profile reads, for all chapters or for some, each once."""
        entries = self.entries(profile)
        names = list(chapters) or list(self.chapters)
        return list(
            dict.fromkeys(key for name in names for key in entries.get(name, {}).get("data", ()))
        )

    def runs(
        self,
        profile: str,
        chapters: Iterable[str] = (),
        overrides: Iterable[str] = (),
        grids: Iterable[str] = (),
    ) -> list[Run]:
        """The runs that a command line asks for.

        Parameters
        ----------
        profile : str
            Its parameters are the default.
        chapters : iterable of str, optional
            Names; all chapters when there are none. A chapter that is not named runs only when it has one of the
            parameters that are given.
        overrides, grids : iterable of str, optional
            As in `runner.parameters.choices`; one run for each combination of values.

        Returns
        -------
        list of Run
            Those that come after all others last.

        Raises
        ------
        ValueError
            For an unknown profile, chapter or parameter, for a value of another type, and for one that breaks
            the chapter's rules.
        """
        entries = self.entries(profile)
        names = list(dict.fromkeys(chapters))
        for name in names:
            one_of("chapter", name, self.chapters)
        wanted = [self.chapters[name] for name in names] or list(self.chapters.values())
        texts = choices(overrides, grids)
        _check_names(texts, wanted)
        runs = [
            run
            for chapter in wanted
            for run in _expanded(
                chapter, profile, entries.get(chapter.name, {}), texts, bool(names)
            )
        ]
        return sorted(runs, key=lambda run: run.after_all)


def _expanded(
    chapter: Chapter,
    profile: str,
    entry: Mapping[str, Any],
    texts: Mapping[str, list[str]],
    named: bool,
) -> Iterator[Run]:
    """The runs of one chapter: one for each combination of the values that are given as text."""
    own = {name: values for name, values in texts.items() if name in chapter.parameters}
    if texts and not own and not named:
        return
    planned = _planned(chapter, profile, entry)
    after_all = "after" in entry
    seen = set()
    for values in itertools.product(*own.values()):
        given = {
            name: parsed(name, chapter.parameters[name], value) for name, value in zip(own, values)
        }
        parameters = {**planned, **given}
        resources = {} if parameters.get("device") == "cpu" else entry.get("resources") or {}
        default = slug(parameters) == slug(planned)
        run = Run(chapter, profile, parameters, resources, after_all, default)
        if own:
            chapter.check(parameters)
        if run.name not in seen and (default or named or not after_all):
            seen.add(run.name)
            yield run


def _planned(chapter: Chapter, profile: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a chapter as a profile sets them."""
    values = entry.get("parameters") or {}
    _check_names(values, [chapter])
    parameters = {
        name: checked(name, chapter.parameters[name], value) for name, value in values.items()
    }
    own = {"profile": profile} if "profile" in chapter.parameters else {}
    return {**chapter.parameters, **parameters, **own}


def _check_names(names: Iterable[str], chapters: Iterable[Chapter]) -> None:
    known = dict.fromkeys(name for chapter in chapters for name in chapter.parameters)
    place = ", ".join(chapter.name for chapter in chapters)
    for name in names:
        one_of(f"parameter of {place}", name, known)


def _names(toc: Path, entry: Mapping[str, Any]) -> Iterator[str]:
    """The pages of a table of contents in Jupyter Book's format, in reading order."""
    for key in ("root", "file"):
        if not isinstance(entry.get(key, ""), str):
            raise ValueError(f"{toc}: {key}: expected the name of a page; got {entry[key]!r}.")
    yield from (entry[key] for key in ("root", "file") if key in entry)
    for key in ("parts", "chapters", "sections", "subtrees", "entries"):
        parts = entry.get(key) or []
        if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
            raise ValueError(f"{toc}: {key}: expected lines like `- file: page`; got {parts!r}.")
        for part in parts:
            yield from _names(toc, part)


def _page(folder: Path, name: str) -> str:
    for suffix in ("", ".ipynb", ".md"):
        if (folder / f"{name}{suffix}").is_file():
            return f"{name}{suffix}"
    raise ValueError(
        f"_toc.yml names the page {name!r}, but {folder / name}.ipynb and .md do not exist."
    )
