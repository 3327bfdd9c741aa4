"""Does a mean over items agree with itself? Split halves, with items of one kind kept together.

Scores are an array (n things, p items): occupations by base pairs, for example.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

Floats = NDArray[np.float64]


class SplitHalf(NamedTuple):
    """Result of `split_half`.

    Attributes
    ----------
    half : float
        Median correlation of two halves: the reliability of a mean over half of the items.
    low, high : float
        5th and 95th percentile over the splits, which shows how much the split matters. It is no
        confidence interval.
    whole : float
        `spearman_brown` of `half`: the expected reliability of the mean over all items.
    sizes : tuple of int
        Items in the smaller and in the larger half, the closest that the groups allow.
    n_splits : int
        Random splits.
    """

    half: float
    low: float
    high: float
    whole: float
    sizes: tuple[int, int]
    n_splits: int


def spearman_brown(reliability: float, times: float = 2.0) -> float:
    """Expected reliability of a mean over more items of the same kind.

    Parameters
    ----------
    reliability : float
        Of the mean over some items, from -1 to 1.
    times : float
        How many times as many items the new mean has; below 1 for fewer.

    Returns
    -------
    float
        At most 1; below 0 where the reliability is, and then at least -1; NaN for NaN.

    Raises
    ------
    ValueError
        For a reliability outside -1 to 1, or `times` that is not positive.

    References
    ----------
    Spearman (1910) and Brown (1910).

    Examples
    --------
    >>> round(spearman_brown(0.8), 3), round(spearman_brown(0.42, 6), 2)
    (0.889, 0.81)
    """
    if not (np.isnan(reliability) or -1 <= reliability <= 1) or not times > 0:
        raise ValueError(
            "expected a reliability from -1 to 1 and a positive number of times; "
            f"got {reliability!r} and {times!r}"
        )
    if np.isnan(reliability):
        return float("nan")
    below = 1 + (times - 1) * reliability
    return max(-1.0, float(times * reliability / below)) if below > 0 else -1.0


def split_half(
    scores: ArrayLike,
    groups: Sequence[object] | None = None,
    *,
    n_splits: int = 200,
    rng: np.random.Generator | int | None = None,
) -> SplitHalf:
    """Correlation of means over two random halves of the items, over many splits.

    Parameters
    ----------
    scores : array_like, shape (n, p)
        Things by items, three things and two items or more.
    groups : sequence of p labels, optional
        Items of one label always fall into the same half: three forms of one pronoun are no three
        opinions. Without it every item is on its own.
    n_splits : int
        Random splits, each as even in items as the groups allow.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    SplitHalf
        NaN where the scores of a half are all equal.

    Raises
    ------
    ValueError
        For other shapes, numbers that are not finite, labels that do not fit, or one group only.

    References
    ----------
    Spearman (1910); Brown (1910).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.standard_normal((200, 1)) + rng.standard_normal((200, 10))
    >>> found = split_half(scores, rng=0)
    >>> bool(0.75 < found.half < 0.9 < found.whole < 0.95), found.sizes
    (True, (5, 5))
    """
    array = real_numbers("scores", scores)
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(
            f"scores: expected (things, items), at least 3 and 2 of them; got shape {array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(
            "scores: expected finite numbers, got NaN or infinity; leave that thing or item out"
        )
    items = array.shape[1]
    labels = list(range(items)) if groups is None else list(groups)
    if len(labels) != items:
        raise ValueError(f"groups: expected {items} labels, one for each item; got {len(labels)}")
    codes = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    if len(codes) < 2:
        raise ValueError("groups: expected two groups or more, got one; nothing can be split")
    if n_splits < 1:
        raise ValueError(f"n_splits: expected 1 or more, got {n_splits!r}")
    group = np.array([codes[label] for label in labels])
    smaller = _even_size(np.bincount(group))
    generator = np.random.default_rng(rng)
    correlations = np.empty(n_splits)
    for split in range(n_splits):
        chosen = np.isin(group, _random_half(np.bincount(group), smaller, generator))
        sides = array[:, chosen].mean(axis=1), array[:, ~chosen].mean(axis=1)
        correlations[split] = _correlation(*sides)
    half = float(np.median(correlations))
    low, high = np.quantile(correlations, [0.05, 0.95])
    return SplitHalf(
        half,
        float(low),
        float(high),
        spearman_brown(half),
        (smaller, items - smaller),
        n_splits,
    )


def _even_size(sizes: NDArray[np.int64]) -> int:
    """The largest number of items up to half that whole groups can make up."""
    reached = {0}
    for size in sizes:
        reached |= {total + int(size) for total in reached}
    return max(total for total in reached if total <= sizes.sum() / 2)


def _random_half(
    sizes: NDArray[np.int64], wanted: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Groups in random order whose sizes make up the wanted number, drawn until they do."""
    while True:
        order = generator.permutation(len(sizes))
        totals = np.cumsum(sizes[order])
        if (ends := np.flatnonzero(totals == wanted)).size:
            return np.asarray(order[: ends[0] + 1])


def _correlation(x: Floats, y: Floats) -> float:
    """Pearson's correlation, NaN where one side does not vary."""
    if not (np.ptp(x) > 0 and np.ptp(y) > 0):
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])
