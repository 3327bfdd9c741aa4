"""What the runs of the book found, for tests of its chapters."""

import os
from functools import cache

import pandas as pd
import pytest

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
    results = read_results(folder)
    return results[results["file"] == file]


def why_unrecorded(profile: str, chapter: str) -> str | None:
    """Why what is recorded of a chapter may be outdated; None for one that is never recorded, too."""
    archive = Archive(Book.open(ROOT), profile)
    runs = {run.chapter.name: run for run in archive.book.runs(profile) if not run.after_all}
    return archive.why_unrecorded(runs[chapter]) if chapter in runs else None


@cache
def default_runs(profile: str) -> dict[str, str]:
    """The names of the runs with a profile's own parameters, by chapter."""
    return {run.chapter.name: run.name for run in Book.open(ROOT).runs(profile)}
