"""What is known of a chapter's run when its page is built: length, results, verdicts, commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from nbformat import NotebookNode

from lib.documents import read_run_record
from lib.ledger.report_card import report_card
from lib.ledger.results import gather
from lib.ledger.verdicts import VERDICTS
from lib.profiles import story_of
from lib.slug import slug
from runner.archive import git, quiet_seconds
from runner.book import Book
from runner.notebooks import tags
from runner.parameters import defaults

WORDS_A_MINUTE, SECONDS_A_FIGURE = 220, 15


@dataclass(frozen=True)
class Facts:
    """A chapter and the run that its page shows.

    Attributes
    ----------
    name : str
        Of the chapter.
    number : int
        Its place among the chapters, from one.
    parameters : Mapping
        Of the run, with the profile.
    seconds : float or None
        How long the run takes on a quiet machine; None where there is no record of it.
    results : Path or None
        The file of its results.
    verdicts : Mapping of str to int
        How many printed results of its papers have each verdict, by this profile's runs and what is
        recorded; those that only add up, or have none, are left out.
    """

    name: str
    number: int
    parameters: Mapping[str, Any]
    seconds: float | None
    results: Path | None
    verdicts: Mapping[str, int]


def facts(book: Book, name: str, notebook: NotebookNode) -> Facts:
    """What is known of the run behind the page of a chapter.

    Parameters
    ----------
    book : Book
    name : str
        Of the chapter.
    notebook : NotebookNode
        As the page shows it: with the cell of injected parameters where the run had other ones than the
        defaults.

    Returns
    -------
    Facts
    """
    parameters = {
        key: value
        for cell in notebook.cells
        if tags(cell) & {"parameters", "injected-parameters"}
        for key, value in defaults(cell.source).items()
    }
    folder = book.results(str(parameters.get("profile", "embedded")))
    run = f"{name}--{slug(parameters)}"
    results, record = folder / f"{run}.csv", folder / f"{run}.run.json"
    return Facts(
        name,
        list(book.chapters).index(name) + 1,
        parameters,
        quiet_seconds(read_run_record(record)) if record.is_file() else None,
        results if results.is_file() else None,
        _verdicts(name, folder.name),
    )


def _verdicts(name: str, profile: str) -> dict[str, int]:
    """Verdicts on the printed results that a story and its evidence answer, in the order of the verdicts."""
    card = _card(profile)
    counts = card[card["chapter"].map(story_of) == story_of(name)]["verdict"].value_counts()
    return {verdict: int(counts[verdict]) for verdict in VERDICTS if verdict in counts}


@cache
def card_of(profile: str) -> pd.DataFrame:
    """The report card of a profile's runs and of what is recorded, made once for all pages."""
    return report_card(gather(profile))


@cache
def _card(profile: str) -> pd.DataFrame:
    """What came of the printed results, by this profile's runs and what is recorded."""
    card = card_of(profile)
    return card[
        (card["kind"] == "result")
        & ~card["verdict"].isin(["adds up", "not contradicted", "does not add up", "no result"])
    ]


def reading_minutes(words: int, figures: int) -> int:
    """Minutes that it takes to read a page, at least one.

    Examples
    --------
    >>> reading_minutes(words=2_200, figures=8)
    12
    """
    return max(1, round(words / WORDS_A_MINUTE + figures * SECONDS_A_FIGURE / 60))


@cache
def commit(folder: Path) -> str:
    """The commit of a checkout, short; "" where there is none."""
    return git(folder, "rev-parse", "--short", "HEAD") or ""
