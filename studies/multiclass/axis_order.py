"""One axis between two words, asked twice: how far words lean on it, and in which order.

Both answers are held against axes between random words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows, unmasked, vectors
from lib.measures.outside import order_by_share
from studies.multiclass.scores import reached_by

Floats = NDArray[np.floating]


class SizeAndOrder(NamedTuple):
    """How far words lean on an axis, whether in the order of a fact, and both on random axes.

    `size` is the mean absolute cosine, `rho` Spearman's correlation of the signed cosines with the fact (its interval is over words, NaN with
    fewer than five of them), `null` the median of it on random axes with their central 95 %; `order_p` is two-sided; `n` words have a fact.
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
    """How far words (n, d) lean on an axis, and whether in the order of an outside fact (n,), such as women's share, NaN where it is not known.

    The axis is two words (2, d) and points to the first; random axes are (draws, 2, d).
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
    """The signed cosine (draws, n) of every word with many axes (draws, 2, d) at once; an axis points to the first of its two vectors."""
    rows, ends = vectors("words", words), unmasked("axes", axes)
    if ends.ndim != 3 or ends.shape[1:] != (2, rows.shape[1]):
        raise ValueError(f"axes: expected (draws, 2, {rows.shape[1]}), got {ends.shape}")
    directions = unit_rows("axis", ends[:, 0].astype(float) - ends[:, 1])
    return np.asarray(directions @ unit_rows("words", rows).T)


def rank_correlations(scores: ArrayLike, fact: ArrayLike) -> Floats:
    """Spearman's correlation (draws,) of every row of scores with one list of numbers; NaN for a row, or a fact, that is constant."""
    rows, numbers = real_numbers("scores", scores), real_numbers("fact", fact)
    if rows.ndim != 2 or numbers.shape != rows.shape[1:]:
        raise ValueError(
            f"expected scores (draws, n) and a fact (n,), got {rows.shape} and {numbers.shape}"
        )
    x, y = stats.rankdata(rows, axis=1), stats.rankdata(numbers)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(x @ y / np.sqrt((x * x).sum(axis=1) * (y @ y)))
