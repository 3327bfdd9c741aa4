"""How much of a lean stands in the text, how much in vectors trained on it, and how much is noise.

Scores of n words with p base pairs, positive female: of a text (n, p) from
`lib.measures.cooccurrence.genderedness`, NaN where a count is zero, and of vectors (r, n, p), by
`lib.measures.ripa` in each of r trainings on that text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

HALVES = ("text a", "text b", "vectors a", "vectors b", "vectors")
SMALLEST_SHARED = 1e-12  # what two halves of a text share, at least, so that a ratio is a number


def mean_over_pairs(scores: ArrayLike, known: ArrayLike) -> Floats:
    """The mean over the pairs that are known, so that text and vectors are averaged over the same.

    Parameters
    ----------
    scores : array_like, shape (..., n, p)
        Of words with pairs.
    known : array_like of bool, shape (n, p)
        Which of them count.

    Returns
    -------
    numpy.ndarray, shape (..., n)
        NaN for a word without any known pair.

    Examples
    --------
    >>> mean_over_pairs([[0.4, np.nan], [0.2, 0.4]], [[True, False], [True, True]])
    array([0.4, 0.3])
    """
    known = np.asarray(known)
    counted = np.where(known.any(axis=-1), known.sum(axis=-1), np.nan)
    return np.asarray(np.where(known, scores, 0).sum(axis=-1) / counted)


def text_beside_vectors(text: ArrayLike, vectors: ArrayLike, words: Sequence[str]) -> pd.DataFrame:
    """The lean of each word in the text and in the vectors, over the same pairs.

    Parameters
    ----------
    text : array_like, shape (n, p)
        NaN where not known.
    vectors : array_like, shape (r, n, p)
        Of r trainings.
    words : sequence of str
        The n words.

    Returns
    -------
    DataFrame
        A row for each word with a known pair: text; vectors, their mean over the trainings; low and
        high, the least and the most of them; size, the mean of their absolute values.

    Examples
    --------
    >>> text_beside_vectors([[0.2]], [[[0.3]], [[-0.1]]], ["nurse"]).round(2).to_dict("records")
    [{'text': 0.2, 'vectors': 0.1, 'low': -0.1, 'high': 0.3, 'size': 0.2}]
    """
    text = np.asarray(text)
    known = ~np.isnan(text)
    runs = mean_over_pairs(vectors, known)
    columns = {
        "text": mean_over_pairs(text, known),
        "vectors": runs.mean(axis=0),
        "low": runs.min(axis=0),
        "high": runs.max(axis=0),
        "size": np.abs(runs).mean(axis=0),
    }
    return pd.DataFrame(columns, index=list(words)).dropna()


def scores_of_halves(text: ArrayLike, vectors: Sequence[ArrayLike]) -> pd.DataFrame:
    """The lean of each word in two halves of a text, which share no noise, over the same pairs.

    Parameters
    ----------
    text : array_like, shape (2, n, p)
        Of the halves a and b; NaN where not known.
    vectors : sequence of array_like, shapes (r_a, n, p), (r_b, n, p) and (r, n, p)
        Of the trainings on each half and on the whole.

    Returns
    -------
    DataFrame
        Columns text a, text b, vectors a, vectors b, vectors; a row for each word with a pair that
        is known in both halves.

    Examples
    --------
    >>> scores_of_halves([[[0.2]], [[0.4]]], [[[[0.3]]], [[[0.1]]], [[[0.5]], [[0.7]]]]).round(2)
       text a  text b  vectors a  vectors b  vectors
    0     0.2     0.4        0.3        0.1      0.6
    """
    text = np.asarray(text)
    known = ~np.isnan(text[0] + text[1])
    means = [np.asarray(runs).mean(axis=0) for runs in vectors]
    columns = np.column_stack([mean_over_pairs(scores, known) for scores in (*text, *means)])
    return pd.DataFrame(columns[known.any(axis=1)], columns=list(HALVES))


def noise_of_halves(halves: pd.DataFrame) -> dict[str, float]:
    """How alike two halves are, and root mean squares with noise and without.

    Parameters
    ----------
    halves : DataFrame
        From `scores_of_halves`.

    Returns
    -------
    dict
        For text and for vectors the correlation of the halves, their root mean square, and that of
        what they share: the root of their mean product, 0 where that is negative.

    Examples
    --------
    >>> scores = [[1, 1, 2, 1, 1], [-1, -1, -1, 1, 1], [3, 1, 0, 0, 1]]
    >>> halves = pd.DataFrame(scores, columns=HALVES, dtype=float)
    >>> noise = noise_of_halves(halves)
    >>> round(noise["text: halves correlate"], 2), round(noise["text, shared"], 2)
    (0.87, 1.29)
    """
    noise = {"words": float(len(halves))}
    for side in ("text", "vectors"):
        a, b = halves[f"{side} a"].to_numpy(), halves[f"{side} b"].to_numpy()
        noise |= {
            f"{side}: halves correlate": float(np.corrcoef(a, b)[0, 1]),
            f"{side}, RMS": float(np.sqrt((a**2 + b**2).mean() / 2)),
            f"{side}, shared": float(np.sqrt(max((a * b).mean(), 0))),
        }
    return noise


def amplification(
    text: ArrayLike,
    vectors: ArrayLike,
    halves: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How much larger leans are in the vectors than in the text: 1 copies, more amplifies.

    Five answers, as no single one is free of fault. "ratio, whole" compares sizes, with the noise
    of training taken out (products of two trainings), but noise of counts swells the text and pulls
    it down; "slope, whole" is signed, and noise of counts pulls it down; "ratio, halves" and
    "slope, halves" compare the vectors of one half with the text of the other, free of both;
    "slope, upper end" compares the vectors of the whole with either half, so that learnt noise
    pushes it up.

    Parameters
    ----------
    text : array_like, shape (n, p)
        Of the whole; NaN where not known.
    vectors : array_like, shape (r, n, p)
        Of r trainings on the whole, two or more.
    halves : DataFrame
        From `scores_of_halves`.
    n_resamples : int
        Bootstrap draws of words.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        A row for each of the five numbers: value, the ends low and high of a 95 % percentile
        interval over words, and words, how many.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> text = rng.standard_normal((40, 3))
    >>> halves = scores_of_halves([text, text], [[2 * text], [2 * text], [2 * text]])
    >>> amplification(text, [2 * text, 2 * text], halves, rng=0)["value"].round(6).unique()
    array([2.])
    """
    text, generator = np.asarray(text), np.random.default_rng(rng)
    known = ~np.isnan(text)
    runs = mean_over_pairs(vectors, known)
    products = (runs.sum(axis=0) ** 2 - (runs**2).sum(axis=0)) / (len(runs) * (len(runs) - 1))
    whole = np.column_stack([mean_over_pairs(text, known), runs.mean(axis=0), products])
    numbers = {}
    for scores, ratios in (
        (whole[known.any(axis=1)], _whole_ratios),
        (halves[list(HALVES)].to_numpy(), _half_ratios),
    ):
        draws = scores[generator.integers(len(scores), size=(n_resamples, len(scores)))]
        values, resampled = ratios(scores), ratios(draws)
        for number, value in values.items():
            low, high = np.quantile(resampled[number], [0.025, 0.975])
            numbers[number] = (float(value), low, high, len(scores))
    return pd.DataFrame.from_dict(
        numbers, orient="index", columns=["value", "low", "high", "words"]
    )


def _whole_ratios(scores: Floats) -> dict[str, Floats]:
    text, vectors, products = np.moveaxis(scores, -1, 0)
    return {
        "ratio, whole": np.sqrt(np.maximum(products.sum(-1), 0) / (text * text).sum(-1)),
        "slope, whole": (vectors * text).sum(-1) / (text * text).sum(-1),
    }


def _half_ratios(scores: Floats) -> dict[str, Floats]:
    text_a, text_b, vectors_a, vectors_b, vectors = np.moveaxis(scores, -1, 0)
    shared = np.maximum((text_a * text_b).sum(-1), SMALLEST_SHARED)
    return {
        "ratio, halves": np.sqrt(np.maximum((vectors_a * vectors_b).sum(-1), 0) / shared),
        "slope, halves": (vectors_a * text_b + vectors_b * text_a).sum(-1) / 2 / shared,
        "slope, upper end": (vectors * (text_a + text_b)).sum(-1) / 2 / shared,
    }
