"""Probes of words from which a direction has been taken out, with the labels they had before."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers
from lib.debiasing.projection import pair_direction, project_out
from lib.measures.context_probes import extremes
from lib.measures.geometry import (
    classification_accuracy,
    clustering_accuracy,
    neighbour_correlation,
)
from lib.measures.nearest import neighbours

PROBES = ("clustering", "classification", "neighbours")


def probe_without(
    probe: str,
    words: ArrayLike,
    leans: ArrayLike,
    direction: ArrayLike,
    *,
    size: int = 0,
    k: int = 100,
    rng: int = 0,
) -> float:
    """Clustering, classification or neighbours after a direction is taken out of the words.

    Parameters
    ----------
    probe : {"clustering", "classification", "neighbours"}
    words : array_like, shape (n, d)
        As they were; what names the contrast by definition should not be among them.
    leans : array_like, shape (n,)
        Their leans before.
    direction : array_like, shape (d,)
        What is taken out.
    size : int
        Words a side to cluster or classify.
    k : int
        Neighbours of each word.
    rng : int
        Seed of the starts and folds.

    Returns
    -------
    float
        Share right, or a correlation.

    Raises
    ------
    ValueError
        For another probe, or as the measure of the probe.

    Notes
    -----
    Hard debiasing of words that are not spared is this projection and a scaling to length 1, which
    all three probes do themselves. Direct bias toward the direction is 0 afterwards by construction.

    References
    ----------
    Gonen & Goldberg (2019); Basta, Costa-jussà & Casas (2019), third column of their comparison.

    Examples
    --------
    >>> words = [[9, 1, 0], [8, 1, 0.1], [-9, 0, 1], [-8, 0, 1.1]]
    >>> probe_without("clustering", words, [9, 8, -9, -8], [1, 0, 0], size=2)
    1.0
    """
    one_of("probe", probe, PROBES)
    changed, scores = project_out(words, direction), real_numbers("leans", leans)
    if probe == "neighbours":
        near = neighbours(changed, changed, k, exclude=np.arange(len(changed)))
        return float(neighbour_correlation(scores, near))
    rows, labels = extremes(scores, size)
    accuracy = clustering_accuracy if probe == "clustering" else classification_accuracy
    return float(accuracy(changed[rows], labels, rng=rng))


def leans_and_directions(
    first: ArrayLike, second: ArrayLike, words: ArrayLike, which: int
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """The leans of words by one pair, and the direction that all pairs share.

    Parameters
    ----------
    first, second : array_like, shape (p, d)
        Pairs, row j of one facing row j of the other.
    words : array_like, shape (n, d)
    which : int
        The pair that gives the leans.

    Returns
    -------
    leans : ndarray, shape (n,)
        Inner products with the difference of that pair.
    direction : ndarray, shape (d,)
        As `lib.debiasing.projection.pair_direction` has it.

    Raises
    ------
    ValueError
        As `pair_direction`.

    Examples
    --------
    >>> leans, direction = leans_and_directions([[3, 0]], [[1, 0]], [[1, 5], [-2, 5]], 0)
    >>> leans.tolist(), direction.tolist()
    ([2.0, -4.0], [1.0, 0.0])
    """
    a, b = real_numbers("first", first), real_numbers("second", second)
    leans = real_numbers("words", words) @ (a[which] - b[which])
    return leans, pair_direction(a, b)
