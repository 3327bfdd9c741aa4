"""One axis between two words, asked twice: how far words lean on it, and in which order.

Both answers are held against axes between random words. Arrays only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows, unmasked, vectors
from lib.measures.multiclass import reached_by
from lib.measures.outside import order_by_share

Floats = NDArray[np.floating]


class SizeAndOrder(NamedTuple):
    """Result of `size_and_order`.

    Attributes
    ----------
    size : float
        Mean absolute cosine of the words with the axis, in [0, 1].
    size_p : float
        Share of random axes on which the words lean as far.
    rho, low, high : float
        Spearman's correlation of the signed cosines with the outside fact, and its interval over
        words; NaN with fewer than five words that have one.
    null, null_low, null_high : float
        Median and central 95 % of the same correlation on random axes.
    order_p : float
        Two-sided: share of random axes whose order agrees, or disagrees, as much.
    n : int
        Words with a fact.
    """

    size: float
    size_p: float
    rho: float
    low: float
    high: float
    null: float
    null_low: float
    null_high: float
    order_p: float
    n: int

    @property
    def order_seen(self) -> bool:
        """Whether the words are ordered better than on the central 95 % of random axes."""
        return bool(self.rho > self.null_high)


def size_and_order(
    words: ArrayLike,
    fact: ArrayLike,
    axis: ArrayLike,
    random_axes: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> SizeAndOrder:
    """How far words lean on an axis, and whether in the order of an outside fact.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Such as occupations.
    fact : array_like of shape (n,)
        Such as women's share of them; NaN where it is not known.
    axis : array_like of shape (2, d)
        Two words, such as she and he; the axis points to the first.
    random_axes : array_like of shape (draws, 2, d)
        Two random words in their place, again and again.
    n_resamples : int
        Bootstrap draws behind the interval.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    SizeAndOrder

    Raises
    ------
    ValueError
        For shapes that do not belong together, and an axis between equal vectors.

    Examples
    --------
    >>> words = [[3, 1], [2, 1], [1, 1], [1, 2], [1, 3]]
    >>> random_axes = np.random.default_rng(0).standard_normal((50, 2, 2))
    >>> found = size_and_order(words, [0.9, 0.7, 0.5, 0.3, 0.1], [[1, 0], [0, 1]], random_axes, rng=0)
    >>> round(found.rho, 2), found.n
    (1.0, 5)
    """
    rows, numbers = vectors("words", words), real_numbers("fact", fact)
    leans = drawn_leans(rows, unmasked("axis", axis)[None])[0]
    null = drawn_leans(rows, random_axes)
    size_p = reached_by(np.abs(leans).mean(), np.abs(null).mean(axis=1))
    order = order_by_share(leans, numbers, n_resamples=n_resamples, rng=rng)
    quantiles = [float("nan")] * 3
    order_p = float("nan")
    if np.isfinite(order.rho):
        known = np.isfinite(numbers)
        by_chance = rank_correlations(null[:, known], numbers[known])
        quantiles = [float(end) for end in np.quantile(by_chance, [0.5, 0.025, 0.975])]
        order_p = reached_by(abs(order.rho), np.abs(by_chance))
    return SizeAndOrder(
        size=float(np.abs(leans).mean()),
        size_p=size_p,
        rho=order.rho,
        low=order.low,
        high=order.high,
        null=quantiles[0],
        null_low=quantiles[1],
        null_high=quantiles[2],
        order_p=order_p,
        n=order.n,
    )


def drawn_leans(words: ArrayLike, axes: ArrayLike) -> Floats:
    """The signed cosine of every word with many axes at once.

    Parameters
    ----------
    words : array_like of shape (n, d)
        The words.
    axes : array_like of shape (draws, 2, d)
        Two vectors each; an axis points to the first.

    Returns
    -------
    numpy.ndarray of shape (draws, n)
        In [-1, 1].

    Raises
    ------
    ValueError
        For axes of another shape, or between equal vectors.

    Examples
    --------
    >>> drawn_leans([[3, 4]], [[[1, 0], [0, 0]], [[0, 0], [0, 1]]])
    array([[ 0.6],
           [-0.8]])
    """
    rows, ends = vectors("words", words), unmasked("axes", axes)
    if ends.ndim != 3 or ends.shape[1:] != (2, rows.shape[1]):
        raise ValueError(f"axes: expected (draws, 2, {rows.shape[1]}), got {ends.shape}")
    directions = unit_rows("axis", ends[:, 0].astype(float) - ends[:, 1])
    return np.asarray(directions @ unit_rows("words", rows).T)


def rank_correlations(scores: ArrayLike, fact: ArrayLike) -> Floats:
    """Spearman's correlation of every row of scores with one list of numbers.

    Parameters
    ----------
    scores : array_like of shape (draws, n)
        Such as the leans of n words on random axes.
    fact : array_like of shape (n,)
        What the words are ordered by outside; ties take mean ranks.

    Returns
    -------
    numpy.ndarray of shape (draws,)
        In [-1, 1]; NaN for a row, or a fact, that is constant.

    Raises
    ------
    ValueError
        Where the two do not belong together.

    Examples
    --------
    >>> rank_correlations([[1, 2, 3], [3, 2, 1]], [10, 20, 40]).tolist()
    [1.0, -1.0]
    """
    rows, numbers = real_numbers("scores", scores), real_numbers("fact", fact)
    if rows.ndim != 2 or numbers.shape != rows.shape[1:]:
        raise ValueError(
            f"expected scores (draws, n) and a fact (n,), got {rows.shape} and {numbers.shape}"
        )
    x, y = stats.rankdata(rows, axis=1), stats.rankdata(numbers)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(x @ y / np.sqrt((x * x).sum(axis=1) * (y @ y)))
