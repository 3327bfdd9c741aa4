"""What a page says of a table's origin, and what the evidence recorded, for the story."""

import pandas as pd

from lib.ledger.results import recorded_results

EVIDENCE = "reinflection_evidence"
ASKED = {"M": "masculine", "F": "feminine"}
SAID = {"Baseline": "copy", "Single": "one step", "Two Step": "two steps"}


def recorded(quantity: str) -> pd.DataFrame:
    """What the evidence recorded of a quantity, in the form of `Ledger.results`."""
    return recorded_results(EVIDENCE, quantity).assign(recorded=True)


def origin(table: pd.DataFrame) -> str:
    """One sentence on what a page computed, and what was recorded."""
    if len(table) and table["recorded"].all():
        return "Recorded in the profile sample, not computed on this page."
    return "All of it was computed on this page."
