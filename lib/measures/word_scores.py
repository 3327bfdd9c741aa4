"""Every measure of the book that scores a word by two lists, one beside the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unmasked
from lib.measures.word_bias import (
    axis_projection,
    direct_bias,
    gender_polarity,
    mean_average_cosine,
    neighbourhood_bias,
    one_vs_one,
    one_vs_rest,
    relative_norm_difference,
    ripa,
)

Floats = NDArray[np.float64]
SIGNED = (
    "direct bias",
    "RIPA",
    "neighbourhood bias",
    "projection",
    "norm difference",
    "polarity",
)
UNSIGNED = ("one-vs-one", "one-vs-rest", "mean cosine")


def scores_by_pair(
    words: ArrayLike,
    female: ArrayLike,
    male: ArrayLike,
    neutral: ArrayLike,
    *,
    k: int = 50,
    exclude: ArrayLike | None = None,
) -> dict[str, Floats]:
    """Direct bias, RIPA and neighbourhood bias of each word with each pair alone.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female, male : array_like of shape (p, d)
        Vectors of the pairs, or of any two lists of one length that stand for two poles.
    neutral : array_like of shape (m, d)
        Vectors among which neighbours are sought.
    k : int
        How many neighbours.
    exclude : array_like of int of shape (n,), optional
        The row of each word in `neutral`, -1 for none.

    Returns
    -------
    dict of str to ndarray of shape (n, p)
        Positive leans to the first list.

    Raises
    ------
    ValueError
        As the measures.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> arrays = [rng.standard_normal((n, 8)) for n in (4, 3, 3, 60)]
    >>> {name: scores.shape for name, scores in scores_by_pair(*arrays).items()}
    {'direct bias': (4, 3), 'RIPA': (4, 3), 'neighbourhood bias': (4, 3)}
    """
    return {
        "direct bias": direct_bias(words, female, male).astype(float),
        "RIPA": ripa(words, female, male).astype(float),
        "neighbourhood bias": neighbourhood_bias(
            words, female, male, neutral, k, exclude=exclude
        ).astype(float),
    }


def word_scores(
    words: ArrayLike,
    female: ArrayLike,
    male: ArrayLike,
    neutral: ArrayLike,
    *,
    k: int = 50,
    exclude: ArrayLike | None = None,
) -> dict[str, Floats]:
    """Scores of each word with all pairs, by every measure.

    Parameters
    ----------
    words, female, male, neutral, k, exclude
        As in `scores_by_pair`.

    Returns
    -------
    dict of str to ndarray of shape (n,)
        `SIGNED`, positive leans to the first list, then `UNSIGNED`, more is more association. Polarity takes the first
        pair; classes of one-vs-one and one-vs-rest are the means of the lists, with which the two are the same;
        mean cosine is 1 less MAC. With pairs, direct bias is also the association of a word in WEAT.

    Raises
    ------
    ValueError
        As the measures.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> arrays = [rng.standard_normal((n, 8)) for n in (4, 3, 3, 60)]
    >>> tuple(word_scores(*arrays)) == SIGNED + UNSIGNED
    True
    """
    first, second = unmasked("female", female), unmasked("male", male)
    classes = np.stack([first.mean(axis=0), second.mean(axis=0)])
    by_pair = scores_by_pair(words, first, second, neutral, k=k, exclude=exclude)
    others = {
        "projection": axis_projection(words, first, second),
        "norm difference": relative_norm_difference(words, first, second),
        "polarity": gender_polarity(words, first[0], second[0]),
        "one-vs-one": one_vs_one(words, classes),
        "one-vs-rest": one_vs_rest(words, classes),
        "mean cosine": 1 - mean_average_cosine(words, [first, second]).mean(axis=1),
    }
    return {name: scores.mean(axis=1) for name, scores in by_pair.items()} | {
        name: scores.astype(float) for name, scores in others.items()
    }
