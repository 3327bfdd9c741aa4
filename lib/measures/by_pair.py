"""One set of words scored with many base pairs: the scorers, their order, and where sides differ.

Scores are (n, p): n words scored with p pairs, female first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows, unmasked
from lib.measures.nearest import neighbours
from lib.measures.word_bias import direct_bias, ripa

Floats = NDArray[np.float64]
Scorer = Callable[..., NDArray[np.floating]]
BYTES = 2**27  # that the search for neighbours may take at a time


def scorers(
    words: ArrayLike, neutral: ArrayLike, k: int = 100, *, exclude: ArrayLike | None = None
) -> dict[str, Scorer]:
    """Direct bias, RIPA and the neighbourhood bias metric of some words, ready for any base pairs.

    The neighbours are searched once, so that a thousand sets of pairs cost little.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    neutral : array_like of shape (m, d)
        Vectors of the words among which neighbours are searched.
    k : int
        How many neighbours.
    exclude : array_like of int of shape (n,), optional
        The row of each word in `neutral`; -1 for none.

    Returns
    -------
    dict of str to callable
        "DB/WA", "RIPA" and "NBM", each from female and male vectors (p, d) to scores (n, p).

    Raises
    ------
    ValueError
        As `neighbours`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> words, neutral, female, male = (rng.standard_normal((n, 8)) for n in (4, 50, 2, 2))
    >>> scores = {name: scorer(female, male) for name, scorer in scorers(words, neutral, 9).items()}
    >>> {name: values.shape for name, values in scores.items()}
    {'DB/WA': (4, 2), 'RIPA': (4, 2), 'NBM': (4, 2)}
    """
    words, neutral = unmasked("words", words), unmasked("neutral", neutral)
    near = neighbours(words, neutral, k, exclude=exclude, memory=BYTES)
    nearby, near = np.unique(near, return_inverse=True)
    near = near.reshape(len(words), -1)
    return {
        "DB/WA": partial(direct_bias, words),
        "RIPA": partial(ripa, words),
        "NBM": partial(_leaning_neighbours, neutral[nearby], near),
    }


def _leaning_neighbours(
    nearby: NDArray[np.floating], near: NDArray[np.int64], female: ArrayLike, male: ArrayLike
) -> Floats:
    """Share of leaning neighbours as in `neighbourhood_bias`, whose checks were made before."""
    contrast = unit_rows("female", female) - unit_rows("male", male)
    leans_female = nearby @ contrast.astype(nearby.dtype).T > 0
    shares = [leans[near].mean(axis=1) for leans in np.ascontiguousarray(leans_female.T)]
    return np.asarray(2 * np.stack(shares, axis=1) - 1, float)


def rank_correlations(scores: ArrayLike, facts: ArrayLike) -> Floats:
    """Spearman's correlation of the scores with each pair and one fact about the words.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words.
    facts : array_like of shape (n,)
        A number for each word, NaN where it is not known.

    Returns
    -------
    ndarray of shape (p,)
        In [-1, 1]; NaN where scores or facts do not differ.

    Raises
    ------
    ValueError
        Where shapes do not fit.

    Examples
    --------
    >>> rank_correlations([[1, 3], [2, 2], [3, 1], [9, 9]], [10, 20, 30, np.nan])
    array([ 1., -1.])
    """
    matrix, known = real_numbers("scores", scores), real_numbers("facts", facts)
    if matrix.ndim != 2 or known.shape != matrix.shape[:1]:
        raise ValueError(
            "expected scores (words, pairs) and a fact for each word, "
            f"got shapes {matrix.shape} and {known.shape}"
        )
    there = np.isfinite(known)
    if there.sum() < 2:
        return np.full(matrix.shape[1], np.nan)
    ranks = stats.rankdata(matrix[there], axis=0)
    others = stats.rankdata(known[there])
    ranks, others = ranks - ranks.mean(axis=0), others - others.mean()
    size = np.sqrt((ranks**2).sum(axis=0) * (others**2).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(others @ ranks / size, float)


def order_of_mean(scores: ArrayLike, facts: ArrayLike) -> float:
    """Spearman's correlation of the mean score over the pairs and one fact about the words.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words; each pair is standardised before the mean is taken.
    facts : array_like of shape (n,)
        A number for each word, NaN where it is not known.

    Returns
    -------
    float
        In [-1, 1]; NaN where scores or facts do not differ.

    Raises
    ------
    ValueError
        As `rank_correlations`.

    Examples
    --------
    >>> round(order_of_mean([[1, 30], [2, 10], [3, 20]], [4, 5, 9]), 6)
    0.5
    """
    means = standardised(scores).mean(axis=1, keepdims=True)
    return float(rank_correlations(means, facts)[0])


def standardised(scores: ArrayLike) -> Floats:
    """Scores of each pair in its own standard deviations from its own mean over the words.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words.

    Returns
    -------
    ndarray of shape (n, p)
        0 for a pair that gives all words one score.

    Examples
    --------
    >>> standardised([[1, 5], [3, 5]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    matrix = real_numbers("scores", scores)
    centred = matrix - matrix.mean(axis=0)
    size = matrix.std(axis=0)
    return np.asarray(centred / np.where(size > 0, size, 1), float)


def disagreement_by_lean(scores: ArrayLike, parts: int = 3) -> Floats:
    """How often two pairs give a word different sides, by how far it leans with the other pairs.

    The lean that sorts the words comes from pairs that are not compared, so that it does not follow
    from their agreement.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words with four pairs or more; each pair is standardised over the words, so that
        an offset of a pair is no disagreement.
    parts : int
        Into how many parts of equal size the words are sorted.

    Returns
    -------
    ndarray of shape (parts,)
        Shares of (word, two pairs), from the words nearest to zero to those that lean most.

    Raises
    ------
    ValueError
        For fewer than four pairs, or fewer words than parts.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.standard_normal((300, 1)) + 0.5 * rng.standard_normal((300, 8))
    >>> disagreement_by_lean(scores).round(2)
    array([0.38, 0.18, 0.01])
    """
    matrix = standardised(scores)
    n, p = matrix.shape
    if p < 4 or not 1 <= parts <= n:
        raise ValueError(
            f"expected four pairs or more and at least {parts} words, got {n} words and {p} pairs"
        )
    female, total, shares = matrix > 0, matrix.sum(axis=1), []
    for first, second in combinations(range(p), 2):
        others = np.abs(total - matrix[:, first] - matrix[:, second])
        differ = (female[:, first] != female[:, second])[np.argsort(others, kind="stable")]
        shares.append([part.mean() for part in np.array_split(differ, parts)])
    return np.asarray(np.mean(shares, axis=0), float)
