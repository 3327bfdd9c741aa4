"""Word similarity: how well cosines follow people's judgements, and what a change leaves of them.

Shapes: n words or word pairs, d dimensions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors

Array = NDArray[np.floating]


class Preserved(NamedTuple):
    """What a change of the vectors leaves of their similarities.

    Attributes
    ----------
    cosines : float
        Pearson's correlation of the cosines of random pairs before and after, in [-1, 1].
    neighbours : float
        Share of nearest neighbours that stay, in [0, 1].
    """

    cosines: float
    neighbours: float


def similarity_correlation(first: ArrayLike, second: ArrayLike, scores: ArrayLike) -> float:
    """Pearson's correlation of the cosines of word pairs with people's scores.

    Parameters
    ----------
    first, second : array_like of shape (n, d)
        Row j of one beside row j of the other; three pairs or more.
    scores : array_like of shape (n,)
        What people said of each pair, on any scale.

    Returns
    -------
    float
        In [-1, 1]; positive where close vectors are words that people call alike.

    Raises
    ------
    ValueError
        Where shapes disagree, a vector has no length, or all scores are equal.

    References
    ----------
    Karve, Ungar & Sedoc (2019), Table 8, which prints it times 100.

    Examples
    --------
    >>> first, second = [[1, 0], [1, 0], [1, 0]], [[1, 0], [3, 4], [0, 1]]
    >>> round(similarity_correlation(first, second, [5, 3, 0]), 3)
    1.0
    """
    cosines = _cosines(first, second)
    return float(_pearson(cosines, _scores(scores, len(cosines))))


def similarity_change(
    before: tuple[ArrayLike, ArrayLike],
    after: tuple[ArrayLike, ArrayLike],
    scores: ArrayLike,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float, float]:
    """What a change of the vectors does to `similarity_correlation`, with an interval over pairs.

    Parameters
    ----------
    before, after : pair of array_like of shape (n, d)
        First and second words of the pairs, as they were and as they are now.
    scores : array_like of shape (n,)
        What people said of each pair.
    resamples : int
        Bootstrap draws of pairs, each the same before and after.
    level : float
        Of the percentile interval, between 0 and 1.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    change, low, high : float
        Positive where the correlation grows; each in [-2, 2].

    Raises
    ------
    ValueError
        As `similarity_correlation`.

    Examples
    --------
    >>> first, second = [[1, 0], [1, 0], [1, 0]], [[1, 0], [3, 4], [0, 1]]
    >>> similarity_change((first, second), (first, second), [5, 3, 0], rng=0)[0]
    0.0
    """
    cosines = np.stack([_cosines(*before), _cosines(*after)])
    judged = _scores(scores, cosines.shape[1])
    pairs = np.random.default_rng(rng).integers(0, len(judged), (resamples, len(judged)))
    draws = [_pearson(values[pairs], judged[pairs]) for values in cosines]
    low, high = np.nanquantile(draws[1] - draws[0], [(1 - level) / 2, (1 + level) / 2])
    correlations = _pearson(cosines, judged)
    return float(correlations[1] - correlations[0]), float(low), float(high)


def preserved_similarity(
    before: ArrayLike,
    after: ArrayLike,
    *,
    pairs: int = 5000,
    words: int = 300,
    k: int = 10,
    rng: np.random.Generator | int | None = None,
) -> Preserved:
    """How much of the similarities of a vocabulary a change of its vectors preserves.

    Parameters
    ----------
    before, after : array_like of shape (n, d)
        The same words before and after.
    pairs : int
        Random pairs of words whose cosines are correlated.
    words : int
        Random words whose neighbours are compared.
    k : int
        Neighbours of each.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    Preserved
        1 and 1 where nothing changes.

    Raises
    ------
    ValueError
        Where shapes disagree, or a vector has no direction.

    Examples
    --------
    >>> vectors = np.random.default_rng(0).standard_normal((50, 5))
    >>> preserved_similarity(vectors, 2 * vectors, rng=0).neighbours
    1.0
    """
    states = unit_rows("before", before), unit_rows("after", after)
    generator, n = np.random.default_rng(rng), len(states[0])
    i, j = generator.integers(0, n, (2, pairs))
    i, j = i[i != j], j[i != j]
    cosines = [np.einsum("pd,pd->p", unit[i], unit[j]) for unit in states]
    chosen = generator.choice(n, min(words, n), replace=False)
    nearest = [np.argsort(-(unit[chosen] @ unit.T), axis=1)[:, 1 : k + 1] for unit in states]
    shares = [len(np.intersect1d(*rows)) / k for rows in zip(*nearest, strict=True)]
    return Preserved(float(np.corrcoef(*cosines)[0, 1]), float(np.mean(shares)))


def _pearson(x: Array, y: Array) -> Array:
    """Correlations along the last axis; NaN where one side does not vary."""
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    size = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((x * y).sum(axis=-1) / size)


def _scores(scores: ArrayLike, n: int) -> Array:
    values = real_numbers("scores", scores)
    if values.shape != (n,) or not np.ptp(values) > 0:
        raise ValueError(
            f"scores: expected {n} that are not all equal, got shape {values.shape}; "
            "give one for each pair"
        )
    return values


def _cosines(first: ArrayLike, second: ArrayLike) -> Array:
    """Cosine of each pair of rows, of three pairs or more."""
    a, b = (
        vectors(name, real_numbers(name, rows), at_least=3)
        for name, rows in (("first", first), ("second", second))
    )
    if a.shape != b.shape:
        raise ValueError(f"expected two arrays (n, d) of one shape, got {a.shape} and {b.shape}")
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    if not (sizes > 0).all():
        raise ValueError(
            f"expected vectors with a length, got zeros in pair {int(sizes.argmin())}; leave it out"
        )
    return np.asarray(np.einsum("nd,nd->n", a, b) / sizes)
