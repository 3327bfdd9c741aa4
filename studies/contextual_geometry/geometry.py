"""Geometry of vectors: how far swaps of words follow a direction, and what random words give.

No value here says anything alone: each depends on the dimensions, on how the vectors crowd in one part of the space, and on
how the words were chosen. What other chapters need, too, is in `lib.measures.geometry`, and stands here so that the chapter
has one name for both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from lib.checks import real_numbers, unmasked, vectors
from lib.measures.geometry import absolute_cosine, classification_accuracy

__all__ = [
    "absolute_cosine",
    "beside_null",
    "classification_accuracy",
    "explained_variance",
    "neighbour_correlation",
    "random_absolute_cosine",
]
Array = NDArray[np.floating]


def explained_variance(differences: ArrayLike, *, centred: bool = False) -> Array:
    """Shares (min(m, d),), largest first, of the squared length of differences (m, d) along their principal components.

    Bolukbasi et al. (2016), Figure 6; in context the paper's Figure 1. Uncentred, the sign of a row does not matter, and
    this is Bolukbasi's PCA of both words of each pair less their midpoint; centred, what all swaps share is gone.
    """
    rows = vectors("differences", differences)
    if centred:
        rows = rows - rows.mean(axis=0)
    lengths: Array = np.linalg.svd(rows, compute_uv=False) ** 2
    if not lengths[0] > 0:
        raise ValueError(
            "differences: expected vectors with a length, got zeros only; swap words for other words"
        )
    return np.asarray(lengths / lengths.sum())


def random_absolute_cosine(dimensions: ArrayLike) -> Array:
    """The mean size of the cosine of two random directions in d dimensions: Γ(d/2) / (√π Γ((d+1)/2)), close to √(2/πd)."""
    d = real_numbers("dimensions", dimensions)
    if not (d >= 1).all():
        raise ValueError(f"dimensions: expected 1 or more, got {dimensions!r}")
    return np.asarray(np.exp(gammaln(d / 2) - gammaln((d + 1) / 2)) / np.sqrt(np.pi))


def neighbour_correlation(scores: ArrayLike, neighbours: ArrayLike) -> Array:
    """Correlation, () or (p,), of each word's score, (n,) or (n, p), with the share of positive ones among its neighbours (n, k).

    Gonen & Goldberg (2019), Section 4; the paper's Section 5. Neighbours are rows of the same words. Any smooth score
    correlates: compare with other directions.
    """
    scores, neighbours = real_numbers("scores", scores), unmasked("neighbours", neighbours)
    if neighbours.ndim != 2 or scores.ndim not in (1, 2) or len(scores) != len(neighbours):
        raise ValueError(
            "expected scores (n,) or (n, p) and neighbours (n, k), "
            f"got {scores.shape} and {neighbours.shape}"
        )
    are_rows = neighbours.dtype.kind in "iu" and neighbours.min() >= 0
    if not are_rows or neighbours.max() >= len(scores):
        raise ValueError(
            f"neighbours: expected row numbers below {len(scores)}, got some that are not; "
            "search the same words"
        )
    shares = np.mean(scores[neighbours] > 0, axis=1)
    sides = scores - scores.mean(axis=0), shares - shares.mean(axis=0)
    spread = np.prod([np.linalg.norm(side, axis=0) for side in sides], axis=0)
    if not np.all(spread > 0):
        raise ValueError(
            "scores: expected scores, and neighbours, of both sides; "
            "got only one, so nothing can correlate"
        )
    return np.asarray((sides[0] * sides[1]).sum(axis=0) / spread)


def beside_null(values: ArrayLike, null: ArrayLike) -> dict[str, float]:
    """A value, its draws (r,), beside that of random pairs treated alike (m,).

    "value", "low" and "high" of the draws; "null low", "null", "null high": central 95 % and median; "below": the share of
    the null below the value, half of what equals it; "distance" from the null's mean in its deviations, "distance low" and
    "distance high" those of the least and the largest draw, all three NaN where the null does not spread.
    """
    values = np.atleast_1d(real_numbers("values", values))
    null = real_numbers("null", null).ravel()
    if not values.size or null.size < 2:
        raise ValueError(
            f"expected a value and two or more of the null, got {values.size} and {null.size}"
        )
    spread = null.std(ddof=1) if np.ptp(null) else np.nan
    low, median, high = np.quantile(null, [0.025, 0.5, 0.975])
    mean, least, largest = values.mean(), values.min(), values.max()
    numbers = {
        "value": mean,
        "low": least,
        "high": largest,
        "null low": low,
        "null": median,
        "null high": high,
        "below": np.mean(null < mean) + np.mean(null == mean) / 2,
        "distance": (mean - null.mean()) / spread,
        "distance low": (least - null.mean()) / spread,
        "distance high": (largest - null.mean()) / spread,
    }
    return {name: float(number) for name, number in numbers.items()}
