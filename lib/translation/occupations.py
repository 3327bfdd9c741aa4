"""Which occupations a translator calls *she*, and how many women work in them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.translation.tgbi import gender_classes


def feminine_shares(
    outputs: Mapping[str, Sequence[str]],
    items: Mapping[str, Sequence[int]],
    names: Sequence[str],
) -> pd.DataFrame:
    """How often each item is translated as *she* in some sets.

    Parameters
    ----------
    outputs, items : mapping
        Set -> its outputs, and the item that each was made of.
    names : sequence of str
        The sets.

    Returns
    -------
    DataFrame
        A row for each item, a column for each set: shares in [0, 1], NaN where an item is in no
        sentence of the set.

    Examples
    --------
    >>> feminine_shares({"a": ["She is so.", "He is so."]}, {"a": [7, 7]}, ["a"])
         a
    7  0.5
    """
    return pd.DataFrame(
        {
            name: pd.Series(gender_classes(outputs[name]) == 0).groupby(items[name]).mean()
            for name in names
        }
    )


def women_by_item(women: Mapping[str, float], names: Mapping[int, Sequence[str]]) -> pd.Series:
    """The share of women in each occupation, by the first of its names that has one.

    Parameters
    ----------
    women : mapping
        Name -> share of women, in [0, 1].
    names : mapping
        Item -> its names, the most frequent first.

    Returns
    -------
    Series
        Item -> share, NaN where no name has one.

    Examples
    --------
    >>> women_by_item({"nurse": 0.9}, {0: ("head nurse", "nurse"), 1: ("smith",)}).tolist()
    [0.9, nan]
    """
    return pd.Series(
        {
            item: next((women[name] for name in known if name in women), np.nan)
            for item, known in names.items()
        }
    )


def superiority(x: ArrayLike, y: ArrayLike) -> float:
    """How often a value of x is above one of y, ties counted half.

    Returns
    -------
    float
        In [0, 1]; 1/2 where they do not differ, NaN where either is empty.

    References
    ----------
    Mann & Whitney (1947); also called the common language effect size.

    Examples
    --------
    >>> superiority([2, 3], [1, 2])
    0.875
    """
    from scipy import stats

    if not (np.size(x) and np.size(y)):
        return np.nan
    return float(stats.mannwhitneyu(x, y).statistic / (np.size(x) * np.size(y)))


def superiority_interval(
    values: ArrayLike,
    chosen: ArrayLike,
    resamples: int = 500,
    *,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """A 95 % bootstrap interval of the superiority of the chosen values over the others.

    Parameters
    ----------
    values : (n,) array
    chosen : (n,) array of bool
        Drawn together with its value; resamples in which all or none are chosen are left out.
    resamples : int
    rng : Generator, int or None

    Returns
    -------
    low, high : float
        In [0, 1]; NaN where no resample is left.
    """
    values, chosen = np.asarray(values), np.asarray(chosen)
    rows = np.random.default_rng(rng).integers(len(values), size=(resamples, len(values)))
    resampled = [
        superiority(values[row][chosen[row]], values[row][~chosen[row]])
        for row in rows
        if 0 < chosen[row].sum() < len(row)
    ]
    low, high = np.quantile(resampled, [0.025, 0.975]) if resampled else (np.nan, np.nan)
    return float(low), float(high)
