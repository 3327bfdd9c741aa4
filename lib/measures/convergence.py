"""Several scores of the same things: do they agree, and do they know what is known by definition?

A score is an array (n things, q questions): occupations by templates and pairs, for example. The
mean over questions is a thing's score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]


class Separation(NamedTuple):
    """Result of `separation`.

    Attributes
    ----------
    auc : float
        Chance that a word of the first list scores above one of the second, ties one half.
    low, high : float
        Interval over words and questions.
    signs : float
        Share of words whose score is on the side of their list: above zero in the first, below in
        the second.
    """

    auc: float
    low: float
    high: float
    signs: float


def separation(
    first: ArrayLike,
    second: ArrayLike,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> Separation:
    """Whether a score tells two lists apart whose order is known: a check before any finding.

    Parameters
    ----------
    first, second : array_like, shape (n, q) and (m, q)
        Scores of the list that should be high and of the one that should be low.
    n_resamples, confidence_level, rng
        Of the bootstrap over words and questions.

    Returns
    -------
    Separation

    Raises
    ------
    ValueError
        For an empty list, numbers of questions that differ, or numbers that are not finite.

    References
    ----------
    The AUC is the statistic of Mann and Whitney (1947) over the number of pairs.

    Examples
    --------
    >>> result = separation([[2.0], [1.0]], [[0.0], [-1.0], [1.5]], rng=0)
    >>> round(result.auc, 2), result.signs
    (0.83, 0.6)
    """
    sides = [np.asarray(side, float) for side in (first, second)]
    shapes = [side.shape for side in sides]
    fits = all(len(shape) == 2 and min(shape) > 0 for shape in shapes)
    if not fits or shapes[0][1] != shapes[1][1] or not all(np.isfinite(s).all() for s in sides):
        raise ValueError(
            "expected two tables (words, questions) of finite numbers with as many questions; got "
            f"shapes {shapes[0]} and {shapes[1]}"
        )
    means = [side.mean(axis=1) for side in sides]
    generator = np.random.default_rng(rng)
    drawn = _resampled_means(sides, n_resamples, generator)
    values = stats.mannwhitneyu(*drawn, axis=1).statistic / (len(sides[0]) * len(sides[1]))
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    right = np.concatenate([means[0] > 0, means[1] < 0])
    return Separation(_auc(*means), float(low), float(high), float(right.mean()))


def rank_agreement(
    scores: Mapping[str, ArrayLike],
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Rank correlation of every two scores of the same things, with intervals.

    Parameters
    ----------
    scores : mapping of str to array_like of shape (n, q)
        Name -> scores of the same n things in the same order; the number of questions may differ.
    n_resamples, confidence_level, rng
        Of the bootstrap: things are drawn for both scores alike, questions for each by itself.

    Returns
    -------
    DataFrame
        One row a pair of scores: `first`, `second`, `rho` (Spearman), `low`, `high`.

    Raises
    ------
    ValueError
        For fewer than two scores, fewer than three things, or numbers of things that differ.

    Examples
    --------
    >>> rank_agreement({"a": [[1], [2], [3]], "b": [[3], [2], [1]]}, rng=0)["rho"].tolist()
    [-1.0]
    """
    tables = {name: np.asarray(values, float) for name, values in scores.items()}
    sizes = {len(values) for values in tables.values()}
    flat = any(values.ndim != 2 or values.shape[1] < 1 for values in tables.values())
    if len(tables) < 2 or flat or len(sizes) > 1 or min(sizes) < 3:
        raise ValueError(
            "scores: expected two tables (things, questions) or more of the same three things or "
            f"more, got shapes {[values.shape for values in tables.values()]}"
        )
    generator = np.random.default_rng(rng)
    n = sizes.pop()
    rows = generator.integers(0, n, (n_resamples, n))
    means = {name: values.mean(axis=1) for name, values in tables.items()}
    drawn = {
        name: np.take_along_axis(_over_questions(values, n_resamples, generator), rows, axis=1)
        for name, values in tables.items()
    }
    ranks = {name: _centred_ranks(values) for name, values in drawn.items()}
    names, found = list(tables), []
    tail = (1 - confidence_level) / 2
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            with np.errstate(invalid="ignore", divide="ignore"):
                rho = _product(*(_centred_ranks(means[name][None]) for name in (one, other)))[0]
                low, high = np.nanquantile(_product(ranks[one], ranks[other]), [tail, 1 - tail])
            found.append((one, other, float(rho), float(low), float(high)))
    return pd.DataFrame(found, columns=["first", "second", "rho", "low", "high"])


def disattenuated(correlation: float, reliability: float, other: float = 1.0) -> float:
    """A correlation as it would be between scores without error of measurement.

    Parameters
    ----------
    correlation : float
        Between two scores.
    reliability, other : float
        Of the two scores, above 0.

    Returns
    -------
    float
        NaN where a reliability is not above 0. It can pass 1: an estimate divided by estimates,
        which only says how much of a low correlation unreliability could explain. Errors that two
        scores share, such as templates, make it too large.

    References
    ----------
    Spearman (1904).

    Examples
    --------
    >>> round(disattenuated(0.4, 0.64, 1.0), 2)
    0.5
    """
    product = reliability * other
    return float(correlation / np.sqrt(product)) if product > 0 and reliability > 0 else np.nan


def standardised_gap(scores: ArrayLike, above: ArrayLike) -> float:
    """Mean score of the marked things less that of the others, in deviations within the groups.

    Parameters
    ----------
    scores : array_like, shape (n,)
    above : array_like of bool, shape (n,)
        Which things are marked, such as occupations that most women hold.

    Returns
    -------
    float
        Cohen's d; NaN where a group has fewer than two things or nothing varies.

    Raises
    ------
    ValueError
        Where the two are not of one length.

    Examples
    --------
    >>> standardised_gap([3.0, 1.0, 0.0, -2.0], [True, True, False, False])
    2.1213203435596424
    """
    values, marked = np.asarray(scores, float), np.asarray(above, bool)
    if values.shape != marked.shape or values.ndim != 1:
        raise ValueError(
            f"expected a mark for each score, got shapes {values.shape} and {marked.shape}"
        )
    sides = values[marked], values[~marked]
    if min(map(len, sides)) < 2:
        return float("nan")
    squares = sum(((side - side.mean()) ** 2).sum() for side in sides)
    deviation = np.sqrt(squares / (len(values) - 2))
    return float((sides[0].mean() - sides[1].mean()) / deviation) if deviation > 0 else np.nan


def _auc(x: Floats, y: Floats) -> float:
    return float(stats.mannwhitneyu(x, y).statistic / (len(x) * len(y)))


def _resampled_means(
    sides: list[Floats], n_resamples: int, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """Means over drawn questions of drawn words, the questions alike for both lists."""
    q = sides[0].shape[1]
    weights = generator.multinomial(q, np.full(q, 1 / q), size=n_resamples) / q
    first, second = (
        np.take_along_axis(
            weights @ side.T, generator.integers(0, len(side), (n_resamples, len(side))), axis=1
        )
        for side in sides
    )
    return first, second


def _over_questions(values: Floats, n_resamples: int, generator: np.random.Generator) -> Floats:
    q = values.shape[1]
    weights = generator.multinomial(q, np.full(q, 1 / q), size=n_resamples) / q
    return np.asarray(weights @ values.T, np.float64)


def _centred_ranks(values: Floats) -> Floats:
    ranks = stats.rankdata(values, axis=1)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True), np.float64)


def _product(x: Floats, y: Floats) -> Floats:
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return np.asarray((x * y).sum(axis=1) / size, np.float64)
