"""Random word pairs in place of base pairs: what statistics of the scores become by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, vectors
from lib.inference.random_words import random_pairs

Floats = NDArray[np.float64]


def statistics_of_random_pairs(
    measure: Callable[[NDArray[np.floating], NDArray[np.floating]], NDArray[np.floating]],
    statistics: Mapping[str, Callable[[NDArray[np.floating]], ArrayLike]],
    vocabulary: ArrayLike,
    positions: ArrayLike,
    *,
    columns: Mapping[str, Sequence[int]] | None = None,
    draws: int = 1000,
    matched: bool = False,
    rng: np.random.Generator | int | None = None,
) -> dict[str, Floats]:
    """Null baselines: statistics of the same words' scores with random pairs for the base pairs.

    Parameters
    ----------
    measure : callable
        From female and male vectors, (p, d) each, to scores (n, p).
    statistics : mapping of str to callable
        Name -> from scores (n, p) to a number, or to several.
    vocabulary : array_like of shape (m, d)
        Vectors to draw from.
    positions : array_like of int of shape (p, 2)
        Rows of the base pairs in the vocabulary, never drawn.
    columns : mapping of str to sequence of int, optional
        Name -> the pairs that this statistic looks at, where it is not given all of them.
    draws : int
        How many times p pairs are drawn.
    matched : bool
        Whether each word is drawn near the rank of the word it stands for, for a vocabulary in
        order of frequency.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    dict of str to ndarray of shape (draws, ...)
        The statistics of each draw.

    Raises
    ------
    ValueError
        When positions do not fit or leave no word to draw, or columns are those of no statistic.

    Examples
    --------
    >>> words, vocabulary = np.random.default_rng(0).normal(size=(2, 300, 9))
    >>> found = statistics_of_random_pairs(
    ...     lambda female, male: words @ (female - male).T,
    ...     {"mean": np.mean, "mean by pair": lambda scores: scores.mean(axis=0)},
    ...     vocabulary, [[0, 1], [2, 3]], draws=50, rng=0,
    ... )
    >>> found["mean"].shape, found["mean by pair"].shape
    ((50,), (50, 2))
    """
    space = vectors("vocabulary", vocabulary)
    pairs = random_pairs(positions, len(space), draws, matched=matched, rng=rng)
    seen = {name: list(chosen) for name, chosen in (columns or {}).items()}
    if unknown := seen.keys() - statistics.keys():
        raise ValueError(
            f"columns: expected names of statistics ({', '.join(statistics)}), "
            f"got {', '.join(sorted(unknown))}"
        )
    values: dict[str, list[ArrayLike]] = {name: [] for name in statistics}
    for rows in pairs:
        scores = measure(space[rows[:, 0]], space[rows[:, 1]])
        for name, statistic in statistics.items():
            values[name].append(statistic(scores[:, seen[name]] if name in seen else scores))
    return {name: np.array(each, float) for name, each in values.items()}


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
