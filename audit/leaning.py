"""When an audit says that a word leans, and what several questions about the same words cost."""

from __future__ import annotations

from collections.abc import Mapping

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


def asked_together(p: Mapping[str, float]) -> dict[str, float]:
    """By how much the p of each question is multiplied where several are asked of the same words.

    Parameters
    ----------
    p : mapping of str to float
        Question -> p; NaN for one that is not asked.

    Returns
    -------
    dict of str to float
        1 and more, of those that are asked.

    References
    ----------
    Holm (1979): if nothing is there, some question is answered by yes in 5 of 100 cases at most.

    Examples
    --------
    >>> asked_together({"list": 0.01, "fact": 0.03, "groups": float("nan")})
    {'list': 2.0, 'fact': 1.0}
    """
    asked = sorted((value, name) for name, value in p.items() if not np.isnan(value))
    times, largest = {}, 0.0
    for place, (value, name) in enumerate(asked):
        largest = max(largest, value * (len(asked) - place))
        times[name] = largest / value
    return times
