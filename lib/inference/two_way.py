"""Intervals over words and pairs, or pairs and occupations, at once: rows and columns of a table are both resampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers

Floats = NDArray[np.float64]

COLUMNS = ("redrawn", "halved")
DRAWN = ("both", "pairs", "occupations", "sentences")
FEWEST_ROWS = 3
FEWEST_COLUMNS = {"redrawn": 2, "halved": 4}  # half of four still leaves two to compare


def two_way_interval(
    statistic: Callable[..., float],
    scores: ArrayLike,
    facts: ArrayLike | None = None,
    *,
    columns: str = "redrawn",
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Percentile interval of a statistic of a score matrix, rows and columns resampled.

    It says how much the value depends on the words and on the pairs that were chosen. Resampling
    both sides is cautious: what belongs to a single cell is counted up to three times.

    Parameters
    ----------
    statistic : callable
        From scores (n, p) to a number, which should not depend on n or p by itself.
    scores : array_like of shape (n, p)
        n words, three or more, scored with p pairs.
    facts : array_like of shape (n,), optional
        A number for each word, drawn together with it; `statistic` then takes the scores and them.
    columns : {"redrawn", "halved"}
        "redrawn" draws p columns with replacement, for a statistic of the mean over pairs.
        "halved" draws half of the columns without replacement, for one that compares pairs with
        each other, such as kappa: a pair drawn twice would agree with itself. A mean over half of
        p columns varies as much as one over p redrawn columns.
    n_resamples : int
        Bootstrap draws.
    confidence_level : float
        Between 0 and 1.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    tuple of float
        Low and high end; draws in which the statistic is NaN are left out, and both ends are NaN
        where it is NaN in more than a tenth of them.

    Raises
    ------
    ValueError
        For too few rows or columns, numbers that are not finite, or an unknown `columns`.

    References
    ----------
    Owen (2007), the pigeonhole bootstrap; Politis, Romano and Wolf (1999), chapter 2, for halves.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = 1 + rng.standard_normal((40, 1)) + rng.standard_normal((1, 8))
    >>> low, high = two_way_interval(np.mean, scores, rng=0)
    >>> bool(low < 1 < high), bool(high - low > 1)
    (True, True)
    """
    matrix = _matrix(scores, columns)
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )
    generator = np.random.default_rng(rng)
    known = None if facts is None else real_numbers("facts", facts)
    if known is not None and known.shape != (len(matrix),):
        raise ValueError(f"facts: expected one for each of {len(matrix)} words, got {known.shape}")
    values = np.empty(n_resamples)
    for draw in range(n_resamples):
        rows, chosen = _drawn(matrix.shape, columns, generator)
        beside = () if known is None else (known[rows[:, 0]],)
        values[draw] = statistic(matrix[rows, chosen], *beside)
    defined = values[np.isfinite(values)]
    if len(defined) < 0.9 * len(values) or not len(defined):
        return float("nan"), float("nan")
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def two_way_table(
    statistic: Callable[[Floats], float],
    scores: Mapping[str, ArrayLike],
    *,
    columns: str = "redrawn",
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """A statistic of each of several score matrices, with intervals over words and pairs.

    Parameters
    ----------
    statistic : callable
        From scores (n, p) to a number.
    scores : mapping of str to array_like of shape (n, p)
        Measure -> scores of n words with p pairs.
    columns, n_resamples, rng
        As in `two_way_interval`.

    Returns
    -------
    DataFrame
        A row for each measure: `value`, `low`, `high`; NaN where the value is undefined, and for
        the ends where words or pairs are too few to resample.

    Examples
    --------
    >>> scores = np.random.default_rng(0).standard_normal((30, 6))
    >>> two_way_table(np.mean, {"RIPA": scores, "two words": scores[:2]}, rng=0).round(1)
               value  low  high
    RIPA         0.0 -0.3   0.3
    two words    0.0  NaN   NaN
    """
    one_of("columns", columns, COLUMNS)
    rows = {}
    for measure, values in scores.items():
        matrix, ends = real_numbers(str(measure), values), (np.nan, np.nan)
        value = statistic(matrix)
        enough = len(matrix) >= FEWEST_ROWS and matrix.shape[1] >= FEWEST_COLUMNS[columns]
        if enough and np.isfinite(value):
            ends = two_way_interval(
                statistic, matrix, columns=columns, n_resamples=n_resamples, rng=rng
            )
        rows[measure] = value, *ends
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])


class Interval(NamedTuple):
    """A mean with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def crossed_draws(
    *tables: ArrayLike,
    drawn: str = "both",
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Bootstrap means of tables of pairs by occupations, in which whole pairs and whole occupations are drawn.

    Parameters
    ----------
    *tables : array_like, shape (pairs, occupations)
        They share their pairs, which are drawn for all of them together; occupations are drawn for each table by itself.
    drawn : str
        "both", "pairs", "occupations", or "sentences": each cell by itself, as if all were independent.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (n_resamples, tables)
        A table with one occupation keeps it in every draw.

    Raises
    ------
    ValueError
        For tables that are none, or with other numbers of pairs, or an unknown `drawn`.

    References
    ----------
    Owen (2007), "The pigeonhole bootstrap": drawing both sides gives an interval that is rather too wide than too narrow.

    Examples
    --------
    >>> draws = crossed_draws([[1.0, 1.0], [3.0, 3.0]], drawn="occupations", n_resamples=5, rng=0)
    >>> draws.ravel().tolist()
    [2.0, 2.0, 2.0, 2.0, 2.0]
    """
    arrays = [_table(table) for table in tables]
    if len({len(array) for array in arrays}) != 1:
        raise ValueError(
            f"tables: expected the same pairs in each; got {[len(array) for array in arrays]}"
        )
    if drawn not in DRAWN:
        raise ValueError(f"drawn: expected one of {', '.join(DRAWN)}; got {drawn!r}")
    generator = np.random.default_rng(rng)
    if drawn == "sentences":
        return np.column_stack([_cell_means(array, n_resamples, generator) for array in arrays])
    count = len(arrays[0])
    rows = np.ones((n_resamples, count))
    if drawn != "occupations":
        rows = _weights(count, n_resamples, generator)
    means = []
    for array in arrays:
        columns = np.ones((n_resamples, array.shape[1]))
        if drawn != "pairs":
            columns = _weights(array.shape[1], n_resamples, generator)
        means.append(((rows @ array) * columns).sum(axis=1) / array.size)
    return np.column_stack(means)


def crossed_interval(
    table: ArrayLike,
    *,
    drawn: str = "both",
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """The mean of a table of differences, with the percentile interval of `crossed_draws`.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Differences.
    drawn, n_resamples, rng
        As in `crossed_draws`.

    Returns
    -------
    Interval

    Raises
    ------
    ValueError
        As `crossed_draws`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> noisy_pairs = rng.normal(size=(20, 1)) + np.zeros((20, 20))
    >>> one_by_one = crossed_interval(noisy_pairs, drawn="sentences", rng=0)
    >>> crossed = crossed_interval(noisy_pairs, rng=0)
    >>> crossed.high - crossed.low > 3 * (one_by_one.high - one_by_one.low)
    True
    """
    draws = crossed_draws(table, drawn=drawn, n_resamples=n_resamples, rng=rng)
    low, high = np.quantile(draws, [0.025, 0.975])
    return Interval(float(np.mean(table)), float(low), float(high))  # type: ignore[arg-type]  # an array_like


def _drawn(
    shape: tuple[int, ...], columns: str, generator: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows (n, 1) drawn with replacement, and columns as asked."""
    n, p = shape
    rows: NDArray[np.int64] = generator.integers(n, size=(n, 1))
    chosen: NDArray[np.int64] = generator.integers(p, size=(p,))
    if columns == "halved":  # an odd number is halved up as often as down
        chosen = generator.permutation(p)[: (p + int(generator.integers(2))) // 2]
    return rows, chosen


def _matrix(scores: ArrayLike, columns: str) -> Floats:
    """Checked scores: enough rows and columns, all finite."""
    one_of("columns", columns, COLUMNS)
    matrix, fewest = real_numbers("scores", scores), FEWEST_COLUMNS[columns]
    if matrix.ndim != 2 or matrix.shape[0] < FEWEST_ROWS or matrix.shape[1] < fewest:
        raise ValueError(
            f"scores: expected (words, pairs), {FEWEST_ROWS} words and {fewest} pairs or more, "
            f"got shape {matrix.shape}; resample words alone with word_interval"
        )
    if not np.isfinite(matrix).all():
        raise ValueError("scores: expected finite numbers, got NaN or infinity; leave that row out")
    return matrix


def _table(table: ArrayLike, at_least: int = 1) -> Floats:
    array = real_numbers("table", table)
    if array.ndim != 2 or min(array.shape) < at_least or not np.isfinite(array).all():
        raise ValueError(
            f"table: expected finite differences, pairs by occupations, {at_least} or more of each; got shape {array.shape}"
        )
    return array


def _weights(count: int, draws: int, generator: np.random.Generator) -> Floats:
    """How often each of some items is in each draw."""
    return generator.multinomial(count, np.full(count, 1 / count), size=draws).astype(float)


def _cell_means(array: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """Means of cells drawn one by one."""
    return _weights(array.size, draws, generator) @ array.ravel() / array.size
