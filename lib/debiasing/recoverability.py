"""What debiasing leaves: can words still be told apart by a contrast taken out of their vectors?

A high number alone says nothing: vectors are redundant, and any contrast can be found again in the
rest of them. So every number stands beside those of contrasts between random words, treated alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.debiasing.projection import project_out
from lib.debiasing.rows import Array
from lib.measures.geometry import classification_accuracy, clustering_accuracy

Change = Callable[[Array], Array]  # (n, d) -> (n, d)
Method = Callable[[Array, Array], Change]  # both sides of the pairs -> change
MEASURES = ("clusters", "classifier")


@dataclass(frozen=True)
class Recovered:
    """How well two groups of words are told apart: shares of words, 0.5 by chance.

    Attributes
    ----------
    clusters : float
        By two clusters that know nothing of the groups, matched to them as well as they can be (so
        0.5 at least).
    classifier : float
        By a support vector machine taught on one half and asked about the other, both ways round.
    """

    clusters: float
    classifier: float


def recoverability(
    words: ArrayLike, labels: ArrayLike, *, rng: np.random.Generator | int | None = None
) -> Recovered:
    """How well two groups of words can be told apart by their vectors.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Taken at length 1.
    labels : array_like of shape (n,)
        True for one group.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    Recovered
        Shares in [0, 1].

    Raises
    ------
    ValueError
        As `lib.measures.geometry.clustering_accuracy` and `classification_accuracy`.

    References
    ----------
    Gonen & Goldberg (2019), Section 4: k-means with two clusters, and an SVM with an RBF kernel.

    Examples
    --------
    >>> recoverability([[1, 0], [2, 0.1], [0, 1], [0.1, 3]], [1, 1, 0, 0], rng=0)
    Recovered(clusters=1.0, classifier=1.0)
    """
    from threadpoolctl import threadpool_limits

    generator = np.random.default_rng(rng)
    with threadpool_limits(1):  # threads cost more than they save on some hundred words
        clusters = clustering_accuracy(words, labels, rng=generator)
        return Recovered(clusters, classification_accuracy(words, labels, folds=2, rng=generator))


def pair_projection(first: Array, second: Array) -> Change:
    """A method: the span of the differences of pairs, both (p, d), is projected out."""
    return lambda words: project_out(words, first - second)


def random_pairs(
    n: int,
    draws: int,
    pairs: int,
    *,
    leave_out: Sequence[int] = (),
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.intp]:
    """Rows of random words in pairs, to be treated as the pairs of a real contrast are.

    Parameters
    ----------
    n : int
        Words to draw from, the first rows of a vocabulary.
    draws, pairs : int
        How many lists, of how many pairs each.
    leave_out : sequence of int
        Rows that are not drawn.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    ndarray of shape (draws, 2, pairs)
        Rows, different within a draw.

    Raises
    ------
    ValueError
        Where there are too few words.

    Examples
    --------
    >>> random_pairs(100, draws=5, pairs=3, rng=0).shape
    (5, 2, 3)
    """
    free, generator = np.setdiff1d(np.arange(n), leave_out), np.random.default_rng(rng)
    if len(free) < 2 * pairs or pairs < 1 or draws < 1:
        raise ValueError(
            f"expected {2 * pairs} words or more to draw {pairs} pairs from, got {len(free)}"
        )
    return np.stack([generator.choice(free, (2, pairs), replace=False) for _ in range(draws)])
