"""How well two groups of points are parted, against labels that mean nothing: for tokens on principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats


@dataclass(frozen=True)
class Separation:
    """What `separation` found.

    auc : chance that a point of the first group lies beyond one of the second, along the line that parts the means best;
    1 is a clean cut, 0.5 none; shuffled : the median auc of shuffled labels, high : the value that 95 % of them stay below;
    p_value : share of shuffles (the real labels included) that part the points as well.
    """

    auc: float
    shuffled: float
    high: float
    p_value: float


def separation(
    points: ArrayLike, labels: ArrayLike, *, shuffles: int = 1000, rng=None
) -> Separation:
    """How well two groups of points are parted along a line or in a plane, against shuffled labels.

    points : (m, k) places on k components, or (m,) on one; labels : (m,), true for the first group; rng : Generator or seed.
    In more than one dimension the points are projected on Fisher's linear discriminant, for shuffled labels on theirs, so
    that the freedom to choose a line costs both alike. Shuffling asks whether two clouds differ at all. Tokens of one word
    are alike, so that any two words pass: compare with other words too.
    Returns a `Separation`. Raises ValueError when shapes disagree, a group is empty, or all points are the same.
    """
    points, labels = np.asarray(points, np.float64), np.asarray(labels, bool)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or labels.shape != points.shape[:1] or not 0 < labels.sum() < len(labels):
        raise ValueError(
            f"expected points (m, k) and labels of two groups, got {points.shape}, {labels.shape} with {labels.sum()} true"
        )
    centred = points - points.mean(axis=0)
    if not np.abs(centred).max() > 0:
        raise ValueError("expected points that differ, got one place for all of them")
    generator = np.random.default_rng(rng)
    drawn = np.concatenate(
        [labels[None], generator.permuted(np.tile(labels, (shuffles, 1)), axis=1)]
    )
    auc = _auc(centred, drawn)
    return Separation(
        auc=float(auc[0]),
        shuffled=float(np.median(auc[1:])),
        high=float(np.quantile(auc[1:], 0.95)),
        p_value=float((auc >= auc[0] - 1e-12).mean()),
    )


def _auc(centred: NDArray, drawn: NDArray[np.bool_]) -> NDArray:
    """(s,) areas under the curve: (m, k) centred points and (s, m) labels, each on its own discriminant."""
    toward = drawn @ centred  # the mean difference, up to a factor
    discriminant = toward @ np.linalg.pinv(
        centred.T @ centred
    )  # total scatter: the same line as within-group scatter
    ranks = stats.rankdata(discriminant @ centred.T, axis=1)
    n = drawn[0].sum()
    return ((ranks * drawn).sum(axis=1) - n * (n + 1) / 2) / (n * (drawn.shape[1] - n))
