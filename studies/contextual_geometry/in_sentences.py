"""What a sentence changes: direct bias of words alone and in sentences, beside random pairs of words in the same sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows
from lib.inference.sums import TIE_TOLERANCE, p_of_draws

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
ALPHA = 0.05  # two-sided
SEEN = 2.0  # a change by this factor has to be told apart, or nothing could have been shown
FIELDS = ["value", "low", "high", "null", "null low", "null high", "p", "visible"]


def contrasts(first: ArrayLike, second: ArrayLike) -> Floats:
    """Directions (p, d) of length 1 from the second words to the first, (p, s, d) each, by their means over sentences."""
    a, b = real_numbers("first", first), real_numbers("second", second)
    return unit_rows("contrasts", (a - b).mean(axis=1)).astype(float)


def cosines(words: ArrayLike, directions: ArrayLike) -> Floats:
    """Cosines (n, s, p) of words in sentences (n, s, d) with directions (p, d) of length 1."""
    vectors = real_numbers("words", words)
    n, s, d = vectors.shape
    unit = unit_rows("words", vectors.reshape(-1, d))
    return np.asarray(unit @ real_numbers("directions", directions).T, float).reshape(n, s, -1)


def all_pairs(words: int) -> Places:
    """Places (m, 2) of every two different words, in both orders; row i * (words - 1) is the first of word i."""
    first = np.repeat(np.arange(words), words - 1)
    return np.column_stack([first, [j for i in range(words) for j in range(words) if i != j]])


def sharing_a_word(
    words: int, size: int, draws: int, *, rng: np.random.Generator | int | None = None
) -> Places:
    """Sets (draws, size) of rows of `all_pairs` whose first word is the same: student–stranger, student–guest.

    Such contrasts go one way about as much as those of woman–man and girl–boy. Sets of unrelated pairs vary less, so that a null made of
    them is too narrow.
    """
    if not 1 <= size < words:
        raise ValueError(
            f"size: expected 1 to {words - 1}, one word fewer than there are; got {size}"
        )
    generator = np.random.default_rng(rng)
    first = generator.integers(words, size=(draws, 1))
    seconds = np.argsort(generator.random((draws, words - 1)), axis=1)[:, :size]
    return np.asarray(first * (words - 1) + seconds)


def sharing_none(
    words: int, size: int, draws: int, *, rng: np.random.Generator | int | None = None
) -> Places:
    """Sets (draws, size) of any rows of `all_pairs`, drawn with replacement."""
    generator = np.random.default_rng(rng)
    return generator.integers(words * (words - 1), size=(draws, size))


def alike(directions: ArrayLike) -> float:
    """The mean cosine between directions (p, d) of length 1: 1 where all go one way; NaN of a single one."""
    rows = real_numbers("directions", directions)
    return float((rows @ rows.T)[np.triu_indices(len(rows), 1)].mean()) if len(rows) > 1 else np.nan


def means_of(scores: ArrayLike, sets: Places) -> Floats:
    """The mean score (n, draws) of each word over each set of the pairs, from scores (n, m) with single pairs."""
    matrix = real_numbers("scores", scores)
    weights = np.zeros((matrix.shape[1], len(sets)))
    np.add.at(weights, (sets.T, np.arange(len(sets))), 1 / sets.shape[1])
    return np.asarray(matrix @ weights)


def in_order(scores: ArrayLike, women: int, sets: Places) -> Floats:
    """The chance (draws,) that one of the first `women` rows scores above one of the others, in the mean over each set of pairs."""
    means = means_of(scores, sets)
    ranks = stats.rankdata(means, axis=0)[:women].sum(axis=0)
    men = len(means) - women
    return np.asarray((ranks - women * (women + 1) / 2) / (women * men))


def change(
    alone: ArrayLike,
    inside: ArrayLike,
    null_alone: ArrayLike,
    null_inside: ArrayLike,
    sets: Places,
    n_resamples: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """How many times as large direct bias is in a sentence as alone, beside sets of random pairs.

    Mean sizes of cosines (n, p) of words with pairs, and (m,) of all words with random pairs. "value": the geometric mean over
    pairs; "low", "high": 95 % over words and pairs; "null": that of sets of random pairs; "p": two-sided, of the distance from the null
    in logarithms; "visible": the factor from the null that is told apart at 5 %; "null low", "null high": the null over and times that.
    """
    before, after = real_numbers("alone", alone), real_numbers("inside", inside)
    n, pairs = before.shape
    observed = np.log(after.mean(axis=0) / before.mean(axis=0)).mean()
    single = np.log(
        real_numbers("null_inside", null_inside) / real_numbers("null_alone", null_alone)
    )
    null = single[sets].mean(axis=1)
    generator = np.random.default_rng(rng)
    counts = generator.multinomial(n, np.full(n, 1 / n), size=n_resamples)
    ratios = np.log((counts @ after) / (counts @ before))
    columns = generator.integers(pairs, size=(n_resamples, pairs))
    drawn = np.take_along_axis(ratios, columns, axis=1).mean(axis=1)
    away = np.abs(null - null.mean())
    apart = np.quantile(away, 1 - ALPHA)
    numbers = [observed, *np.quantile(drawn, [0.025, 0.975]), null.mean()]
    numbers += [null.mean() - apart, null.mean() + apart]
    p = p_of_draws(abs(observed - null.mean()), away, tolerance=TIE_TOLERANCE)
    return dict(zip(FIELDS, [*map(float, np.exp(numbers)), p, float(np.exp(apart))]))


def verdict(found: Mapping[str, float]) -> str:
    """ "less", "more" or "alike", beside random pairs; "not told" where a change by half could not have been told apart either."""
    if found["p"] <= ALPHA:
        return "less" if found["value"] < found["null"] else "more"
    return "alike" if found["visible"] < SEEN else "not told"
