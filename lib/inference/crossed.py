"""Words scored with several pairs: variance components, reliability, and how many pairs it takes."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.checks import real_numbers


def crossed_components(scores: ArrayLike) -> pd.Series[float]:
    """Variance of a score by word, by pair, and by what a word does with one pair only.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Every one of n words scored with every one of p pairs, two or more of each.

    Returns
    -------
    pandas.Series
        `word`, `pair` and `word × pair`, which holds the error too; they sum to the expected
        variance of a single score. Estimates below 0 are set to 0.

    Raises
    ------
    ValueError
        For other shapes and for numbers that are not finite.

    References
    ----------
    Expected mean squares of the crossed random design, Brennan (2001), chapter 3.

    Examples
    --------
    >>> crossed_components([[0, 1], [2, 3], [4, 5]]).round(2).to_dict()
    {'word': 4.0, 'pair': 0.5, 'word × pair': 0.0}
    """
    matrix = real_numbers("scores", scores)
    if matrix.ndim != 2 or min(matrix.shape) < 2:
        raise ValueError(
            f"scores: expected (words, pairs), two or more of each, got shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise ValueError(
            "scores: expected finite numbers, got NaN or infinity; leave that word or pair out"
        )
    n, p = matrix.shape
    words, pairs = matrix.mean(axis=1, keepdims=True), matrix.mean(axis=0, keepdims=True)
    rest = ((matrix - words - pairs + matrix.mean()) ** 2).sum() / ((n - 1) * (p - 1))
    components = {
        "word": (p * words.var(ddof=1) - rest) / p,
        "pair": (n * pairs.var(ddof=1) - rest) / n,
        "word × pair": rest,
    }
    return pd.Series({name: max(float(value), 0.0) for name, value in components.items()})


def reliability(components: pd.Series[float], pairs: int = 1) -> float:
    """Share of the variance of a word's mean score that other pairs would find again: ICC(3, k).

    The order of the words is judged, so that what a pair adds to all words alike does not count.

    Parameters
    ----------
    components : pandas.Series
        From `crossed_components`.
    pairs : int
        How many the mean is over; 1 gives ICC(3,1).

    Returns
    -------
    float
        A share from 0 to 1, NaN when words do not differ at all.

    Raises
    ------
    ValueError
        For fewer than one pair.

    References
    ----------
    Shrout and Fleiss (1979), ICC(3,1) and ICC(3,k).

    Examples
    --------
    >>> components = pd.Series({"word": 1.0, "pair": 9.0, "word × pair": 1.0})
    >>> reliability(components), reliability(components, pairs=4)
    (0.5, 0.8)
    """
    if pairs < 1:
        raise ValueError(f"pairs: expected 1 or more, got {pairs!r}")
    whole = components["word"] + components["word × pair"] / pairs
    return float(components["word"] / whole) if whole > 0 else float("nan")


def pairs_needed(components: pd.Series[float], target: float = 0.8) -> float:
    """How many pairs the mean must be over for the order of words to be that reliable.

    Parameters
    ----------
    components : pandas.Series
        From `crossed_components`.
    target : float
        A reliability between 0 and 1.

    Returns
    -------
    float
        A whole number, infinity where words do not differ beyond what single pairs do, NaN where
        they do not differ at all.

    Raises
    ------
    ValueError
        For a target outside 0 to 1.

    References
    ----------
    The formula of Spearman (1910) and Brown (1910), solved for the number of parts.

    Examples
    --------
    >>> pairs_needed(pd.Series({"word": 1.0, "pair": 9.0, "word × pair": 1.0}))
    4.0
    """
    if not 0 < target < 1:
        raise ValueError(f"target: expected a reliability between 0 and 1, got {target!r}")
    word, rest = components["word"], components["word × pair"]
    if word == 0:
        return float("inf") if rest > 0 else float("nan")
    return float(max(np.ceil(rest / word * target / (1 - target) - 1e-9), 1.0))
