"""What debiasing leaves: can words still be told apart by a contrast taken out of their vectors?

A high number alone says nothing: vectors are redundant, and any contrast can be found again in the
rest of them. Set it beside those of contrasts between random words, treated alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lib.measures.geometry import classification_accuracy, clustering_accuracy


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
