"""What the runs of the book found, for tests of its chapters."""

import json
import os
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from lib.ledger import report_card
from lib.ledger.results import read_results
from lib.paths import ROOT, mirror_folder
from runner.archive import Archive
from runner.book import Book


def run_of(profile: str, chapter: str) -> pd.DataFrame:
    """The results of a chapter with a profile's own parameters.

    The test is skipped where the chapter was not run. With `--strict-results`, and where CI=true, it fails instead,
    for the profiles that can run here: embedded everywhere, sample where there is a mirror and what is recorded of the
    chapter may be outdated.
    """
    folder = ROOT / "results" / profile
    file = f"{default_runs(profile)[chapter]}.csv"
    if not (folder / file).is_file():
        strict = os.environ.get("CI") == "true"
        if strict and profile == "sample" and not why_unrecorded(profile, chapter):
            pytest.skip(
                f"{chapter} was not run: nothing has changed since its results were recorded"
            )
        runs_here = {"embedded": True, "sample": bool(mirror_folder())}
        stop = pytest.fail if strict and runs_here.get(profile) else pytest.skip
        stop(f"no run of {chapter} here: make book PROFILE={profile}")
    results = all_of(folder)
    return results[results["file"] == file]


def rows_of(profile: str, chapter: str, quantity: str) -> pd.DataFrame:
    """A run's results of one quantity, their settings as columns."""
    found = run_of(profile, chapter)
    numbers = found.loc[found["quantity"] == quantity, ["value", "low", "high", "n"]]
    settings = [json.loads(text) for text in found.loc[numbers.index, "settings"]]
    of_row = pd.DataFrame(settings, numbers.index)
    return of_row.drop(columns=numbers.columns, errors="ignore").join(numbers)


def card_of(profile: str, chapter: str) -> pd.DataFrame:
    """The report card of a profile's runs, by claim, for a test of one chapter: without its run, none."""
    run_of(profile, chapter)
    return whole_card(profile)


@cache
def whole_card(profile: str) -> pd.DataFrame:
    """The report card of all runs of a profile with its own parameters, made once: it takes seconds."""
    results = all_of(ROOT / "results" / profile)
    files = [f"{run}.csv" for run in default_runs(profile).values()]
    return report_card(results[results["file"].isin(files)]).set_index("claim_id")


@cache
def all_of(folder: Path) -> pd.DataFrame:
    """All results of a folder, read once."""
    return read_results(folder)


@cache
def why_unrecorded(profile: str, chapter: str) -> str | None:
    """Why what is recorded of a chapter may be outdated; None for one that is never recorded, too."""
    archive = archive_of(profile)
    runs = {run.chapter.name: run for run in archive.book.runs(profile) if not run.after_all}
    return archive.why_unrecorded(runs[chapter]) if chapter in runs else None


@cache
def archive_of(profile: str) -> Archive:
    """What is recorded of a profile, opened once: it reads the whole book."""
    return Archive(Book.open(ROOT), profile)


@cache
def default_runs(profile: str) -> dict[str, str]:
    """The names of the runs with a profile's own parameters, by chapter."""
    return {run.chapter.name: run.name for run in Book.open(ROOT).runs(profile)}
