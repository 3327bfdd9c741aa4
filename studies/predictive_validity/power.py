"""How often a design finds the correlation that there is, and the smallest one that it finds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lib.checks import real_numbers


def smallest_found(n: int, *, share: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest correlation that n independent points find so often, in a two-sided test: by Fisher's z, leaving out the other tail."""
    if n < 4 or not alpha < share < 1:
        raise ValueError(
            f"expected four points or more and a share above {alpha}, got {n!r}, {share!r}"
        )
    return float(np.tanh((stats.norm.isf(alpha / 2) + stats.norm.ppf(share)) / np.sqrt(n - 3)))


def share_found(
    scores: ArrayLike,
    gaps: ArrayLike,
    *,
    points: int,
    exchanged: bool = False,
    draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> float:
    """How often the design finds a correlation (p < .05, t test of Pearson's r) when each set of vectors is treated at random.

    `scores` and `gaps` are (n, k): n sets of vectors, each treated in k strengths. In each draw there are `points` sets, without
    replacement, each with a strength drawn for it; `exchanged` gives each set the gaps of another, drawn anew each time: the null.
    """
    x, y = real_numbers("scores", scores), real_numbers("gaps", gaps)
    if x.ndim != 2 or x.shape != y.shape or not 3 <= points <= len(x):
        raise ValueError(
            f"expected two tables (n, k) and 3 to n points, got {x.shape}, {y.shape} and {points!r}"
        )
    rng = np.random.default_rng(rng)
    sets = rng.random((draws, len(x))).argsort(axis=1)[:, :points]
    strengths = rng.integers(x.shape[1], size=sets.shape)
    others = rng.permuted(sets, axis=1) if exchanged else sets
    strengths_of_others = rng.permuted(strengths, axis=1) if exchanged else strengths
    drawn_x, drawn_y = x[sets, strengths], y[others, strengths_of_others]
    drawn_x, drawn_y = (side - side.mean(axis=1, keepdims=True) for side in (drawn_x, drawn_y))
    size = np.sqrt((drawn_x**2).sum(axis=1) * (drawn_y**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip((drawn_x * drawn_y).sum(axis=1) / size, -1 + 1e-12, 1 - 1e-12)
    t = np.abs(r) * np.sqrt((points - 2) / (1 - r**2))
    return float((2 * stats.t.sf(t, points - 2) < 0.05).mean())
