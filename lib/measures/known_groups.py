"""Known groups: does a score tell two lists apart whose order is known by definition?

A score is an array (n words, q questions): words by templates and pairs, for example. The mean over questions is a word's score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers

Floats = NDArray[np.float64]


class Separation(NamedTuple):
    """Result of `separation`.

    Attributes
    ----------
    auc : float
        Chance that a word of the first list scores above one of the second, ties one half.
    low, high : float
        Interval over words and questions.
    signs : float
        Share of words whose score is on the side of their list: above zero in the first, below in
        the second.
    """

    auc: float
    low: float
    high: float
    signs: float


def separation(
    first: ArrayLike,
    second: ArrayLike,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> Separation:
    """Whether a score tells two lists apart whose order is known: a check before any finding.

    Parameters
    ----------
    first, second : array_like, shape (n, q) and (m, q)
        Scores of the list that should be high and of the one that should be low.
    n_resamples, confidence_level, rng
        Of the bootstrap over words and questions.

    Returns
    -------
    Separation

    Raises
    ------
    ValueError
        For an empty list, numbers of questions that differ, or numbers that are not finite.

    References
    ----------
    The AUC is the statistic of Mann and Whitney (1947) over the number of pairs.

    Examples
    --------
    >>> result = separation([[2.0], [1.0]], [[0.0], [-1.0], [1.5]], rng=0)
    >>> round(result.auc, 2), result.signs
    (0.83, 0.6)
    """
    sides = [real_numbers(name, side) for name, side in (("first", first), ("second", second))]
    shapes = [side.shape for side in sides]
    fits = all(len(shape) == 2 and min(shape) > 0 for shape in shapes)
    if not fits or shapes[0][1] != shapes[1][1] or not all(np.isfinite(s).all() for s in sides):
        raise ValueError(
            "expected two tables (words, questions) of finite numbers with as many questions; got "
            f"shapes {shapes[0]} and {shapes[1]}"
        )
    means = [side.mean(axis=1) for side in sides]
    generator = np.random.default_rng(rng)
    drawn = _resampled_means(sides, n_resamples, generator)
    values = stats.mannwhitneyu(*drawn, axis=1).statistic / (len(sides[0]) * len(sides[1]))
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    right = np.concatenate([means[0] > 0, means[1] < 0])
    return Separation(_auc(*means), float(low), float(high), float(right.mean()))


def _auc(x: Floats, y: Floats) -> float:
    return float(stats.mannwhitneyu(x, y).statistic / (len(x) * len(y)))


def _resampled_means(
    sides: list[Floats], n_resamples: int, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """Means over drawn questions of drawn words, the questions alike for both lists."""
    q = sides[0].shape[1]
    weights = generator.multinomial(q, np.full(q, 1 / q), size=n_resamples) / q
    first, second = (
        np.take_along_axis(
            weights @ side.T, generator.integers(0, len(side), (n_resamples, len(side))), axis=1
        )
        for side in sides
    )
    return first, second
