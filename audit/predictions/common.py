"""What the three forms share: rows of scores, adjusted p, and the sentences of a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from audit.report import COLUMNS

POWER_REACH = stats.norm.isf(0.025) + stats.norm.ppf(
    0.8
)  # standard errors that a power of .8 takes

# columns that are not kept: what a row would be if nothing differed, and what its p is adjusted with
EXTRA = ("fair", "family")


def score_rows(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows with the columns of `scores.csv`, fair, and family, by default their measure; what a row has not is NaN."""
    whole = [{"family": row["measure"], **row} for row in rows]
    return pd.DataFrame(whole).reindex(columns=[*COLUMNS, *EXTRA])


def adjusted(tables: Iterable[pd.DataFrame], decides: str = "") -> list[pd.DataFrame]:
    """Tables of several files with what they lack alone.

    What decides comes first, at the whole 5 %. What else is asked of a file counts only where that found something, and is
    adjusted for the number of other questions: if nothing is there, anything is found in 5 of 100 reports at most.

    Parameters
    ----------
    tables : iterable of DataFrame
        As from `score_rows`.
    decides : str
        The family of tests that decides; with "" families are adjusted each by itself.

    Returns
    -------
    list of DataFrame
        With adjusted_p, by Benjamini and Hochberg over a family of tests in all files, and beyond: whether it is
        at most .05 and the interval leaves out what is fair, where both are there.
    """
    parts = list(tables)
    if not parts:
        return []
    whole = pd.concat(parts, keys=range(len(parts)))
    whole["adjusted_p"] = whole["adjusted_p"].astype(float)
    tested = whole[whole["p"].notna()]
    for _, rows in tested.groupby("family"):
        whole.loc[rows.index, "adjusted_p"] = stats.false_discovery_control(rows["p"])
    later = tested.index[tested["family"] != decides] if decides else tested.index[:0]
    if len(later):
        many = tested.loc[later, "family"].nunique()
        first = whole.loc[tested.index.difference(later), "adjusted_p"].groupby(level=0).min()
        gate = first.reindex(later.get_level_values(0)).fillna(1.0).to_numpy()
        own = np.minimum(1, many * whole.loc[later, "adjusted_p"].to_numpy())
        whole.loc[later, "adjusted_p"] = np.maximum(own, gate)
    outside = (whole["low"] > whole["fair"]) | (whole["high"] < whole["fair"])
    outside |= whole[["low", "fair"]].isna().any(axis=1)
    whole["beyond"] = (whole["adjusted_p"] <= 0.05) & outside
    return [whole.loc[place] for place in range(len(parts))]


def digits(*scale: float, least: int = 2) -> int:
    """Decimals with which numbers as small as these still show three that count.

    Examples
    --------
    >>> digits(0.3), digits(0.00021)
    (3, 6)
    """
    sizes = [abs(x) for x in scale if np.isfinite(x) and x]
    if not sizes:
        return least
    return min(12, max(least, 2 - math.floor(math.log10(max(sizes)))))
