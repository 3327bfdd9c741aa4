"""What the runs of the book found, for tests of its chapters."""

from pathlib import Path

import pandas as pd
import pytest

from lib.ledger.results import read_results

ROOT = Path(__file__).resolve().parents[2]


def run_of(profile: str, chapter: str = "") -> pd.DataFrame:
    """The results of a profile, or those of one chapter; skips the test where there are none."""
    folder = ROOT / "results" / profile
    found = read_results(folder) if folder.is_dir() else pd.DataFrame(columns=["chapter"])
    found = found[found["chapter"] == chapter] if chapter else found
    if found.empty:
        pytest.skip(f"no run of {chapter or 'the book'} here: make book PROFILE={profile}")
    return found
