"""WEAT line by line: brother stands beside sister, and some words stand alone.

Attribute lists run in parallel. A line holds a word of each list or, where a vocabulary lacks one of the two, a single
word.

Shapes: targets X (n_x, d) and Y (n_y, d), attributes A (n_a, d) and B (n_b, d), in the paper's order; `lines` are two lists
of whole numbers, the line of each word of A (n_a,) and of B (n_b,), none twice in a list.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows, unmasked
from lib.inference.bootstrap import bca_interval

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


def line_effects(
    X: ArrayLike,
    Y: ArrayLike,
    A: ArrayLike,
    B: ArrayLike,
    lines: tuple[ArrayLike, ArrayLike],
    *,
    ddof: int = 1,
) -> tuple[Rows, Floats]:
    """The lines that have both words (k,), and the effect size of a WEAT with each of those pairs by itself (k,)."""
    with_a, with_b, n_x = _cosines(X, Y, A, B)
    rows_a, rows_b = _checked(lines, with_a.shape[1], with_b.shape[1])
    both = np.intersect1d(rows_a, rows_b)
    place_a = [int(np.flatnonzero(rows_a == line)[0]) for line in both]
    place_b = [int(np.flatnonzero(rows_b == line)[0]) for line in both]
    scores = (with_a[:, place_a] - with_b[:, place_b]).T
    return both, _effects(scores[:, :n_x], scores[:, n_x:], ddof)


def effect_interval(
    X: ArrayLike,
    Y: ArrayLike,
    A: ArrayLike,
    B: ArrayLike,
    lines: tuple[ArrayLike, ArrayLike],
    *,
    ddof: int = 1,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """BCa bootstrap interval of the effect size over targets and over lines, each drawn with all that stands on it.

    The statistic is the effect size with all attribute words, also with those that have lost their partner; NaN where a
    draw has no word of one of the lists.
    """
    with_a, with_b, n_x = _cosines(X, Y, A, B)
    rows_a, rows_b = _checked(lines, with_a.shape[1], with_b.shape[1])
    every = np.union1d(rows_a, rows_b)
    on_a, on_b = (np.searchsorted(every, rows) for rows in (rows_a, rows_b))

    def statistic(x: Rows, y: Rows, drawn: Rows) -> Floats:
        counts = (drawn[..., None] == np.arange(len(every))).sum(axis=-2)
        with np.errstate(invalid="ignore"):
            share_a, share_b = (
                counts[..., on] / counts[..., on].sum(axis=-1, keepdims=True) for on in (on_a, on_b)
            )
            scores = share_a @ with_a.T - share_b @ with_b.T
            return _effects(
                np.take_along_axis(scores, x, -1), np.take_along_axis(scores, y + n_x, -1), ddof
            )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)  # the ends are NaN
        return bca_interval(
            statistic,
            [n_x, len(with_a) - n_x, len(every)],
            batch=500,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            rng=rng,
        )


def order_interval(
    words: ArrayLike,
    A: ArrayLike,
    B: ArrayLike,
    lines: tuple[ArrayLike, ArrayLike],
    facts: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Interval over words and over lines of the rank correlation of associations with a fact (n,).

    The association of a word (n, d) is its mean cosine with A minus that with B; a line is drawn with all that stands on
    it. Draws without a word of A or of B, or in which nothing differs, are left out; NaN where nothing differs at all. Owen (2007), the pigeonhole bootstrap.
    """
    known = real_numbers("facts", facts)
    unit, a, b = (
        unit_rows(name, real_numbers(name, rows))
        for name, rows in (("words", words), ("A", A), ("B", B))
    )
    with_a, with_b, n = unit @ a.T, unit @ b.T, len(unit)
    if known.shape != (n,) or not np.isfinite(known).all() or n < 3:
        raise ValueError(
            f"facts: expected a finite number for each of {n} words, three or more; "
            f"got shape {known.shape}"
        )
    rows_a, rows_b = _checked(lines, with_a.shape[1], with_b.shape[1])
    every = np.union1d(rows_a, rows_b)
    generator = np.random.default_rng(rng)
    counts = generator.multinomial(len(every), np.full(len(every), 1 / len(every)), n_resamples)
    counts_a, counts_b = (counts[:, np.searchsorted(every, rows)] for rows in (rows_a, rows_b))
    there = (counts_a.sum(axis=1) > 0) & (counts_b.sum(axis=1) > 0)
    counts_a, counts_b = counts_a[there], counts_b[there]
    leans = counts_a @ with_a.T / counts_a.sum(axis=1, keepdims=True)
    leans -= counts_b @ with_b.T / counts_b.sum(axis=1, keepdims=True)
    drawn = generator.integers(0, n, leans.shape)
    correlations = _rank_correlations(np.take_along_axis(leans, drawn, axis=1), known[drawn])
    correlations = correlations[np.isfinite(correlations)]
    if not len(correlations):
        return float("nan"), float("nan")
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(correlations, [tail, 1 - tail])
    return float(low), float(high)


def _rank_correlations(x: Floats, y: Floats) -> Floats:
    """Spearman's correlation of the rows of two tables; NaN where one does not differ."""
    x, y = (stats.rankdata(side, axis=1) for side in (x, y))
    x, y = (side - side.mean(axis=1, keepdims=True) for side in (x, y))
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
        return np.asarray((x * y).sum(axis=1) / size, float)


def _cosines(X: ArrayLike, Y: ArrayLike, A: ArrayLike, B: ArrayLike) -> tuple[Floats, Floats, int]:
    """Cosines of all target words, X first, with A and with B, and the number of words in X."""
    x, y, a, b = (
        unit_rows(name, real_numbers(name, rows)) for name, rows in zip("XYAB", (X, Y, A, B))
    )
    targets = np.concatenate([x, y])
    return targets @ a.T, targets @ b.T, len(x)


def _checked(lines: tuple[ArrayLike, ArrayLike], n_a: int, n_b: int) -> tuple[Rows, Rows]:
    rows_a, rows_b = (unmasked("lines", side) for side in lines)
    for name, rows, n in (("A", rows_a, n_a), ("B", rows_b, n_b)):
        if rows.shape != (n,) or len(np.unique(rows)) < n:
            raise ValueError(
                f"lines: expected a different line for each of the {n} words of {name}, "
                f"got {rows.tolist()}"
            )
    return rows_a, rows_b


def _effects(x: Floats, y: Floats, ddof: int) -> Floats:
    deviation = np.concatenate([x, y], axis=-1).std(axis=-1, ddof=ddof)
    return np.asarray((x.mean(axis=-1) - y.mean(axis=-1)) / deviation)
