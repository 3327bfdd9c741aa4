"""Bootstrap intervals: how much a statistic depends on the words, templates or pairs chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers

Floats = NDArray[np.float64]


def word_interval(
    statistic: Callable[[Floats], float],
    scores: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """BCa bootstrap interval of a statistic over words: how much it depends on the words chosen.

    It is no inference to all words of a language, and its coverage is below nominal for few words.
    Memory limits it to some ten thousand words: the jackknife of BCa holds n² row numbers (0.8 GB for
    10,000 words) and the bootstrap n × n_resamples.

    Parameters
    ----------
    statistic : callable
        From scores (n, ...) to a number.
    scores : array_like, shape (n, ...)
        Resampled by row.
    n_resamples : int
        Bootstrap draws.
    confidence_level : float
        Between 0 and 1.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    tuple of float
        Low and high end, in the unit of the statistic; NaN where it is undefined for some draws.

    Raises
    ------
    ValueError
        For fewer than three words.

    References
    ----------
    Efron (1987), through `scipy.stats.bootstrap`.

    Examples
    --------
    >>> low, high = word_interval(np.mean, [0.1, 0.4, 0.2, 0.3, 0.6], rng=0)
    >>> round(low, 2), round(high, 2)
    (0.18, 0.5)
    """
    array = real_numbers("scores", scores)

    def of_each(draws: NDArray[np.int64]) -> NDArray[np.floating]:
        return np.apply_along_axis(lambda rows: statistic(array[rows]), -1, draws)

    return bca_interval(
        of_each,
        [len(array)],
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        rng=rng,
    )


def bca_interval(
    statistic: Callable[..., NDArray[np.floating]],
    sizes: Sequence[int],
    *,
    batch: int | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """BCa bootstrap interval of a statistic of several lists, each resampled by itself.

    Parameters
    ----------
    statistic : callable
        From the row numbers drawn of each list, arrays (..., n_j), to values (...).
    sizes : sequence of int
        Length n_j of each list.
    batch : int, optional
        Draws handed over at a time; the draws themselves depend on it where lists are several.
    n_resamples, confidence_level, rng
        As in `word_interval`.

    Returns
    -------
    tuple of float
        Low and high end.

    Raises
    ------
    ValueError
        For fewer than three items in a list, or a level outside 0 to 1.

    References
    ----------
    Efron (1987), through `scipy.stats.bootstrap`.

    Examples
    --------
    >>> scores = np.array([0.1, 0.4, 0.2, 0.3, 0.6])
    >>> low, high = bca_interval(lambda rows: scores[rows].mean(axis=-1), [5], rng=0)
    >>> round(low, 2), round(high, 2)
    (0.18, 0.5)
    """
    if min(sizes) < 3:
        raise ValueError(f"expected three words or more in each list to resample, got {[*sizes]}")
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )

    ends = stats.bootstrap(
        [np.arange(size) for size in sizes],
        lambda *rows, axis: statistic(*rows),
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        batch=batch,
        vectorized=True,
        method="BCa",
        rng=rng,
    ).confidence_interval
    return float(ends.low), float(ends.high)


def clustered_share(
    leans: ArrayLike,
    rows: ArrayLike | None = None,
    columns: ArrayLike | None = None,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float, float]:
    """Share of cells that are true, with a bootstrap interval that draws whole clusters.

    Few clusters give too narrow an interval; with rows and columns drawn it is cautious.

    Parameters
    ----------
    leans : array_like of bool, shape (n,) or (n, t)
        Items, or items by templates.
    rows : array_like, shape (n,), optional
        Labels of the items; items of one label are drawn together (job titles by head noun).
    columns : array_like, shape (t,), optional
        Labels of the templates, likewise. A side without labels is held fixed.
    n_resamples, confidence_level, rng
        As in `word_interval`.

    Returns
    -------
    tuple of float
        Share, low and high end of its percentile interval, in [0, 1].

    Raises
    ------
    ValueError
        Where labels do not fit, no side is drawn, or a side has fewer than two clusters.

    References
    ----------
    Cameron, Gelbach & Miller (2008) for clusters; Owen (2007) for two crossed sides.

    Examples
    --------
    >>> leans = [True, True, True, False, False, True]
    >>> share, low, high = clustered_share(leans, rows=list("aabbcc"), rng=0)
    >>> round(share, 2), low, high
    (0.67, 0.5, 1.0)
    """
    cells = real_numbers("leans", leans)
    cells = cells[:, None] if cells.ndim == 1 else cells
    if cells.ndim != 2 or not cells.size or not np.isin(cells, (0, 1)).all():
        raise ValueError(
            f"leans: expected True and False, (n,) or (n, templates), got shape {cells.shape}"
        )
    if rows is None and columns is None:
        raise ValueError(
            "expected labels for the rows, the columns or both, got neither; nothing would be drawn"
        )
    generator = np.random.default_rng(rng)
    row_weights = _cluster_weights("rows", rows, cells.shape[0], n_resamples, generator)
    column_weights = _cluster_weights("columns", columns, cells.shape[1], n_resamples, generator)
    totals = row_weights.sum(axis=1) * column_weights.sum(axis=1)
    shares = ((row_weights @ cells) * column_weights).sum(axis=1) / totals
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(shares, [tail, 1 - tail])
    return float(cells.mean()), float(low), float(high)


def _cluster_weights(
    side: str, labels: ArrayLike | None, n: int, n_resamples: int, generator: np.random.Generator
) -> Floats:
    """How often each item is in each draw, (n_resamples, n): by cluster, or every item once."""
    if labels is None:
        return np.ones((n_resamples, n))
    labels = np.asarray(labels)
    if len(labels) != n:
        raise ValueError(f"{side}: expected {n} labels, one for each of them, got {len(labels)}")
    names, cluster = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ValueError(
            f"{side}: expected two clusters or more, got {len(names)}; nothing varies between one"
        )
    even = np.full(len(names), 1 / len(names))
    return generator.multinomial(len(names), even, size=n_resamples)[:, cluster].astype(float)
