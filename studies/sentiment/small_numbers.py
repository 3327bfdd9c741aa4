"""Differences of probabilities in words: one too small for its digits gets two that count."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lib import wording


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign."""
    if 1e-9 < abs(value) < 0.5 * 10**-digits:
        digits = 1 - int(np.floor(np.log10(abs(value))))
    return wording.signed(value, digits)


def with_ends(row: pd.Series, digits: int = 3) -> str:
    """The value of a row with the ends of its interval."""
    low, high = (signed(row[end], digits) for end in ("low", "high"))
    return f"{signed(row['value'], digits)} ({low} to {high})"
