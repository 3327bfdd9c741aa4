"""Mean scores of professions with two or more class words, and what chance gives in their place."""

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
    """The score of each word under one of the measures of Lu et al. (2021).

    Parameters
    ----------
    measure : str
        One of `MEASURES`.
    words : array_like of shape (n, d)
        The professions.
    classes : array_like of shape (c, d)
        The class words; the baseline takes two.

    Returns
    -------
    numpy.ndarray of shape (n,)
        In [0, 2], without a direction: the baseline is the absolute gender polarity.

    Raises
    ------
    ValueError
        For an unknown measure, or arrays that do not belong together.

    References
    ----------
    Lu, Sujichantararat & Lohanimit (2021), equations 1 to 5.

    Examples
    --------
    >>> bias_scores("one-vs-one", [[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3)
    array([0.707])
    """
    one_of("measure", measure, MEASURES)
    if measure == "one-vs-one":
        return one_vs_one(words, classes)
    if measure == "one-vs-rest":
        return one_vs_rest(words, classes)
    first, second = unmasked("classes", classes)
    return np.abs(gender_polarity(words, first, second))


def against_rest(words: ArrayLike, classes: ArrayLike) -> Array:
    """The cosine of each word with each class word minus the mean of the others (equation 5).

    Parameters
    ----------
    words : array_like of shape (n, d)
        The professions.
    classes : array_like of shape (c, d)
        Two or more class words.

    Returns
    -------
    numpy.ndarray of shape (n, c)
        In [-1, 1]: positive leans to the class. The largest of a row is its one-vs-rest score.

    Examples
    --------
    >>> against_rest([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3)
    array([[ 0.707, -0.707]])
    """
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
    """Mean scores of the words with class words drawn at random, no word twice in a draw.

    Parameters
    ----------
    measure : str
        One of `MEASURES`.
    words : array_like of shape (n, d)
        The professions.
    candidates : array_like of shape (m, d)
        Words to draw class words from; m is at least `n_classes`.
    n_classes, draws : int
        Class words in a draw, and how many draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray of shape (draws,)
        A mean score for each draw.

    Examples
    --------
    >>> rows = np.eye(4)
    >>> random_class_scores("one-vs-one", rows[:1], rows, 2, draws=3, rng=0).round(2)
    array([0.  , 0.71, 0.71])
    """
    generator, rows = np.random.default_rng(rng), unmasked("candidates", candidates)
    chosen = [generator.choice(len(rows), n_classes, replace=False) for _ in range(draws)]
    return np.asarray(drawn_scores(measure, words, rows[np.array(chosen)]).mean(axis=1))


def drawn_scores(measure: str, words: ArrayLike, classes: ArrayLike) -> Array:
    """The scores of `bias_scores` with many sets of class words at once: a null, word by word.

    Parameters
    ----------
    measure : str
        One of `MEASURES`.
    words : array_like of shape (n, d)
        The professions.
    classes : array_like of shape (draws, c, d)
        The class words of each draw; random rows of a vocabulary, or random directions.

    Returns
    -------
    numpy.ndarray of shape (draws, n)
        The score of each word in each draw.

    Raises
    ------
    ValueError
        For an unknown measure, classes of another shape, or two equal class words in a draw.

    Examples
    --------
    >>> drawn_scores("one-vs-one", [[3, 4]], [[[1, 0], [-1, 0]], [[0, 1], [0, -1]]])
    array([[0.6],
           [0.8]])
    """
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
    """Class vectors that lie evenly in all directions: a null that owes nothing to a vocabulary.

    Parameters
    ----------
    n_classes, dimensions, draws : int
        Class vectors in a draw, numbers in each, and how many draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray of shape (draws, n_classes, dimensions)
        For `drawn_scores`.

    Examples
    --------
    >>> random_directions(3, 50, draws=4, rng=0).shape
    (4, 3, 50)
    """
    generator = np.random.default_rng(rng)
    return generator.standard_normal((draws, n_classes, dimensions), dtype=np.float32)


class WordsBeyond(NamedTuple):
    """Result of `words_beyond`.

    Attributes
    ----------
    low, high : numpy.ndarray of shape (n,)
        Ends of the central share of each word's own null.
    share : float
        Of the words that score above their own null.
    p : float
        Share of draws in which as many words or more do so.
    """

    low: Array
    high: Array
    share: float
    p: float


def words_beyond(scores: ArrayLike, null: ArrayLike, *, central: float = 0.95) -> WordsBeyond:
    """Which words score above what random classes give the same word, and whether they are many.

    Each word is held against the same statistic of itself: where its score is a maximum over
    classes, so is each draw. Words of one vocabulary go together, so that a share above
    (1 - central) / 2 alone says little; p asks how often random classes give as large a share.

    Parameters
    ----------
    scores : array_like of shape (n,)
        The score of each word.
    null : array_like of shape (draws, n)
        What random classes give the same words, from `drawn_scores`.
    central : float
        How much of the null the ends enclose.

    Returns
    -------
    WordsBeyond

    Raises
    ------
    ValueError
        Where the draws do not belong to the scores.

    References
    ----------
    p counts the observed set among the draws: Phipson & Smyth (2010).

    Examples
    --------
    >>> null = np.linspace(0, 1, 101)[:, None] * np.ones(2)
    >>> found = words_beyond([0.5, 0.99], null)
    >>> found.high.round(3), found.share
    (array([0.975, 0.975]), 0.5)
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
    """One-sided p: the share of random classes that score as much as the real ones, or more.

    Parameters
    ----------
    value : float
        The mean score with the real class words.
    null : array_like of shape (draws,)
        Mean scores with random ones.

    Returns
    -------
    float
        (1 + draws that reach it) / (1 + draws), so never 0; undefined draws count as in `p_of_draws`.

    Examples
    --------
    >>> reached_by(0.5, [0.1, 0.6, 0.2])
    0.5
    """
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

    Parameters
    ----------
    measure : str
        One of `MEASURES`.
    n_classes : int
        Class words, two or more.
    dimensions : int
        Of the space.

    Returns
    -------
    float
        For one-vs-rest the expected largest of `n_classes` normal draws times √(c/(c − 1)/d), to
        first order; for the others the mean absolute cosine √(2/π/d).

    Examples
    --------
    >>> round(scattered_score("one-vs-one", 2, 300), 3), round(scattered_score("one-vs-rest", 3, 300), 3)
    (0.046, 0.06)
    """
    one_of("measure", measure, MEASURES)
    if measure != "one-vs-rest":
        return float(np.sqrt(2 / np.pi / dimensions))

    def density_of_largest(x: float) -> float:
        return float(n_classes * x * stats.norm.pdf(x) * stats.norm.cdf(x) ** (n_classes - 1))

    largest = integrate.quad(density_of_largest, -12, 12)[0]
    return float(np.sqrt(n_classes / (n_classes - 1) / dimensions) * largest)
