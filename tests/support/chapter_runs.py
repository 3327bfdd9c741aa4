"""Run the cells of a chapter in this process: quick, with small numbers of draws, and strict about what is shown."""

import ast
import linecache
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from unittest import mock

import nbformat
import pandas as pd

from lib.ledger import Ledger, results
from lib.paths import ROOT
from lib.plots.display import render
from lib.profiles import chapter_entries, page_of

QUICK = {"draws": 20, "resamples": 20}


@dataclass
class ChapterRun:
    """What the cells left: their names and values, the text (HTML, Markdown) of all they displayed, and the recorded rows
    that they took beside their own."""

    namespace: dict = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    taken: list[pd.DataFrame] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that was displayed, as one text."""
        return "\n".join(self.shown)

    def unnamed(self, model: str) -> pd.DataFrame:
        """Recorded rows about a model that they do not name in their settings: they would stand under another's name."""
        rows = pd.concat([*self.taken, pd.DataFrame(columns=["data", "settings", "quantity"])])
        about = rows["data"].str.contains(rf"(?:^|; ){re.escape(model)}[\w-]*@", regex=True)
        named = rows["settings"].str.contains(model, regex=False)
        return rows[about.astype(bool) & ~named.astype(bool)]

    def noted(self, read):
        """A reader of recorded rows that notes what it gives."""

        def reading(*given, **options) -> pd.DataFrame:
            rows = read(*given, **options)
            kept = rows[rows["recorded"].astype(bool)] if "recorded" in rows else rows
            said = kept.drop(columns=["data", "profile", "commit"], errors="ignore")
            kept = pd.DataFrame({"data": kept["data"].astype(str), "settings": ""})
            kept["settings"] = [str(row) for row in said.to_dict("records")]
            self.taken.append(kept.assign(quantity=str(given[1:] or options)))
            return rows

        return reading

    def display(self, *objects, raw: bool = False, **_) -> None:
        """What stands in for IPython.display.display: an object that cannot be rendered is an error."""
        for shown in objects:
            self.shown.append(str(shown) if raw else _rendered(shown))


def run_cells(chapter: str, **parameters) -> ChapterRun:
    """Run a chapter of the book with the parameters of `embedded`, few draws, and those given.

    Raises AssertionError that names the cell in which the run ended. No results are written.
    """
    notebook = nbformat.read(ROOT / f"{page_of(chapter)}.ipynb", as_version=4)
    entry = chapter_entries("embedded").get(chapter) or {}
    run, injected = ChapterRun(), QUICK | (entry.get("parameters") or {}) | parameters
    environment = {name: value for name, value in os.environ.items() if name != "BIASBOOK_RESULTS"}
    with (
        mock.patch("IPython.display.display", run.display),
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(results, "recorded_results", run.noted(results.recorded_results)),
        mock.patch.object(Ledger, "results", run.noted(Ledger.results)),
        mock.patch("lib.plots.display.render", _drawn_once),
    ):
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            try:
                _run_cell(run, f"{chapter}[{cell.id}]", cell.source)
            except Exception as error:
                raise AssertionError(
                    f"{chapter}, cell {cell.id}: {type(error).__name__}: {error}"
                ) from error
            if "parameters" in cell.metadata.get("tags", ()):
                unknown = parameters.keys() - run.namespace.keys()
                assert not unknown, f"{chapter} has no parameter {', '.join(sorted(unknown))}"
                run.namespace |= {k: v for k, v in injected.items() if k in run.namespace}
    return run


def run_some(chapter: str, cells: Sequence[str], **namespace) -> ChapterRun:
    """Run some cells of a chapter, in the order of the page, with names that other cells would have set.

    Names given here win over what the cell of the parameters sets. No results are written.
    """
    notebook = nbformat.read(ROOT / f"{page_of(chapter)}.ipynb", as_version=4)
    missing = set(cells) - {cell.id for cell in notebook.cells}
    assert not missing, f"{chapter} has no cell {', '.join(sorted(missing))}"
    run = ChapterRun(dict(namespace))
    environment = {name: value for name, value in os.environ.items() if name != "BIASBOOK_RESULTS"}
    with (
        mock.patch("IPython.display.display", run.display),
        mock.patch.dict(os.environ, environment, clear=True),
    ):
        for cell in notebook.cells:
            if cell.id in cells:
                _run_cell(run, f"{chapter}[{cell.id}]", cell.source)
                if "parameters" in cell.metadata.get("tags", ()):
                    run.namespace |= namespace
    return run


def _run_cell(run: ChapterRun, name: str, source: str) -> None:
    """Execute a cell; the value of its last expression is displayed, unless a semicolon ends it."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), run.namespace)
    value = eval(compile(last, name, "eval"), run.namespace) if last else None
    if value is not None:
        run.display(value)


def _drawn_once(fig, *, dpi=None, box=None) -> bytes:
    """A figure as SVG; the PNG of 100 dots an inch beside it, the same figure, is left out."""
    return b"" if dpi == 100 else render(fig, dpi=dpi, box=box)


def _rendered(shown) -> str:
    for form in ("_repr_html_", "_repr_markdown_"):
        if hasattr(shown, form) and (text := getattr(shown, form)()) is not None:
            return text
    return repr(shown)
