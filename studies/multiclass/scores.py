"""Mean scores of professions with two or more class words after Lu, Sujichantararat and Lohanimit (2021), and what chance gives in their place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, stats

from lib.checks import one_of, real_numbers, unit_rows, unmasked, vectors
from lib.inference.sums import p_of_draws
from lib.measures.word_bias import gender_polarity, one_vs_one, one_vs_rest

Array = NDArray[np.floating]

MEASURES = ("baseline gender polarity", "one-vs-one", "one-vs-rest")
BLOCK = 100  # draws scored at a time


def bias_scores(measure: str, words: ArrayLike, classes: ArrayLike) -> Array:
    """The score (n,) of each word (n, d) under one of `MEASURES`, equations 1 to 5, without a direction: in [0, 2]; the baseline takes two classes."""
    one_of("measure", measure, MEASURES)
    if measure == "one-vs-one":
        return one_vs_one(words, classes)
    if measure == "one-vs-rest":
        return one_vs_rest(words, classes)
    first, second = unmasked("classes", classes)
    return np.abs(gender_polarity(words, first, second))


def against_rest(words: ArrayLike, classes: ArrayLike) -> Array:
    """The cosine (n, c) of each word with each class word minus the mean of the others (equation 5); the largest of a row is its one-vs-rest score."""
    rows = unmasked("classes", classes)
    rest = [np.delete(rows, place, axis=0).mean(axis=0) for place in range(len(rows))]
    columns = [gender_polarity(words, own, others) for own, others in zip(rows, rest)]
    return np.column_stack(columns)


def random_class_scores(
    measure: str,
    words: ArrayLike,
    candidates: ArrayLike,
    n_classes: int,
    draws: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> Array:
    """Mean scores (draws,) of the words with class words drawn at random from candidates (m, d), no word twice in a draw."""
    generator, rows = np.random.default_rng(rng), unmasked("candidates", candidates)
    chosen = [generator.choice(len(rows), n_classes, replace=False) for _ in range(draws)]
    return np.asarray(drawn_scores(measure, words, rows[np.array(chosen)]).mean(axis=1))


def drawn_scores(measure: str, words: ArrayLike, classes: ArrayLike) -> Array:
    """The scores (draws, n) of `bias_scores` with many sets of class words (draws, c, d) at once: a null, word by word."""
    one_of("measure", measure, MEASURES)
    rows, sets = vectors("words", words, at_least=0), unmasked("classes", classes)
    if sets.ndim != 3 or sets.shape[1] < 2 or sets.shape[2] != rows.shape[1]:
        raise ValueError(
            f"classes: expected (draws, c, {rows.shape[1]}) with two classes or more, "
            f"got {sets.shape}"
        )
    unit = unit_rows("words", rows, at_least=0)
    scores = np.empty((len(sets), len(rows)))
    for start in range(0, len(sets), BLOCK):
        block = sets[start : start + BLOCK]
        leans = unit @ _directions(measure, block).reshape(-1, rows.shape[1]).T
        leans = leans.reshape(len(rows), len(block), -1)
        best = leans.max(axis=2) if measure == "one-vs-rest" else np.abs(leans).mean(axis=2)
        scores[start : start + BLOCK] = best.T
    return scores


def random_directions(
    n_classes: int,
    dimensions: int,
    draws: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> Array:
    """Class vectors (draws, n_classes, dimensions) that lie evenly in all directions: a null that owes nothing to a vocabulary."""
    generator = np.random.default_rng(rng)
    return generator.standard_normal((draws, n_classes, dimensions), dtype=np.float32)


class WordsBeyond(NamedTuple):
    """Ends of the central share of each word's own null, the share of words above theirs, and that of draws with as many there or more."""

    low: Array
    high: Array
    share: float
    p: float


def words_beyond(scores: ArrayLike, null: ArrayLike, *, central: float = 0.95) -> WordsBeyond:
    """Which words (n,) score above what random classes give the same word (draws, n), and whether they are many.

    Each word is held against the same statistic of itself: where its score is a maximum over classes, so is each draw. Words of one vocabulary go
    together, so that a share above (1 - central) / 2 alone says little; p asks how often random classes give as large a share, the observed set
    counted among the draws (Phipson and Smyth, 2010).
    """
    values, draws = real_numbers("scores", scores), real_numbers("null", null)
    if values.ndim != 1 or draws.ndim != 2 or draws.shape[1:] != values.shape or not len(draws):
        raise ValueError(
            f"null: expected (draws, {len(np.atleast_1d(values))}), a column for each score, "
            f"got {draws.shape} for scores of shape {values.shape}"
        )
    low, high = np.quantile(draws, [(1 - central) / 2, (1 + central) / 2], axis=0)
    share = float((values > high).mean()) if len(values) else float("nan")
    by_chance = (draws > high).mean(axis=1)
    return WordsBeyond(low, high, share, p_of_draws(share, by_chance))


def reached_by(value: float, null: ArrayLike) -> float:
    """One-sided p: the share of random classes that score as much as the real ones, or more, the real ones among them."""
    return p_of_draws(value, null)


def _directions(measure: str, sets: Array) -> Array:
    """Unit directions (draws, k, d): class minus the rest, or the difference of each pair."""
    if measure == "one-vs-rest":
        directions = sets - sets.mean(axis=1, keepdims=True)
    else:
        first, second = np.triu_indices(sets.shape[1], k=1)
        directions = sets[:, first] - sets[:, second]
    lengths = np.linalg.norm(directions, axis=2, keepdims=True)
    if not lengths.all():
        raise ValueError("classes: expected different vectors in a draw, got two that are equal")
    return np.asarray(directions / lengths)


def scattered_score(measure: str, n_classes: int, dimensions: int) -> float:
    """The mean score of words that lie evenly in all directions of a space.

    For one-vs-rest the expected largest of `n_classes` normal draws times √(c/(c - 1)/d), to first order; for the others the mean absolute cosine
    √(2/π/d).
    """
    one_of("measure", measure, MEASURES)
    if measure != "one-vs-rest":
        return float(np.sqrt(2 / np.pi / dimensions))

    def density_of_largest(x: float) -> float:
        return float(n_classes * x * stats.norm.pdf(x) * stats.norm.cdf(x) ** (n_classes - 1))

    largest = integrate.quad(density_of_largest, -12, 12)[0]
    return float(np.sqrt(n_classes / (n_classes - 1) / dimensions) * largest)
