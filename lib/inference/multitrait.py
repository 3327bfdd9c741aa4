"""Several methods, several traits, two independent measurements: what agrees, and how much of it is shared noise."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers

Floats = NDArray[np.float64]
Key = tuple[str, str]
KINDS = ("reliability", "same trait", "same method", "neither")


def multitrait_multimethod(
    first: Mapping[Key, ArrayLike],
    second: Mapping[Key, ArrayLike],
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Rank correlations of every trait and method with every other, within and across two measurements.

    Parameters
    ----------
    first, second : mapping of (trait, method) to array_like of shape (n,)
        The same n things measured twice independently, say on vectors of two halves of a text.
    n_resamples, confidence_level, rng
        Of the bootstrap over things.

    Returns
    -------
    DataFrame
        A row for each two keys, a key with itself included: `trait`, `method`, `other_trait`, `other_method`; `kind`
        of `KINDS`; `within`, the mean of the correlations in the first and in the second measurement, which share their
        noise; `across`, the mean of the two correlations of one measurement with the other, with `low` and `high`; and
        `corrected`, `across` over the root of the two reliabilities (NaN where one is not above 0): what would be
        left without error of measurement, with `corrected low` and `corrected high`. It can lie above 1.

    Raises
    ------
    ValueError
        For other keys in one measurement than in the other, lengths that differ, or fewer than four things.

    References
    ----------
    Campbell and Fiske (1959); Spearman (1904).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.standard_normal(200)
    >>> first, second = ({("lean", m): truth + rng.standard_normal(200) for m in "ab"} for _ in "12")
    >>> table = multitrait_multimethod(first, second, n_resamples=50, rng=0)
    >>> table.loc[table["kind"] == "same trait", "corrected"].between(0.85, 1.15).tolist()
    [True]
    """
    keys = list(first)
    if set(keys) != set(second):
        raise ValueError("expected the same traits and methods in both measurements")
    arrays = [np.array([real_numbers(str(key), m[key]) for key in keys]) for m in (first, second)]
    if arrays[0].ndim != 2 or arrays[0].shape != arrays[1].shape or arrays[0].shape[1] < 4:
        raise ValueError(
            f"expected scores of the same four things or more, got shapes {arrays[0].shape} and {arrays[1].shape}"
        )
    if not np.isfinite(arrays).all():
        raise ValueError("expected finite scores; leave out a thing that lacks one")
    generator = np.random.default_rng(rng)
    size = arrays[0].shape[1]
    within, across = _correlations(*arrays)
    draws = np.array(
        [
            _correlations(*(array[:, rows] for array in arrays))[1]
            for rows in generator.integers(size, size=(n_resamples, size))
        ]
    )
    tail = (1 - confidence_level) / 2
    low, high = np.nanquantile(draws, [tail, 1 - tail], axis=0)
    corrected, of_draws = _corrected(across), _corrected(draws)
    few = np.isnan(of_draws).mean(axis=0) > tail  # draws without a reliability above 0
    of_draws[:, few] = 0
    ends = np.nanquantile(of_draws, [tail, 1 - tail], axis=0)
    corrected_low, corrected_high = np.where(few, np.nan, ends)
    rows = []
    for i, j in product(range(len(keys)), repeat=2):
        if i > j:
            continue
        (trait, method), (other_trait, other_method) = keys[i], keys[j]
        kind = KINDS[2 * (trait != other_trait) + (method != other_method)]
        rows.append(
            {
                "trait": trait,
                "method": method,
                "other_trait": other_trait,
                "other_method": other_method,
                "kind": kind,
                "within": within[i, j],
                "across": across[i, j],
                "low": low[i, j],
                "high": high[i, j],
                "corrected": corrected[i, j],
                "corrected low": corrected_low[i, j],
                "corrected high": corrected_high[i, j],
            }
        )
    return pd.DataFrame(rows)


def icc_interval(
    scores: ArrayLike, columns: int = 1, *, confidence_level: float = 0.95
) -> tuple[float, float]:
    """The F interval of the reliability of a mean over columns: ICC(3,1) or ICC(3,k).

    Parameters
    ----------
    scores : array_like of shape (n, k)
        Every one of n things scored in every one of k columns, two or more of each.
    columns : int
        How many columns the mean is over, at most k.
    confidence_level : float
        Of the interval.

    Returns
    -------
    tuple of float
        Low and high end, at most 1; below 0 where things differ less than their error would let them. (1, 1) where
        columns order and space the things alike.

    Raises
    ------
    ValueError
        For other shapes, numbers that are not finite, things that do not differ, or a mean over no column or too many.

    References
    ----------
    Shrout and Fleiss (1979); exact for normal scores.

    Examples
    --------
    >>> scores = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> low, high = icc_interval(scores)  # Shrout and Fleiss's own example: .71
    >>> round(low, 2), round(high, 2)
    (0.34, 0.95)
    """
    table = real_numbers("scores", scores)
    fits = table.ndim == 2 and min(table.shape) > 1 and np.isfinite(table).all()
    if not fits or not 1 <= columns <= table.shape[1]:
        raise ValueError(
            "expected finite scores (things, columns), two or more of each, and a mean over some of "
            f"the columns; got shape {table.shape} and {columns!r}"
        )
    n, k = table.shape
    things = table.mean(axis=1, keepdims=True)
    rest = table - things - table.mean(axis=0) + table.mean()
    between = k * things.var(ddof=1)
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    if between <= 1e-24:
        raise ValueError("scores: expected things that differ, got one mean for all")
    if error <= 1e-12 * between:
        return 1.0, 1.0
    upper = (1 + confidence_level) / 2
    degrees = n - 1, (n - 1) * (k - 1)
    ratios = (
        between / error / stats.f.ppf(upper, *degrees),
        between / error * stats.f.ppf(upper, *degrees[::-1]),
    )
    # a ratio F says that things vary (F - 1) / k times as much as the error of one column
    low, high = ((ratio - 1) / (ratio - 1 + k / columns) for ratio in ratios)
    return float(low), float(high)


def _corrected(across: Floats) -> Floats:
    """(…, k, k) correlations over the roots of both reliabilities, which are on the diagonal."""
    reliability = np.diagonal(across, axis1=-2, axis2=-1)
    reliability = np.where(reliability > 0, reliability, np.nan)
    return across / np.sqrt(reliability[..., :, None] * reliability[..., None, :])


def _correlations(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """(k, k) rank correlations within the measurements and across them, both ways averaged."""
    ranks = np.concatenate([stats.rankdata(array, axis=1) for array in (first, second)])
    with np.errstate(invalid="ignore", divide="ignore"):
        table = np.corrcoef(ranks)
    k = len(first)
    across = table[:k, k:]
    return (table[:k, :k] + table[k:, k:]) / 2, (across + across.T) / 2
