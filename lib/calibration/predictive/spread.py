"""A correlation over vectors that come in groups: between the groups, within them, and how often it is found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.correlation import Correlation, correlation, verdict
from lib.inference.sums import p_of_draws

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Within:
    """Result of `within_groups`.

    Attributes
    ----------
    r, low, high : float
        Correlation of what is left when each group's mean is taken off, and its interval: Fisher's
        z with its own deviation or that of permutations within groups, whichever is larger.
    pvalue : float
        Two-sided: by permutation within groups.
    equivalence_pvalue : float
        As in `lib.inference.correlation.Correlation`.
    bound : float
        The smallest correlation that would matter.
    points : float
        How many independent points would have as wide an interval: at most n − groups + 1, fewer
        where some groups vary much more than others.
    n, groups : int
        Points and groups.
    """

    r: float
    low: float
    high: float
    pvalue: float
    equivalence_pvalue: float
    bound: float
    points: float
    n: int
    groups: int

    @property
    def verdict(self) -> str:
        """As `lib.inference.correlation.verdict` reads the two p-values."""
        return verdict(self.pvalue, self.equivalence_pvalue)


def between_groups(
    x: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    *,
    bound: float = 0.5,
    n_resamples: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> Correlation:
    """The correlation of the groups' means: each group counts as one point.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Scores and gaps.
    groups : array_like, shape (n,)
        The corpus of each set of vectors.
    bound, n_resamples, rng
        As in `lib.inference.correlation.correlation`.

    Returns
    -------
    Correlation

    Raises
    ------
    ValueError
        As `correlation`.

    Examples
    --------
    >>> between_groups([1, 3, 4, 6, 8, 8], [0, 0, 1, 1, 2, 2], list("aabbcc")).n
    3
    """
    x, y, codes, _ = _checked(x, y, groups)
    means = [np.bincount(codes, side) / np.bincount(codes) for side in (x, y)]
    return correlation(*means, bound=bound, n_resamples=n_resamples, rng=rng)


def within_groups(
    x: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    *,
    bound: float = 0.5,
    n_resamples: int = 1999,
    rng: np.random.Generator | int | None = None,
) -> Within:
    """The correlation within groups: whether a higher score goes with a larger gap in the same corpus.

    Parameters
    ----------
    x, y, groups, bound, n_resamples, rng
        As in `between_groups`.

    Returns
    -------
    Within

    Raises
    ------
    ValueError
        For lists of different lengths, numbers that are not finite, or too few points in the groups.

    Examples
    --------
    >>> result = within_groups([1, 2, 3, 11, 12, 13], [2, 4, 6, 1, 3, 5], list("aaabbb"), rng=0)
    >>> round(result.r, 2), result.groups
    (1.0, 2)
    """
    x, y, codes, count = _checked(x, y, groups)
    free = len(x) - count + 1  # as many as points of one group
    left = [_without_means(side, codes) for side in (x, y)]
    if free < 4 or not all((side**2).sum() > 1e-20 for side in left):
        raise ValueError(
            f"expected points that differ within groups, got {len(x)} in {count} groups with nothing left; "
            "give more seeds"
        )
    rng = np.random.default_rng(rng)
    r = _correlation(*left)
    order = np.lexsort(
        (rng.random((n_resamples, len(x))), np.broadcast_to(codes, (n_resamples, len(x))))
    )
    start = np.argsort(codes, kind="stable")
    null = np.empty((n_resamples, len(x)))
    np.put_along_axis(null, np.broadcast_to(start, null.shape), left[1][order], axis=1)
    drawn = null @ left[0] / np.sqrt((left[0] ** 2).sum() * (left[1] ** 2).sum())
    spread_by_lot = float(np.arctanh(np.clip(drawn, -1 + 1e-12, 1 - 1e-12)).std())
    error = max(spread_by_lot, 1 / np.sqrt(free - 3))
    z = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
    low, high = np.tanh([z - stats.norm.ppf(0.975) * error, z + stats.norm.ppf(0.975) * error])
    return Within(
        r=r,
        low=float(low),
        high=float(high),
        pvalue=p_of_draws(abs(r), np.abs(drawn), tolerance=1e-12),
        equivalence_pvalue=float(stats.norm.sf((np.arctanh(bound) - abs(z)) / error)),
        bound=bound,
        points=1 / error**2 + 3,
        n=len(x),
        groups=count,
    )


@dataclass(frozen=True, kw_only=True)
class Clustered:
    """Result of `clustered_correlation`: `r`, and the ends of an interval over groups."""

    r: float
    low: float
    high: float


def clustered_correlation(x: ArrayLike, y: ArrayLike, groups: ArrayLike) -> Clustered:
    """The correlation over all points, with an interval that leaves out one group at a time.

    Fisher's z without each group gives the error (a jackknife), and Student's t with as many degrees of freedom as
    groups less one its reach: ten groups drawn anew, as a bootstrap does, make too narrow an interval.

    Parameters
    ----------
    x, y, groups
        As in `between_groups`.

    Returns
    -------
    Clustered
        NaN where x or y is constant; ends NaN for fewer than three groups, or where x or y is constant without one.

    Raises
    ------
    ValueError
        For lists of different lengths or numbers that are not finite.

    Examples
    --------
    >>> result = clustered_correlation([1, 2, 3, 4, 6, 5], [1, 3, 2, 5, 4, 6], list("aabbcc"))
    >>> round(result.r, 2), result.low < result.r < result.high
    (0.77, True)
    """
    x, y, codes, count = _checked(x, y, groups)
    none = float("nan")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Clustered(r=none, low=none, high=none)
    weights = np.concatenate([np.ones((1, len(x))), 1 - np.eye(count)[:, codes]])
    total = np.maximum(weights.sum(axis=1), 1)
    mean_x, mean_y = weights @ x / total, weights @ y / total
    spread_x = weights @ x**2 / total - mean_x**2
    spread_y = weights @ y**2 / total - mean_y**2
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (weights @ (x * y) / total - mean_x * mean_y) / np.sqrt(spread_x * spread_y)
    z = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
    low = high = none
    if count > 2 and np.isfinite(z).all():
        error = np.sqrt((count - 1) / count * ((z[1:] - z[1:].mean()) ** 2).sum())
        reach = stats.t.ppf(0.975, count - 1) * error
        low, high = (float(end) for end in np.tanh([z[0] - reach, z[0] + reach]))
    return Clustered(r=float(np.clip(r[0], -1, 1)), low=low, high=high)


def smallest_found(n: int, *, share: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest correlation that so many independent points find so often.

    Parameters
    ----------
    n : int
        Points, four or more.
    share, alpha : float
        How often, and the level of the two-sided test.

    Returns
    -------
    float
        By Fisher's z, leaving out the other tail.

    Raises
    ------
    ValueError
        For fewer points, or a share that is not between alpha and 1.

    Examples
    --------
    >>> round(smallest_found(7), 2), round(smallest_found(30), 2)
    (0.89, 0.49)
    """
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
    """How often the design finds a correlation when each set of vectors is treated at random.

    Parameters
    ----------
    scores, gaps : array_like, shape (n, k)
        Score and gap of n sets of vectors, each treated in k strengths.
    points : int
        Sets drawn, three to n, without replacement; each with a strength drawn for it.
    exchanged : bool
        Whether each set has the gaps of another, drawn anew each time: the null.
    draws : int
        How many times.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    float
        Share of draws with p < .05, two-sided (t test of Pearson's r).

    Raises
    ------
    ValueError
        For tables of different shapes, or another number of points.

    Examples
    --------
    >>> strengths = np.arange(4.0) + np.zeros((10, 1))
    >>> share_found(strengths, 2 * strengths, points=7, rng=0)
    1.0
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


def _checked(
    x: ArrayLike, y: ArrayLike, groups: ArrayLike
) -> tuple[Floats, Floats, NDArray[np.intp], int]:
    first, second, labels = real_numbers("x", x), real_numbers("y", y), np.asarray(groups)
    if not (first.ndim == 1 and first.shape == second.shape == labels.shape):
        raise ValueError(
            f"expected three lists of one length, got shapes {first.shape}, {second.shape}, {labels.shape}"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("expected finite numbers; leave out the vectors that lack one")
    names, codes = np.unique(labels, return_inverse=True)
    return first, second, codes, len(names)


def _without_means(values: Floats, codes: NDArray[np.intp]) -> Floats:
    return values - (np.bincount(codes, values) / np.bincount(codes))[codes]


def _correlation(x: Floats, y: Floats) -> float:
    return float((x * y).sum() / np.sqrt((x**2).sum() * (y**2).sum()))
