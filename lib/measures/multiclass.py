"""Mean scores of professions with two or more class words, and what chance gives in their place."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, stats

from lib.checks import one_of
from lib.measures.word_bias import gender_polarity, one_vs_one, one_vs_rest

Array = NDArray[np.floating]

MEASURES = ("baseline gender polarity", "one-vs-one", "one-vs-rest")


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
    first, second = np.asarray(classes)
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
    rows = np.asarray(classes)
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
    generator, rows = np.random.default_rng(rng), np.asarray(candidates)
    means = [
        bias_scores(
            measure, words, rows[generator.choice(len(rows), n_classes, replace=False)]
        ).mean()
        for _ in range(draws)
    ]
    return np.array(means)


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
