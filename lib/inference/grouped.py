"""A correlation over points that come in groups: between the groups, within them, over all points, and pooled over studies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from lib.checks import real_numbers
from lib.inference.correlation import (
    Correlation,
    correlation,
    smallest_equivalence_pvalue,
    verdict,
)
from lib.inference.sums import p_of_draws

FEWEST = 4  # points of a cell

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
        As in `Correlation`.
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
    def smallest_equivalence_pvalue(self) -> float:
        """What `equivalence_pvalue` would be with a correlation of zero."""
        return smallest_equivalence_pvalue(self.points, bound=self.bound)

    @property
    def verdict(self) -> str:
        """As `lib.inference.correlation.verdict` reads the p-values."""
        return verdict(self.pvalue, self.equivalence_pvalue, self.smallest_equivalence_pvalue)


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
        Finite numbers.
    groups : array_like, shape (n,)
        The label of the group that each point is in.
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
    """The correlation within groups: whether a higher x goes with a higher y in the same group.

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


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """Result of `pooled_correlation`.

    Attributes
    ----------
    r, low, high : float
        Correlation and its 95 % interval.
    pvalue : float
        Two-sided, by permutation of the systems' gaps within each study, the same in all cells.
    cells, studies : int
        What was pooled, and how many of these share no system.
    """

    r: float
    low: float
    high: float
    pvalue: float
    cells: int
    studies: int


def pooled_correlation(
    points: pd.DataFrame,
    *,
    study: tuple[str, ...] = ("vectors", "method"),
    n_resamples: int = 1999,
    rng: np.random.Generator | int | None = None,
) -> Pooled:
    """One correlation over cells that share their systems.

    Parameters
    ----------
    points : DataFrame
        Columns vectors, method (may be empty), test, metric, number (of a system among those with the same vectors and method), effect and gap,
        without what is to be left out, such as copied effects.
    study : tuple of str
        The columns that part the systems: no system is in two studies.
    n_resamples : int
        Permutations.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    Pooled

    Raises
    ------
    ValueError
        Where no study has a cell of four points or more.

    Notes
    -----
    Tests and metrics reuse the same systems, and the gap of a system is one number in all tests. So the cells of a
    study (Fisher's z, averaged) count as one correlation of its systems, which is exact where they say the same and cautious
    elsewhere; studies are then pooled with random effects. A mixed model with an intercept for each system
    cannot be had: within a system and metric the gap does not vary.

    References
    ----------
    Paule and Mandel (1982), as in statsmodels.
    """
    rng = np.random.default_rng(rng)
    filled = points.assign(method=points["method"].fillna(""))
    designs = [
        design
        for _, part in filled.groupby(list(study), sort=False)
        if (design := _design(part)) is not None
    ]
    if not designs:
        raise ValueError("points: expected a cell of four points or more that differ, got none")
    variances = np.array([1 / (design[0].shape[1] - 3) for design in designs])
    effects = np.array([_mean_z(*design) for design in designs])
    value, low, high = _combined(effects, variances)
    null = np.empty(n_resamples)
    weights = 1 / variances
    for draw in range(n_resamples):
        shuffled = [_mean_z(x, y[:, rng.permutation(y.shape[1])]) for x, y in designs]
        null[draw] = np.average(shuffled, weights=weights)
    observed = abs(np.average(effects, weights=weights))
    return Pooled(
        r=float(np.tanh(value)),
        low=float(np.tanh(low)),
        high=float(np.tanh(high)),
        pvalue=p_of_draws(observed, np.abs(null), tolerance=1e-12),
        cells=sum(len(design[0]) for design in designs),
        studies=len(designs),
    )


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


def _design(part: pd.DataFrame) -> tuple[Floats, Floats] | None:
    """Effects and gaps (cells, systems) of a study whose cells all have the same systems."""
    index = ["test", "metric"]
    x = part.pivot_table(index=index, columns="number", values="effect")
    y = part.pivot_table(index=index, columns="number", values="gap")
    x, y = x.dropna(axis=1), y.dropna(axis=1)
    varies = (np.ptp(x.to_numpy(), axis=1) > 0) & (np.ptp(y.to_numpy(), axis=1) > 0)
    if x.shape[1] < FEWEST or not varies.any():
        return None
    return x.to_numpy()[varies], y.to_numpy()[varies]


def _mean_z(x: Floats, y: Floats) -> float:
    """The mean over cells of Fisher's z."""
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    r = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return float(np.arctanh(np.clip(r, -0.999999, 0.999999)).mean())


def _combined(effects: Floats, variances: Floats) -> tuple[float, float, float]:
    """Effect and interval over studies, with random effects where there are two or more."""
    if len(effects) == 1:
        reach = 1.959964 * np.sqrt(variances[0])
        return effects[0], effects[0] - reach, effects[0] + reach
    # Paule and Mandel's variance between studies cannot fall below none
    with np.errstate(divide="ignore"):  # its I² of studies that agree wholly, which is not used
        result = combine_effects(effects, variances, method_re="iterated")
    row = result.summary_frame().loc["random effect"]
    return float(row["eff"]), float(row["ci_low"]), float(row["ci_upp"])
