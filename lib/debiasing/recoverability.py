"""What debiasing leaves: can words still be told apart by a contrast taken out of their vectors?

A high number alone says nothing: vectors are redundant, and any contrast can be found again in the
rest of them. So every number stands beside those of contrasts between random words, treated alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.debiasing.conceptors import conceptor
from lib.debiasing.projection import project_out
from lib.debiasing.rows import Array
from lib.inference.sums import p_of_draws
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


def extremes(
    scores: ArrayLike, k: int, *, leave_out: Sequence[int] = ()
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The k words that lean most to one side and the k that lean most to the other.

    Parameters
    ----------
    scores : array_like of shape (n,)
        One a word.
    k : int
        Words of each side.
    leave_out : sequence of int
        Rows that are never taken, such as the words that define the contrast.

    Returns
    -------
    rows : ndarray of shape (2k,)
        Highest first, then lowest.
    labels : ndarray of shape (2k,)
        True for the high ones.

    Raises
    ------
    ValueError
        Where fewer than 2k words are left.

    Examples
    --------
    >>> extremes([0.1, 3, -2, 5, -7, 0], 2)[0].tolist()
    [3, 1, 4, 2]
    """
    scores = real_numbers("scores", scores)
    kept = np.setdiff1d(np.arange(len(scores)), leave_out)
    if not 1 <= k <= len(kept) // 2:
        raise ValueError(
            f"k: expected 1 to {len(kept) // 2}, half of the {len(kept)} words that may be taken, "
            f"got {k!r}"
        )
    order = kept[np.argsort(-scores[kept], kind="stable")]
    return np.concatenate([order[:k], order[::-1][:k]]), np.arange(2 * k) < k


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


def pair_conceptor(first: Array, second: Array, aperture: float) -> Change:
    """A method: what the conceptor of both sides of pairs, (p, d), keeps is taken off, in
    float32.
    """
    C = conceptor(np.concatenate([first, second]), aperture).astype(np.float32)
    return lambda words: words - words @ C


def contrast_recoverability(
    vocabulary: ArrayLike,
    first: Sequence[int],
    second: Sequence[int],
    methods: Sequence[Method],
    *,
    k: int = 250,
    leave_out: Sequence[int] = (),
    rng: np.random.Generator | int | None = None,
) -> list[Recovered]:
    """How well the extreme words of a contrast are told apart once it is taken out of them.

    Parameters
    ----------
    vocabulary : array_like of shape (n, d)
        Raw vectors.
    first, second : sequence of int
        Rows of p words each, row j of one facing row j of the other. The contrast is the mean of
        their differences; its 2k extreme words are chosen by cosine before debiasing.
    methods : sequence of callable
        Each takes the (p, d) vectors of both sides and returns the change to make to words.
    k : int
        Words of each side that are to be told apart.
    leave_out : sequence of int
        Further rows that are never chosen; the p words of both sides never are.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    list of Recovered
        One for each method.

    Raises
    ------
    ValueError
        As `extremes` and `recoverability`, or when sides differ.

    References
    ----------
    Gonen & Goldberg (2019), Section 4.
    """
    vectors, generator = np.asarray(vocabulary), np.random.default_rng(rng)
    if len(first) != len(second) or not len(first):
        raise ValueError(f"expected pairs of words, got {len(first)} and {len(second)}")
    sides = vectors[list(first)], vectors[list(second)]
    direction = (sides[0] - sides[1]).mean(axis=0)
    lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
    scores = vectors @ direction / np.where(lengths > 0, lengths, np.inf)
    rows, labels = extremes(scores, k, leave_out=[*first, *second, *leave_out])
    seed = int(generator.integers(2**31))
    return [recoverability(method(*sides)(vectors[rows]), labels, rng=seed) for method in methods]


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


def recoverability_beside_random(
    vocabulary: ArrayLike,
    first: Sequence[int],
    second: Sequence[int],
    methods: Mapping[str, Method],
    *,
    k: int = 250,
    draws: int = 100,
    specific: Sequence[int] = (),
    rng: int = 0,
) -> pd.DataFrame:
    """`contrast_recoverability` of a contrast, beside that of contrasts between random words.

    Parameters
    ----------
    vocabulary, first, second, k
        As in `contrast_recoverability`.
    methods : dict of str to callable
        Name -> method.
    draws : int
        Random contrasts, each of as many pairs of words.
    specific : sequence of int
        Rows of words that name the contrast, left out in a second run.
    rng : int
        Seed of every run alike.

    Returns
    -------
    DataFrame
        One row a method and measure ("clusters", "classifier"): `treatment`, `measure`; `real`, the
        share of the extreme words on the right side; `without`, the same with the specific words
        left out; `median`, `null low`, `null high`, the median and central 95 % of random
        contrasts; `beyond`, the share of those that reach `real`, itself counted.

    Raises
    ------
    ValueError
        As `contrast_recoverability`.
    """
    vectors = np.asarray(vocabulary)
    changes = list(methods.values())
    real = contrast_recoverability(vectors, first, second, changes, k=k, rng=rng)
    without = contrast_recoverability(
        vectors, first, second, changes, k=k, leave_out=specific, rng=rng
    )
    random = [
        contrast_recoverability(vectors, list(one), list(other), changes, k=k, rng=rng)
        for one, other in random_pairs(len(vectors), draws, len(first), rng=rng)
    ]
    rows = []
    for number, method in enumerate(methods):
        for measure in MEASURES:
            null = np.array([getattr(draw[number], measure) for draw in random])
            value = getattr(real[number], measure)
            low, median, high = np.quantile(null, [0.025, 0.5, 0.975])
            rows.append(
                {
                    "treatment": method,
                    "measure": measure,
                    "real": value,
                    "without": getattr(without[number], measure),
                    "median": median,
                    "null low": low,
                    "null high": high,
                    "beyond": p_of_draws(value, null),
                }
            )
    return pd.DataFrame(rows)
