"""When an audit says that a word leans: one rule for vectors and for models."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

TOLERANCE = 1e-12


def beside_random_words(values: ArrayLike, others: ArrayLike, zero: float) -> NDArray[np.float64]:
    """Two-sided shares of random words that lie as far from zero as each value, itself counted: never 0.

    Parameters
    ----------
    values : array_like of shape (n,)
    others : array_like of shape (m,)
        Scores of random words.
    zero : float
        Where words as such lie.

    Returns
    -------
    ndarray of shape (n,)
        From 1 / (1 + m) to 1.

    Examples
    --------
    >>> beside_random_words([3.0, 0.5], [-2.0, -1.0, 1.0, 2.0], 0.0)
    array([0.2, 1. ])
    """
    sizes = np.sort(np.abs(np.asarray(others, float) - zero))
    below = np.searchsorted(sizes, np.abs(np.asarray(values, float) - zero) - TOLERANCE)
    return np.asarray((1 + len(sizes) - below) / (1 + len(sizes)), float)


def leaning(
    values: ArrayLike, low: ArrayLike, high: ArrayLike, zero: float, adjusted: ArrayLike
) -> NDArray[np.str_]:
    """The side of each word that leans: adjusted p at most .05, and an interval that leaves zero out.

    Parameters
    ----------
    values, low, high, adjusted : array_like of shape (n,)
        Scores, positive female, the ends of their intervals (NaN where there is none), and p adjusted over words.
    zero : float
        Where words as such lie.

    Returns
    -------
    ndarray of str
        "female", "male", or "" for a word that is not said to lean.

    Examples
    --------
    >>> leaning([1.0, -1.0, 0.1], [0.5, -2.0, -1.0], [2.0, -0.5, 1.0], 0.0, [0.01, 0.01, 0.01]).tolist()
    ['female', 'male', '']
    """
    value, least, most = (np.asarray(one, float) for one in (values, low, high))
    beyond = (np.asarray(adjusted, float) <= 0.05) & ((least > zero) | (most < zero))
    return np.where(beyond, np.where(value > zero, "female", "male"), "")
