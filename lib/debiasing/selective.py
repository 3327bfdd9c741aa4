"""Which words keep a contrast when it is taken out of the others, and how much of it is left.

Shapes: n words, d dimensions, p pairs, k analogies of two words each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.debiasing.projection import principal_directions

Array = NDArray[np.floating]


def contrast_left(
    words: ArrayLike, cleaned: ArrayLike, contrasts: ArrayLike
) -> tuple[float, float]:
    """How much of the mean ``|w·x − w·y|`` over words and pairs is left after debiasing.

    Parameters
    ----------
    words, cleaned : array_like, shape (n, d)
        Before and after.
    contrasts : array_like, shape (p, d)
        The differences x − y, of word or of context vectors.

    Returns
    -------
    tuple of float
        The share that is left, and the largest one.

    References
    ----------
    Ethayarajh, Duvenaud & Hirst (2019), Debiasing Theorem, with M = W Wᵀ or W Cᵀ.

    Examples
    --------
    >>> contrast_left([[3.0, 4.0]], [[1.5, 4.0]], [[1.0, 0.0]])
    (0.5, 1.5)
    """
    before, after = (np.abs(np.asarray(w) @ np.asarray(contrasts).T) for w in (words, cleaned))
    return float(after.mean() / before.mean()), float(after.max())


def spared_by_rule(words: ArrayLike, gendered: ArrayLike, biased: ArrayLike) -> NDArray[np.bool_]:
    """Which words keep their gender: those nearer the direction of gender than that of stereotypes.

    Parameters
    ----------
    words : array_like, shape (n, d) or (k, 2, d)
        As they are.
    gendered, biased : array_like, shape (d,), or (k, d) for analogies
        First principal directions of the differences of base pairs and of stereotyped pairs.

    Returns
    -------
    numpy.ndarray of bool, shape (n,) or (k, 2)
        True where a word is left as it is.

    References
    ----------
    Ethayarajh, Duvenaud & Hirst (2019), Section 6.3.

    Examples
    --------
    >>> spared_by_rule([[2.0, 1.0], [1.0, 2.0]], gendered=[1, 0], biased=[0, 1])
    array([ True, False])
    """
    return np.abs(_along(words, gendered)) >= np.abs(_along(words, biased))


def strengths(analogies: ArrayLike, direction: ArrayLike, spared: ArrayLike = True) -> Array:
    """How far the words of each analogy lie apart along a direction, taken out where not spared.

    Parameters
    ----------
    analogies : array_like, shape (k, 2, d)
        The two words of each.
    direction : array_like, shape (d,)
        Of length 1.
    spared : array_like of bool, shape (k, 2)
        Words that keep their component; all unless given.

    Returns
    -------
    numpy.ndarray, shape (k,)
        0 or more.

    References
    ----------
    Ethayarajh, Duvenaud & Hirst (2019), Figure 1.

    Examples
    --------
    >>> queen_king = [[[2.0, 1.0], [-1.0, 1.0]]]
    >>> strengths(queen_king, [1, 0]), strengths(queen_king, [1, 0], spared=[[True, False]])
    (array([3.]), array([2.]))
    """
    kept = _along(analogies, direction) * np.asarray(spared)
    return np.asarray(np.abs(kept[..., 0] - kept[..., 1]))


def directions_without(differences: ArrayLike, places: Sequence[int]) -> Array:
    """The first principal direction of differences, each time without one of them.

    Parameters
    ----------
    differences : array_like, shape (m, d)
        Of pairs of words, two or more.
    places : sequence of int
        The row that is left out, -1 for none.

    Returns
    -------
    numpy.ndarray, shape (k, d)
        A direction of length 1 for each place.

    Examples
    --------
    >>> directions_without([[3, 0], [0, 2]], [0, 1, -1]).argmax(axis=1)
    array([1, 0, 0])
    """
    differences = np.asarray(differences)
    directions = {}
    for place in set(places):
        others = np.delete(differences, place, axis=0) if place >= 0 else differences
        directions[place] = principal_directions(others, centred=False)[0]
    return np.array([directions[place] for place in places])


def _along(words: ArrayLike, directions: ArrayLike) -> Array:
    """Components of words along one direction, or along one for each analogy."""
    words, directions = np.asarray(words), np.asarray(directions)
    if directions.ndim == 1:
        return np.asarray(words @ directions)
    return np.asarray(np.einsum("kwd,kd->kw", words, directions))
