"""Every signed word-level score of one list of words, pair by pair: what a comparison of measures begins with."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.measures.nearest import neighbours
from lib.measures.word_bias import (
    axis_projection,
    direct_bias,
    gender_polarity,
    mean_average_cosine,
    neighbourhood_bias,
    relative_norm_difference,
    ripa,
)

Floats = NDArray[np.float64]


def every_score(
    words: ArrayLike, first: ArrayLike, second: ArrayLike, neutral: ArrayLike, k: int = 100
) -> dict[str, Floats]:
    """Seven signed scores of each word with each pair of pole words.

    Parameters
    ----------
    words : array_like, shape (n, d)
    first, second : array_like, shape (p, d)
        The two sides of the pairs, such as female and male words; positive leans to the first.
    neutral : array_like, shape (m, d)
        Words among which neighbours are searched.
    k : int
        Neighbours, at most m.

    Returns
    -------
    dict of str to ndarray of shape (n, p)
        "direct bias", "MAC difference", "polarity", "RIPA", "axis projection",
        "norm difference", "neighbourhood". With one pair at a time the first two are one order of the words, and so are
        RIPA and axis projection: this is algebra, no finding.

    Raises
    ------
    ValueError
        As the measures do.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> words, first, second, neutral = (rng.standard_normal((n, 9)) for n in (5, 2, 2, 30))
    >>> scores = every_score(words, first, second, neutral, k=7)
    >>> len(scores), bool(np.allclose(scores["RIPA"], scores["axis projection"]))
    (7, True)
    """
    rows, ones, others = (np.asarray(part, float) for part in (words, first, second))
    near = neighbours(rows, np.asarray(neutral, float), k)
    scores = {"direct bias": direct_bias(rows, ones, others)}
    pairs = [(one[None], other[None]) for one, other in zip(ones, others)]
    by_pair = {
        "MAC difference": [
            -np.diff(mean_average_cosine(rows, pair)[:, ::-1])[:, 0] for pair in pairs
        ],
        "polarity": [gender_polarity(rows, one, other) for one, other in zip(ones, others)],
        "axis projection": [axis_projection(rows, *pair) for pair in pairs],
        "norm difference": [relative_norm_difference(rows, *pair) for pair in pairs],
    }
    scores |= {name: np.stack(columns, axis=1) for name, columns in by_pair.items()}
    scores["RIPA"] = ripa(rows, ones, others)
    scores["neighbourhood"] = neighbourhood_bias(rows, ones, others, neutral, neighbours=near)
    return {name: np.asarray(values, np.float64) for name, values in scores.items()}
