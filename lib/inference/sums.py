"""Draws of statistics made of sums over rows: bootstrap, shuffled labels, swapped arms.

Accuracy, log loss, F1, their ratios between groups, and calibration errors are functions of a few
sums over rows. A draw needs only how often each row is in it, so that thousands of draws are one
product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked

Floats = NDArray[np.float64]

CELLS = 2**20  # draws times rows at a time: what fits into the processor's cache
TIE_TOLERANCE = 1e-12


def resampled_sums(
    terms: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Sums of columns over bootstrap draws of rows, or of whole clusters of rows.

    Parameters
    ----------
    terms : array_like of shape (n, k)
        Terms of k sums, by row.
    clusters : array_like of shape (n,), optional
        Labels; rows of one label are drawn together.
    strata : array_like of shape (n,), optional
        Labels; each stratum keeps its number of rows in every draw. With clusters, those with rows of
        the same strata are a stratum: it keeps its number of clusters.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (n_resamples, k)
        The sums of each draw.

    Raises
    ------
    ValueError
        For terms that are no table of finite numbers, labels that do not fit, or fewer than two
        things to draw.

    References
    ----------
    Efron and Tibshirani (1993), chapter 8; Cameron, Gelbach and Miller (2008) for clusters.

    Examples
    --------
    >>> draws = resampled_sums([[1, 1], [0, 1], [1, 1], [1, 1]], n_resamples=1000, rng=0)
    >>> draws.shape, set(draws[:, 1])
    ((1000, 2), {np.float64(4.0)})
    >>> round(float((draws[:, 0] / draws[:, 1]).mean()), 2)
    0.75
    """
    table = _table("terms", terms)
    generator = np.random.default_rng(rng)
    stratum = _codes("strata", strata, len(table))
    if clusters is not None:
        cluster = _codes("clusters", clusters, len(table))
        seen = np.zeros((cluster.max() + 1, stratum.max() + 1), bool)
        seen[cluster, stratum] = True
        table = _sums_by(cluster, table)
        stratum = np.unique(seen, axis=0, return_inverse=True)[1].ravel()
    if len(table) < 2:
        raise ValueError(
            f"expected two rows or clusters to draw from, got {len(table)}: nothing would vary"
        )
    sums = np.zeros((n_resamples, table.shape[1]))
    for part in (table[stratum == code] for code in range(stratum.max() + 1)):
        n = len(part)
        for block in _blocks(n_resamples, n):
            draws = block.stop - block.start
            drawn = generator.integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
            counts = np.bincount(drawn.ravel(), minlength=draws * n).reshape(draws, n)
            sums[block] += counts.astype(float) @ part
    return sums


def shuffled_sums(
    terms: ArrayLike,
    labels: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Sums of columns over the rows with a label, after the labels were shuffled over all rows.

    Parameters
    ----------
    terms : array_like of shape (n, k)
        Terms of k sums, by row.
    labels : array_like of bool, shape (n,)
        Which rows are in the group.
    clusters : array_like of shape (n,), optional
        Labels are shuffled over whole clusters; one with rows of both kinds has its two kinds
        exchanged, or not, with even odds.
    n_resamples : int
        Shuffles.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (n_resamples, k)
        Sums of the group in each shuffle. Those of the other rows are the total less these.

    Raises
    ------
    ValueError
        For terms that are no table of finite numbers, labels that are not True and False, or a
        group that is empty or everything.

    References
    ----------
    Fisher (1935).

    Examples
    --------
    >>> sums = shuffled_sums([[1], [2], [4], [8]], [True, True, False, False], rng=0)
    >>> sorted(set(sums[:, 0].astype(int).tolist()))
    [3, 5, 6, 9, 10, 12]
    """
    table, group = _table("terms", terms), _group(labels, len(unmasked("terms", terms)))
    generator = np.random.default_rng(rng)
    if clusters is None:
        inside, outside = table * group[:, None], table * ~group[:, None]
        mixed = np.zeros(len(table), bool)
    else:
        cluster = _codes("clusters", clusters, len(table))
        inside = _sums_by(cluster, table * group[:, None])
        outside = _sums_by(cluster, table * ~group[:, None])
        members = _sums_by(cluster, np.column_stack([group, ~group]).astype(float))
        mixed = np.asarray((members > 0).all(axis=1), bool)
        group = np.asarray(members[:, 0] > 0, bool)
    whole = (inside + outside)[~mixed]
    difference = (outside - inside)[mixed]
    sums = np.tile(inside[mixed].sum(axis=0), (n_resamples, 1))
    for block in _blocks(n_resamples, len(group)):
        draws = block.stop - block.start
        shuffled = generator.permuted(np.tile(group[~mixed], (draws, 1)), axis=1)
        exchanged = generator.random((draws, len(difference))) < 0.5
        sums[block] += shuffled.astype(float) @ whole + exchanged.astype(float) @ difference
    return sums


def swapped_sums(
    first: ArrayLike,
    second: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> tuple[Floats, Floats]:
    """Sums of two arms over the same rows, after the arms were exchanged in half of the rows.

    Parameters
    ----------
    first, second : array_like of shape (n, k)
        Terms of k sums in each arm, row by row.
    clusters : array_like of shape (n,), optional
        Labels; all rows of one label are exchanged together.
    n_resamples : int
        Draws: each row is exchanged with even odds.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    tuple of ndarray of shape (n_resamples, k)
        Sums of the first and of the second arm.

    Raises
    ------
    ValueError
        For arms of different shapes, or terms that are no table of finite numbers.

    References
    ----------
    Noreen (1989), approximate randomisation.

    Examples
    --------
    >>> a, b = swapped_sums([[1], [1]], [[0], [0]], rng=0)
    >>> sorted(set((a - b)[:, 0].tolist()))
    [-2.0, 0.0, 2.0]
    """
    one, two = _table("first", first), _table("second", second)
    if one.shape != two.shape:
        raise ValueError(
            f"expected two arms over the same rows, got shapes {one.shape} and {two.shape}"
        )
    generator = np.random.default_rng(rng)
    total_one, total_two = one.sum(axis=0), two.sum(axis=0)
    difference = two - one
    if clusters is not None:
        difference = _sums_by(_codes("clusters", clusters, len(one)), difference)
    moved = np.zeros((n_resamples, one.shape[1]))
    for block in _blocks(n_resamples, len(difference)):
        exchanged = generator.integers(2, size=(block.stop - block.start, len(difference)))
        moved[block] = exchanged.astype(float) @ difference
    return total_one + moved, total_two - moved


def p_of_draws(value: float, draws: ArrayLike, *, tolerance: float = 0.0) -> float:
    """One-sided p: the share of draws under the null that reach a value.

    The one rule of the house for draws that have no value, such as a kappa of scores that are all alike: they count
    as reaching it, so that they never make a p smaller. Descriptions of a null (`central`) leave them out.

    Parameters
    ----------
    value : float
        The statistic; of a two-sided test its size.
    draws : array_like of shape (draws,)
        The same statistic under the null, one or more; NaN where it is undefined.
    tolerance : float, optional
        How far below the value a draw still ties with it.

    Returns
    -------
    float
        (1 + draws that reach it) / (1 + draws), so never 0; NaN where the value is NaN.

    Raises
    ------
    ValueError
        Without a draw.

    References
    ----------
    Phipson and Smyth (2010).

    Examples
    --------
    >>> p_of_draws(0.5, [0.1, 0.6, 0.2]), p_of_draws(0.5, [np.nan, np.nan, np.nan, 0.1])
    (0.5, 0.8)
    """
    null = real_numbers("draws", draws)
    if null.ndim != 1 or not len(null):
        raise ValueError(f"draws: expected a list of one draw or more; got shape {null.shape}")
    if np.isnan(value):
        return float("nan")
    return float((1 + np.count_nonzero(~(null < value - tolerance))) / (1 + len(null)))


def central(values: ArrayLike, share: float = 0.95) -> tuple[float, float, float]:
    """Median of a null baseline, and the ends of its central part.

    Parameters
    ----------
    values : array_like
        Any shape; what is not finite is left out: it describes the draws that have a value. A p counts the others
        as reaching it (`lib.inference.sums.p_of_draws`).
    share : float
        How much lies between the ends, between 0 and 1.

    Returns
    -------
    tuple of float
        Median, low and high end; NaN where no value is left.

    Raises
    ------
    ValueError
        For a share outside 0 to 1.

    Examples
    --------
    >>> central([0, 1, 2, 3, 4, np.nan], share=0.5)
    (2.0, 1.0, 3.0)
    """
    if not 0 < share < 1:
        raise ValueError(f"share: expected a number between 0 and 1, got {share!r}")
    kept = real_numbers("values", values)
    kept = kept[np.isfinite(kept)]
    if not len(kept):
        return float("nan"), float("nan"), float("nan")
    tail = round((1 - share) / 2, 12)
    median, low, high = np.quantile(kept, [0.5, tail, 1 - tail])
    return float(median), float(low), float(high)


def share_reaching(observed: ArrayLike, null: ArrayLike) -> Floats:
    """Two-sided p: the share of null draws that are as far from zero as the observed value.

    Parameters
    ----------
    observed : array_like of shape (...)
        Statistics that are 0 where the null is true.
    null : array_like of shape (draws, ...)
        Draws of the same statistics under the null.

    Returns
    -------
    ndarray of shape (...)
        (1 + draws that reach it) / (1 + draws), so never 0; NaN where the statistic is NaN. A draw that is
        NaN counts as reaching it, as in `p_of_draws`.

    References
    ----------
    Phipson and Smyth (2010).

    Examples
    --------
    >>> float(share_reaching(2.0, [0.5, -2.0, 1.0]))
    0.5
    """
    value, draws = real_numbers("observed", observed), real_numbers("null", null)
    reached = (~(np.abs(draws) < np.abs(value) * (1 - TIE_TOLERANCE))).sum(axis=0)
    return np.where(np.isnan(value), np.nan, (1 + reached) / (1 + len(draws)))


def _blocks(n_resamples: int, n: int) -> Iterator[slice]:
    """Draws in parts that fit into the cache."""
    if n_resamples < 1:
        raise ValueError(f"n_resamples: expected one draw or more, got {n_resamples}")
    size = max(1, CELLS // max(1, n))
    for start in range(0, n_resamples, size):
        yield slice(start, min(start + size, n_resamples))


def _sums_by(codes: NDArray[np.intp], table: Floats) -> Floats:
    sums = np.zeros((codes.max() + 1, table.shape[1]))
    np.add.at(sums, codes, table)
    return sums


def _table(name: str, terms: ArrayLike) -> Floats:
    table = real_numbers("terms", terms)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"{name}: expected an array (rows, sums), got shape {table.shape}")
    if not np.isfinite(table).all():
        row = int(np.argmin(np.isfinite(table).all(axis=1)))
        raise ValueError(f"{name}: expected finite numbers, got {table[row]} in row {row}")
    return table


def _codes(name: str, labels: ArrayLike | None, n: int) -> NDArray[np.intp]:
    if labels is None:
        return np.zeros(n, np.intp)
    array = np.asarray(labels)
    if array.shape != (n,):
        raise ValueError(f"{name}: expected {n} labels, one a row, got shape {array.shape}")
    return np.unique(array, return_inverse=True)[1].astype(np.intp)


def _group(labels: ArrayLike, n: int) -> NDArray[np.bool_]:
    group = np.asarray(labels)
    if group.dtype != bool or group.shape != (n,):
        raise ValueError(
            f"labels: expected True or False for each of {n} rows, "
            f"got {group.dtype} of shape {group.shape}"
        )
    if group.all() or not group.any():
        raise ValueError(f"labels: expected rows of both kinds, got {n} of one kind")
    return group
