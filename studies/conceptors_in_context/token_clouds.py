"""Distances between words that are clouds of tokens, corrected for the spread of each cloud, and how well two clouds are parted.

The tokens of any two words are two clouds, and any two clouds are told apart. How far apart they lie is another question: the squared
distance of two means is too large by the noise of both, which is known from the tokens and taken off here. A cloud is (m, d), m tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unmasked
from lib.inference.sums import p_of_draws

Array = NDArray[np.floating]


def contrast_square(
    clouds: Sequence[ArrayLike], weights: Sequence[float], *, paired: bool = False
) -> float:
    """Unbiased squared length of a weighted sum of word means; it may be negative where the contrast is nothing but noise.

    Weights 1 and -1 give the distance of two words, (½, ½, -½, -½) that of two groups. Where clouds are `paired`, row t of all of them stands in
    the same sentence, so that what the sentence does to all words cancels.
    """
    arrays = _clouds(clouds, weights, paired)
    parts = list(zip(weights, arrays))
    if paired:
        parts = [(1.0, np.sum([w * cloud for w, cloud in parts], axis=0))]
    total: Array = np.sum([w * cloud.mean(axis=0) for w, cloud in parts], axis=0)
    noise = sum(w**2 * cloud.var(axis=0, ddof=1).sum() / len(cloud) for w, cloud in parts)
    return float(total @ total - noise)


def share_along(
    clouds: Sequence[ArrayLike],
    weights: Sequence[float],
    directions: ArrayLike,
    *,
    paired: bool = False,
) -> float:
    """Which share of the squared length of a contrast lies along some orthonormal directions (k, d); NaN where it is no longer than its noise.

    k / d for directions at random.
    """
    axes = np.atleast_2d(real_numbers("directions", directions))
    if not np.allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-6):
        raise ValueError("directions: expected orthonormal rows; take those of a decomposition")
    arrays = _clouds(clouds, weights, paired)
    if arrays[0].shape[1] != axes.shape[1]:
        raise ValueError(
            f"directions: expected {arrays[0].shape[1]} dimensions, got {axes.shape[1]}"
        )
    whole = contrast_square(arrays, weights, paired=paired)
    within = contrast_square([cloud @ axes.T for cloud in arrays], weights, paired=paired)
    return within / whole if whole > 0 else float("nan")


def factor_shares(
    clouds: Sequence[ArrayLike],
    first: Sequence[bool],
    second: Sequence[bool],
    *,
    paired: bool = False,
) -> dict[str, float]:
    """What four words differ in: two factors, such as gender and kind of noun, and their crossing, which these do not explain.

    Shares of the corrected squared distances, which add up to 1; `first` and `second` say on which side of each factor a word lies.
    """
    one, other = (np.where(np.asarray(side, bool), 0.5, -0.5) for side in (first, second))
    if len({*zip(one.tolist(), other.tolist())}) != 4 or not len(clouds) == len(one) == 4:
        raise ValueError("expected four words, one for each combination of two factors")
    contrasts = {"first": one, "second": other, "crossing": 2 * one * other}
    squares = {
        name: contrast_square(clouds, weights.tolist(), paired=paired)
        for name, weights in contrasts.items()
    }
    total = sum(squares.values())
    if not total > 0:
        raise ValueError("expected words that differ by more than noise, got none; use more tokens")
    return {name: square / total for name, square in squares.items()}


@dataclass(frozen=True)
class Separation:
    """How well two groups are parted, by the area under the curve: the chance that a point of the first lies beyond one of the second.

    `shuffled` is the median of shuffled labels, `high` what 95 % of these stay below, `p_value` the share of them (the real ones among them) that
    part the points as well.
    """

    auc: float
    shuffled: float
    high: float
    p_value: float


def separation(
    points: ArrayLike,
    labels: ArrayLike,
    *,
    shuffles: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Separation:
    """How well two groups of points (m, k) are parted along a line or in a plane, beside shuffled labels.

    Points are projected on Fisher's linear discriminant, for shuffled labels on theirs, so that the freedom to choose a line costs both alike.
    Shuffling asks whether two clouds differ at all. Tokens of one word are alike, so that any two words pass: compare with other words too.
    """
    points, labels = real_numbers("points", points), np.asarray(unmasked("labels", labels), bool)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or labels.shape != points.shape[:1] or not 0 < labels.sum() < len(labels):
        raise ValueError(
            "expected points (m, k) and labels of two groups, "
            f"got {points.shape}, {labels.shape} with {labels.sum()} true"
        )
    centred = points - points.mean(axis=0)
    if not np.abs(centred).max() > 0:
        raise ValueError("expected points that differ, got one place for all of them")
    shuffled = np.random.default_rng(rng).permuted(np.tile(labels, (shuffles, 1)), axis=1)
    auc = _areas_under_curve(centred, np.concatenate([labels[None], shuffled]))
    return Separation(
        auc=float(auc[0]),
        shuffled=float(np.median(auc[1:])),
        high=float(np.quantile(auc[1:], 0.95)),
        p_value=p_of_draws(auc[0], auc[1:], tolerance=1e-12),
    )


def _areas_under_curve(centred: Array, labels: NDArray[np.bool_]) -> Array:
    """(s,) areas of (m, k) centred points under (s, m) labels, each on its own discriminant."""
    mean_differences = labels @ centred  # up to a factor
    total_scatter = centred.T @ centred  # gives the same line as the scatter within groups
    ranks = stats.rankdata(mean_differences @ np.linalg.pinv(total_scatter) @ centred.T, axis=1)
    n = labels[0].sum()
    return np.asarray(
        ((ranks * labels).sum(axis=1) - n * (n + 1) / 2) / (n * (labels.shape[1] - n))
    )


def _clouds(
    clouds: Sequence[ArrayLike], weights: Sequence[float], paired: bool
) -> list[NDArray[np.float64]]:
    arrays = [real_numbers("clouds", cloud) for cloud in clouds]
    shapes = [array.shape for array in arrays]
    if not arrays or len(arrays) != len(weights):
        raise ValueError(f"expected a weight for each word, got {len(arrays)} and {len(weights)}")
    if any(len(shape) != 2 or shape[0] < 2 for shape in shapes):
        raise ValueError(f"clouds: expected (m, d) with two tokens or more, got shapes {shapes}")
    if len({shape[1] for shape in shapes}) > 1 or (paired and len(set(shapes)) > 1):
        raise ValueError(f"clouds: expected one shape, got {shapes}")
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError("clouds: expected finite numbers, got NaN or infinity")
    return arrays
