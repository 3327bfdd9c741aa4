"""How often a design finds the correlation that there is, how often it shows that none is, and how many points either takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers


def smallest_found(n: int, *, share: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest correlation that n independent points find so often, in a two-sided test: by Fisher's z, leaving out the other tail."""
    if n < 4 or not alpha < share < 1:
        raise ValueError(
            f"expected four points or more and a share above {alpha}, got {n!r}, {share!r}"
        )
    return float(np.tanh((stats.norm.isf(alpha / 2) + stats.norm.ppf(share)) / np.sqrt(n - 3)))


def fewest_to_show(bound: float, *, alpha: float = 0.05) -> int:
    """The fewest independent points with which a correlation can be shown to be smaller than a bound, even where it is exactly zero."""
    return int((stats.norm.isf(alpha) / _z_of(bound)) ** 2) + 4


def share_shown_small(bound: float, n: ArrayLike, *, alpha: float = 0.05) -> NDArray[np.float64]:
    """How often n independent points show a correlation of zero to be smaller than a bound: both one-sided tests reject, by Fisher's z."""
    points = real_numbers("n", n)
    if (points < 4).any():
        raise ValueError(f"expected four points or more, got {n!r}")
    room = _z_of(bound) * np.sqrt(points - 3) - stats.norm.isf(alpha)
    return np.asarray(np.maximum(2 * stats.norm.cdf(room) - 1, 0), float)


def points_to_show(bound: float, *, share: float = 0.8, alpha: float = 0.05) -> int:
    """How many independent points it takes to show so often that a correlation of zero is smaller than a bound."""
    if not 0 < share < 1:
        raise ValueError(f"expected a share between 0 and 1, got {share!r}")
    reach = stats.norm.isf(alpha) + stats.norm.ppf((1 + share) / 2)
    return int(np.ceil((reach / _z_of(bound)) ** 2 + 3))


def _z_of(bound: float) -> float:
    if not 0 < bound < 1:
        raise ValueError(f"bound: expected a number between 0 and 1, got {bound!r}")
    return float(np.arctanh(bound))


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
