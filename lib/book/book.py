"""The book as the runner sees it: its pages, its chapters with their parameters, and what a profile asks of each."""

from __future__ import annotations

import ast
import contextlib
import difflib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import yaml
from nbformat import NotebookNode

from lib.book.depfile import digest
from lib.book.execution import read_notebook
from lib.paths import LIBRARY
from lib.slug import slug

_TAGS_THAT_MATTER = {"parameters", "raises-exception", "skip-execution"}


class BookError(ValueError):
    """The book, a profile or the command line asks for something that does not exist; the message lists what does."""


@dataclass(frozen=True, eq=False)
class Chapter:
    """One notebook of the book. `page` is its path below the book's folder."""

    name: str
    page: str
    data: bytes

    @cached_property
    def notebook(self) -> NotebookNode:
        return read_notebook(self.data)

    @cached_property
    def parameters(self) -> dict:
        """Names and default values in the cell tagged `parameters`, read without running it."""
        cells = [
            cell for cell in self.notebook.cells if "parameters" in cell.metadata.get("tags", [])
        ]
        if not cells:
            return {}
        try:
            return dict(_assignments(ast.parse(cells[0].source)))
        except (SyntaxError, ValueError) as error:
            raise BookError(
                f"{self.page}: the cell tagged `parameters` may only set names to plain values, "
                f"such as seed = 0; got {error}."
            ) from error

    @cached_property
    def code(self) -> str:
        """Hash of everything that can change a run: ids, sources and telling tags of the code cells, in order."""
        cells = [
            (cell.id, cell.source, sorted(_TAGS_THAT_MATTER & set(cell.metadata.get("tags", []))))
            for cell in self.notebook.cells
            if cell.cell_type == "code"
        ]
        return digest(json.dumps(cells).encode())


def _assignments(tree: ast.Module) -> Iterator[tuple[str, object]]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        else:
            raise ValueError(f"line {statement.lineno}: {ast.unparse(statement)}")
        yield ast.unparse(target), ast.literal_eval(value)


@dataclass(frozen=True)
class Plan:
    """What a profile asks of one chapter."""

    parameters: Mapping = field(default_factory=dict)
    resources: Mapping = field(default_factory=dict)
    data: Sequence[str] = ()
    after_all: bool = False


@dataclass(frozen=True, eq=False)
class Run:
    """One chapter with one set of parameters; `default` when they are the profile's own."""

    chapter: Chapter
    profile: str
    parameters: Mapping
    resources: Mapping
    after_all: bool
    default: bool

    @cached_property
    def name(self) -> str:
        return f"{self.chapter.name}--{slug(self.parameters)}"

    @property
    def label(self) -> str:
        return (
            self.chapter.name if self.default else f"{self.chapter.name} [{slug(self.parameters)}]"
        )


@dataclass(frozen=True)
class Book:
    """A folder that holds `_toc.yml`, `_config.yml`, the pages these name, and `data/profiles`."""

    folder: Path
    pages: tuple[str, ...]
    chapters: Mapping[str, Chapter]

    @classmethod
    def open(cls, folder: Path) -> Book:
        """Read the table of contents and every notebook in it. Raises BookError when a page is missing."""
        folder = folder.resolve()
        if not (folder / "_toc.yml").is_file():
            raise BookError(
                f"no book at {folder}: expected a folder with _toc.yml and _config.yml. Name it with --book."
            )
        if (folder / "lib" / "__init__.py").is_file() and folder / "lib" != LIBRARY:
            raise BookError(
                f"the book at {folder} has its own lib, but the one running is {LIBRARY}. "
                f"Run it from there: cd {folder} && python -m lib.run"
            )
        pages = tuple(
            _page(folder, name)
            for name in _names(yaml.safe_load((folder / "_toc.yml").read_text()))
        )
        notebooks = [
            Chapter(Path(page).stem, page, (folder / page).read_bytes())
            for page in pages
            if page.endswith(".ipynb")
        ]
        return cls(folder, pages, {chapter.name: chapter for chapter in notebooks})

    def results(self, profile: str) -> Path:
        return self.folder / "results" / profile

    def cache(self, profile: str) -> Path:
        return self.folder / ".cache" / "runs" / profile

    def plans(self, profile: str) -> dict[str, Plan]:
        """What the profile asks of each chapter of the book; a chapter that it does not name runs as it stands."""
        profiles = {
            path.stem: path for path in sorted((self.folder / "data" / "profiles").glob("*.yml"))
        }
        if profile not in profiles:
            raise BookError(
                _unknown("profile", profile, profiles, self.folder / "data" / "profiles")
            )
        listed = (yaml.safe_load(profiles[profile].read_text()) or {}).get("chapters") or {}
        for name in listed:
            if name not in self.chapters:
                raise BookError(
                    f"{profiles[profile]}: {_unknown('chapter', name, self.chapters, '_toc.yml')}"
                )
        return {
            name: _plan(chapter, profile, listed.get(name) or {})
            for name, chapter in self.chapters.items()
        }

    def runs(
        self,
        profile: str,
        chapters: Iterable[str] = (),
        overrides: Iterable[str] = (),
        grids: Iterable[str] = (),
    ) -> list[Run]:
        """The runs that the command line asks for, those that come after all others last.

        overrides : "name=value"; grids : "name=a,b", one run for each combination. A chapter that has none of the
        names runs only when it is named itself. Raises BookError on an unknown chapter, parameter or type of value.
        """
        plans = self.plans(profile)
        for name in chapters:
            if name not in plans:
                raise BookError(_unknown("chapter", name, plans, "_toc.yml"))
        wanted = list(dict.fromkeys(chapters)) or list(plans)
        choices = _choices(overrides, grids)
        _check_names(choices, [self.chapters[name] for name in wanted])
        runs = [
            run
            for name in wanted
            for run in _expand(
                self.chapters[name], profile, plans[name], choices, named=bool(chapters)
            )
        ]
        return sorted(runs, key=lambda run: run.after_all)


def _names(entry) -> Iterator[str]:
    """The pages of a table of contents in Jupyter Book's format, in reading order."""
    if isinstance(entry, list):
        for one in entry:
            yield from _names(one)
    elif isinstance(entry, dict):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        for key in ("parts", "chapters", "sections", "subtrees", "entries"):
            yield from _names(entry.get(key))


def _page(folder: Path, name: str) -> str:
    for suffix in ("", ".ipynb", ".md"):
        if (folder / f"{name}{suffix}").is_file():
            return f"{name}{suffix}"
    raise BookError(
        f"_toc.yml names the page {name!r}, but {folder / name}.ipynb and .md do not exist."
    )


def _plan(chapter: Chapter, profile: str, entry: Mapping) -> Plan:
    known = {"parameters", "resources", "data", "after"}
    if not isinstance(entry, Mapping) or set(entry) - known or entry.get("after", "all") != "all":
        raise BookError(
            f"profile {profile}, chapter {chapter.name}: expected a mapping of {', '.join(sorted(known))} "
            f"(after: all); got {entry!r}."
        )
    values = entry.get("parameters") or {}
    _check_names(values, [chapter])
    parameters = {
        name: _checked(name, chapter.parameters[name], value) for name, value in values.items()
    }
    if "profile" in chapter.parameters:
        parameters["profile"] = profile
    return Plan(
        {**chapter.parameters, **parameters},
        entry.get("resources") or {},
        entry.get("data") or (),
        after_all="after" in entry,
    )


def _choices(overrides: Iterable[str], grids: Iterable[str]) -> dict[str, list[str]]:
    """The values asked for on the command line, as text: one each for overrides, several for grids."""
    choices: dict[str, list[str]] = {}
    for text, several in [
        *((text, False) for text in overrides),
        *((text, True) for text in grids),
    ]:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise BookError(f"expected name=value{',value' if several else ''}; got {text!r}.")
        if name == "profile" or name in choices:
            raise BookError(
                f"{name}: "
                + ("set it with --profile." if name == "profile" else "given more than once.")
            )
        choices[name] = list(dict.fromkeys(value.split(","))) if several else [value]
    return choices


def _expand(
    chapter: Chapter, profile: str, plan: Plan, choices: Mapping[str, list[str]], named: bool
) -> Iterator[Run]:
    asked = {name: values for name, values in choices.items() if name in chapter.parameters}
    if choices and not asked and not named:
        return
    seen = set()
    for values in itertools.product(*asked.values()):
        overrides = {
            name: _parsed(name, chapter.parameters[name], value)
            for name, value in zip(asked, values)
        }
        parameters = {**plan.parameters, **overrides}
        resources = {} if parameters.get("device") == "cpu" else plan.resources
        default = slug(parameters) == slug(plan.parameters)
        run = Run(chapter, profile, parameters, resources, plan.after_all, default)
        if run.name not in seen and (default or named or not plan.after_all):
            seen.add(run.name)
            yield run


def _check_names(names: Iterable[str], chapters: Sequence[Chapter]) -> None:
    known = dict.fromkeys(name for chapter in chapters for name in chapter.parameters)
    for name in names:
        if name not in known:
            raise BookError(
                _unknown("parameter", name, known, ", ".join(chapter.name for chapter in chapters))
            )


def _unknown(kind: str, got: str, known: Iterable[str], where) -> str:
    close = difflib.get_close_matches(str(got), [str(name) for name in known], n=1)
    return (
        f"no {kind} {got!r} in {where}: expected one of {', '.join(map(str, known)) or '(none)'}."
        + (f" Did you mean {close[0]}?" if close else "")
    )


def _parsed(name: str, default: object, text: str) -> object:
    """A value from the command line. Where the default is text, the value is taken as it was typed."""
    if isinstance(default, str):
        return text
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        value = text
    if isinstance(default, float) and isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = float(value)
    return _checked(name, default, value)


def _checked(name: str, default: object, value: object) -> object:
    """The value, if it has the type of the default; whole numbers pass where the default is a decimal one."""
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if default is not None and type(value) is not type(default):
        raise BookError(
            f"{name}: expected a value of type {type(default).__name__}, like its default {default!r}; "
            f"got {value!r}, of type {type(value).__name__}."
        )
    return value
