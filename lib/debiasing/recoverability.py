"""What debiasing leaves to be found: can words still be told apart by a contrast that was taken out of their vectors?

A high number alone says nothing: vectors are redundant, and any contrast can be found again in the rest of them. So every
number stands beside those of contrasts between random words, treated alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.measures.geometry import classification_accuracy, clustering_accuracy

Array = NDArray[np.floating]
Debias = Callable[[Array], Array]  # (n, d) -> (n, d)


@dataclass(frozen=True)
class Recovered:
    """How well two groups of words are told apart: shares of words, 0.5 by chance.

    clusters : by two clusters that know nothing of the groups, matched to them as well as they can be (so 0.5 at least);
    classifier : by a support vector machine taught on one half and asked about the other, both ways round.
    """

    clusters: float
    classifier: float


def extremes(
    scores: ArrayLike, k: int, *, leave_out: Sequence[int] = ()
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The k words that lean most to one side and the k that lean most to the other.

    scores : (n,), one a word; leave_out : rows that are never taken, such as the words that define the contrast.
    Returns rows (2k,), highest first, then lowest; and labels (2k,), true for the high ones.
    Raises ValueError when fewer than 2k words are left.
    """
    scores = np.asarray(scores, np.float64)
    kept = np.setdiff1d(np.arange(len(scores)), leave_out)
    if not 1 <= k <= len(kept) // 2:
        raise ValueError(
            f"k: expected 1 to {len(kept) // 2}, half of the {len(kept)} words that may be taken, got {k!r}"
        )
    order = kept[np.argsort(-scores[kept], kind="stable")]
    return np.concatenate([order[:k], order[::-1][:k]]), np.arange(2 * k) < k


def recoverability(vectors: ArrayLike, labels: ArrayLike, *, rng=None) -> Recovered:
    """How well two groups of words can be told apart by their vectors.

    vectors : (n, d), scaled to unit length here; labels : (n,), true for one group; rng : Generator or seed.
    Returns a `Recovered`. Raises ValueError as `lib.measures.geometry.clustering_accuracy` and `classification_accuracy`.
    Gonen & Goldberg (2019), Section 4: k-means with two clusters, and an SVM with an RBF kernel.
    """
    from threadpoolctl import threadpool_limits

    generator = np.random.default_rng(rng)
    with threadpool_limits(1):  # threads cost more than they save on some hundred words
        clusters = clustering_accuracy(vectors, labels, rng=generator)
        return Recovered(clusters, classification_accuracy(vectors, labels, folds=2, rng=generator))


def contrast_recoverability(
    vocabulary: ArrayLike,
    first: Sequence[int],
    second: Sequence[int],
    methods: Sequence[Callable[[Array, Array], Debias]],
    *,
    k: int = 250,
    leave_out: Sequence[int] = (),
    rng=None,
) -> list[Recovered]:
    """Take a contrast between words out of a vocabulary, and see how well its extreme words are still told apart.

    vocabulary : (n, d) raw vectors; first, second : rows of p words each, row j of one facing row j of the other. The
    contrast is the mean of their differences; its 2k extreme words are chosen by cosine before debiasing.
    methods : each takes the (p, d) vectors of both sides and returns the change to make to words, (n, d) -> (n, d);
    leave_out : further rows that are never chosen; the p words of both sides never are. rng : Generator or seed.
    Returns a `Recovered` for each method. Raises ValueError as `extremes` and `recoverability`, or when sides differ.
    """
    vocabulary, generator = np.asarray(vocabulary), np.random.default_rng(rng)
    if len(first) != len(second) or not len(first):
        raise ValueError(f"expected pairs of words, got {len(first)} and {len(second)}")
    sides = vocabulary[list(first)], vocabulary[list(second)]
    direction = (sides[0] - sides[1]).mean(axis=0)
    lengths = np.sqrt(np.einsum("nd,nd->n", vocabulary, vocabulary))
    scores = vocabulary @ direction / np.where(lengths > 0, lengths, np.inf)
    rows, labels = extremes(scores, k, leave_out=[*first, *second, *leave_out])
    seed = int(generator.integers(2**31))
    return [
        recoverability(method(*sides)(vocabulary[rows]), labels, rng=seed) for method in methods
    ]


def random_pairs(
    n: int, draws: int, pairs: int, *, leave_out: Sequence[int] = (), rng=None
) -> NDArray[np.intp]:
    """Rows of random words in pairs, to be treated as the pairs of a real contrast are.

    n : words to draw from, the first rows of a vocabulary; draws, pairs : how many lists, of how many pairs each.
    Returns (draws, 2, pairs) rows, different within a draw. Raises ValueError when there are too few words.
    """
    free, generator = np.setdiff1d(np.arange(n), leave_out), np.random.default_rng(rng)
    if len(free) < 2 * pairs or pairs < 1 or draws < 1:
        raise ValueError(
            f"expected {2 * pairs} words or more to draw {pairs} pairs from, got {len(free)}"
        )
    return np.stack([generator.choice(free, (2, pairs), replace=False) for _ in range(draws)])
