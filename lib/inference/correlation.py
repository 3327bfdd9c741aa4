"""A correlation over few points: was none shown, or was none only not found?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lib.checks import real_numbers, unmasked
from lib.inference.sums import TIE_TOLERANCE, p_of_draws

EXACT = 9  # points up to which all orders are gone through: 362,880
VERDICTS = ("correlated", "not found", "equivalent to none", "too few points")


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """Result of `correlation`.

    Attributes
    ----------
    r : float
        Pearson's correlation, from -1 to 1.
    low, high : float
        Interval by Fisher's z; from -1 to 1 with three points.
    pvalue : float
        Of the hypothesis that any point could have had any other's y, by permutation. Two-sided: how often abs(r) is as
        large; not twice the smaller tail, which differs where many points share one number.
    smallest_pvalue : float
        The smallest that these points and draws could have given.
    equivalence_pvalue : float
        Of the hypothesis that the correlation is at least as large as the bound, in either direction (two one-sided
        tests). Where it is small, *no correlation to speak of* was shown.
    bound : float
        The bound.
    n : int
        Points.
    distinct : int
        Different values of x.
    without_one : tuple of float
        The smallest and largest r when any one point is left out; NaN where x or y is then constant.
    """

    r: float
    low: float
    high: float
    pvalue: float
    smallest_pvalue: float
    equivalence_pvalue: float
    bound: float
    n: int
    distinct: int
    without_one: tuple[float, float]

    @property
    def smallest_equivalence_pvalue(self) -> float:
        """What `equivalence_pvalue` would be with a correlation of zero."""
        return smallest_equivalence_pvalue(self.n, bound=self.bound)

    @property
    def verdict(self) -> str:
        """As `verdict` reads the p-values."""
        return verdict(self.pvalue, self.equivalence_pvalue, self.smallest_equivalence_pvalue)


def verdict(
    pvalue: float, equivalence_pvalue: float, smallest_equivalence_pvalue: float = 0.0
) -> str:
    """One of `VERDICTS`, at 5 %; the first where two hold.

    `"too few points"`: nothing was found, and nothing could have been shown to be small, whatever the points said.

    Examples
    --------
    >>> verdict(0.3, 0.4), verdict(0.3, 0.4, smallest_equivalence_pvalue(7))
    ('not found', 'too few points')
    """
    if pvalue < 0.05:
        return "correlated"
    if smallest_equivalence_pvalue >= 0.05:
        return "too few points"
    return "equivalent to none" if equivalence_pvalue < 0.05 else "not found"


def smallest_equivalence_pvalue(n: float, *, bound: float = 0.5) -> float:
    """The smallest p that a test of equivalence can give: with a correlation of exactly zero.

    Parameters
    ----------
    n : float
        Independent points.
    bound : float
        The smallest correlation that would matter, above 0 and below 1.

    Returns
    -------
    float
        One with three points or fewer; below .05 from twelve points on for a bound of one half.

    Examples
    --------
    >>> [round(smallest_equivalence_pvalue(n), 3) for n in (7, 10, 12)]
    [0.136, 0.073, 0.05]
    """
    return float(stats.norm.sf(np.arctanh(bound) * np.sqrt(n - 3))) if n > 3 else 1.0


def correlation(
    x: ArrayLike,
    y: ArrayLike,
    *,
    bound: float = 0.5,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> Correlation:
    """Pearson's correlation, and what so many points can say of it.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Three points or more.
    bound : float
        The smallest correlation that would matter, above 0 and below 1.
    confidence_level : float
        Of the interval.
    n_resamples, rng
        Permutations where there are more than nine points, random numbers or a seed; up to nine points all
        orders are gone through.

    Returns
    -------
    Correlation

    Raises
    ------
    ValueError
        For fewer than three points, numbers that are not finite, a constant, or a bound outside (0, 1).

    References
    ----------
    Fisher (1921); Lakens, Scheel and Isager (2018) on tests of equivalence.

    Examples
    --------
    >>> result = correlation([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 6, 5, 7])
    >>> round(result.r, 2), result.verdict
    (0.89, 'correlated')
    >>> correlation([1, 2, 3, 4, 5, 6, 7], [3, 6, 1, 7, 2, 5, 4]).verdict
    'too few points'
    """
    x, y = real_numbers("x", x), real_numbers("y", y)
    if x.shape != y.shape or x.ndim != 1 or len(x) < 3:
        raise ValueError(f"expected three points or more, got x {x.shape} and y {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("expected finite numbers; leave out the points that lack one")
    if not (np.ptp(x) > 0 and np.ptp(y) > 0):
        raise ValueError("expected numbers that differ; a constant has no correlation")
    if not 0 < bound < 1:
        raise ValueError(f"bound: expected a number between 0 and 1, got {bound!r}")
    r, n = _pearson(x, y), len(x)
    drawn = np.abs(_correlations_by_lot(x, y, n_resamples, np.random.default_rng(rng)))
    if n <= EXACT:  # the points as they are, among them
        pvalue, smallest = (
            float((drawn >= size - TIE_TOLERANCE).mean()) for size in (abs(r), drawn.max())
        )
    else:
        pvalue, smallest = p_of_draws(abs(r), drawn, tolerance=TIE_TOLERANCE), 1 / (1 + n_resamples)
    low, high, equivalence = -1.0, 1.0, 1.0
    if n > 3:
        error = 1 / np.sqrt(n - 3)
        reach = stats.norm.ppf((1 + confidence_level) / 2) * error
        with np.errstate(divide="ignore"):
            z = np.arctanh(r)
        low, high = (float(end) for end in np.tanh([z - reach, z + reach]))
        equivalence = float(stats.norm.sf((np.arctanh(bound) - abs(z)) / error))
    left = [_pearson(np.delete(x, place), np.delete(y, place)) for place in range(n)]
    return Correlation(
        r=r,
        low=low,
        high=high,
        pvalue=pvalue,
        smallest_pvalue=smallest,
        equivalence_pvalue=equivalence,
        bound=bound,
        n=n,
        distinct=len(np.unique(x)),
        without_one=(float(np.min(left)), float(np.max(left))),
    )


def power(r: float, n: ArrayLike, *, alpha: float = 0.05) -> np.ndarray:
    """How often a correlation is found with so many independent points, in a two-sided test.

    Parameters
    ----------
    r : float
        The correlation that there is, between -1 and 1.
    n : array_like of int
        Points, four or more.
    alpha : float
        Level of the test.

    Returns
    -------
    ndarray
        Shares, shaped as `n`; by Fisher's z.

    Raises
    ------
    ValueError
        For a correlation or a number of points outside these.

    Examples
    --------
    >>> power(0.5, [7, 29, 38]).round(2)
    array([0.2, 0.8, 0.9])
    """
    points = unmasked("n", n)
    if not -1 < r < 1 or (points < 4).any():
        raise ValueError(
            f"expected a correlation between -1 and 1 and four points or more, got {r!r} and {n!r}"
        )
    shift = np.arctanh(r) * np.sqrt(points - 3)
    critical = stats.norm.isf(alpha / 2)
    return np.asarray(stats.norm.sf(critical - shift) + stats.norm.cdf(-critical - shift))


def points_needed(r: float, *, share: float = 0.8, alpha: float = 0.05) -> int:
    """How many independent points it takes to find a correlation so often.

    Parameters
    ----------
    r : float
        The correlation that there is: not 0, between -1 and 1.
    share : float
        How often it should be found, above `alpha` and below 1.
    alpha : float
        Level of the two-sided test.

    Returns
    -------
    int
        Four or more.

    Raises
    ------
    ValueError
        For numbers outside these.

    Examples
    --------
    >>> points_needed(0.5)
    30
    """
    if not 0 < abs(r) < 1 or not alpha < share < 1:
        raise ValueError(
            f"expected a correlation that is neither 0 nor 1 and a share between {alpha} and 1, got {r!r} and {share!r}"
        )
    top = 8
    while power(r, top, alpha=alpha) < share:
        top *= 2
    sizes = np.arange(4, top + 1)
    return int(sizes[power(r, sizes, alpha=alpha) >= share][0])


def _correlations_by_lot(
    x: np.ndarray, y: np.ndarray, n_resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Correlations of x with y in other orders: all of them for few points, else some at random."""
    x, y = ((side - side.mean()) / np.linalg.norm(side - side.mean()) for side in (x, y))
    if len(x) <= EXACT:
        return y[np.array(list(permutations(range(len(x)))))] @ x
    return np.array([rng.permutation(y) @ x for _ in range(n_resamples)])


def _pearson(x: np.ndarray, y: np.ndarray) -> float:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
