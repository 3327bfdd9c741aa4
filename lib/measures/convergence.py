"""Several scores of the same things: do they agree, and do they know what is known by definition?

A score is an array (n things, q questions): occupations by templates and pairs, for example. The
mean over questions is a thing's score.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.reliability import split_half
from lib.inference.sums import p_of_draws
from lib.measures.outside import order_by_share

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
    sides = [real_numbers(name, side) for name, side in (("first", first), ("second", second))]
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
    questions: Mapping[str, Hashable] | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Rank correlation of every two scores of the same things, with intervals.

    Parameters
    ----------
    scores : mapping of str to array_like of shape (n, q)
        Name -> scores of the same n things in the same order; the number of questions may differ.
    questions : mapping of str to label, optional
        Name -> what was asked. Scores with one label were asked the same questions in the same order, and these are
        drawn for them alike. A score without a label has questions of its own.
    n_resamples, confidence_level, rng
        Of the bootstrap: things are drawn for all scores alike, questions as their labels say.

    Returns
    -------
    DataFrame
        One row a pair of scores: `first`, `second`, `rho` (Spearman), `low`, `high`.

    Raises
    ------
    ValueError
        For fewer than two scores, fewer than three things, numbers of things that differ, or numbers of questions that
        differ under one label.

    Examples
    --------
    >>> rank_agreement({"a": [[1], [2], [3]], "b": [[3], [2], [1]]}, rng=0)["rho"].tolist()
    [-1.0]

    One score twice, but for its zero: with the same questions the interval is at the correlation.

    >>> scores = {"a": [[1, 4], [2, 0], [3, 3], [9, 7]], "b": [[2, 5], [3, 1], [4, 4], [10, 8]]}
    >>> alike = rank_agreement(scores, questions={"a": "ours", "b": "ours"}, n_resamples=50, rng=0)
    >>> alike[["rho", "low", "high"]].round(9).to_numpy().tolist()
    [[1.0, 1.0, 1.0]]
    """
    tables = {name: real_numbers(name, values) for name, values in scores.items()}
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
    weights: dict[Hashable, Floats] = {}
    drawn = {}
    for name, values in tables.items():
        q = values.shape[1]
        label = (questions or {}).get(name, ("of its own", name))
        if label not in weights:
            weights[label] = generator.multinomial(q, np.full(q, 1 / q), size=n_resamples) / q
        if weights[label].shape[1] != q:
            raise ValueError(
                f"questions: expected as many under {label!r} as the scores before have, "
                f"{weights[label].shape[1]}; {name!r} has {q}"
            )
        drawn[name] = np.take_along_axis(weights[label] @ values.T, rows, axis=1)
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
    values, marked = real_numbers("scores", scores), np.asarray(above, bool)
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


class Standing(NamedTuple):
    """Result of `standing`: a score beside an outside fact.

    Attributes
    ----------
    gap : float
        `standardised_gap` between things above and below the middle of the fact.
    rho, low, high : float
        Spearman's correlation with the fact, interval over things and questions.
    p : float
        Of random pairings of scores with facts, two-sided.
    p_random : float
        Share of scores with random words that go with the fact at least as closely, the real one
        counted; NaN without them.
    reliability : float
        Of the mean over questions, by split halves.
    corrected : float
        `disattenuated` rho; the fact is taken to be free of error.
    n : int
        Things with all numbers.
    """

    gap: float
    rho: float
    low: float
    high: float
    p: float
    p_random: float
    reliability: float
    corrected: float
    n: int


def standing(
    scores: ArrayLike,
    facts: ArrayLike,
    *,
    middle: float = 0.5,
    groups: Sequence[object] | None = None,
    null: ArrayLike | None = None,
    alike: ArrayLike | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Standing:
    """One score of many things beside an outside fact: order, nulls, reliability.

    Parameters
    ----------
    scores : array_like, shape (n, q)
        Things by questions; a thing without all of them is left out.
    facts : array_like, shape (n,)
        Such as women's share of occupations.
    middle : float
        Of the fact, where the two groups of `gap` part.
    groups : sequence of q labels, optional
        Questions that stay together in a half, such as those with one pair of words.
    null : array_like, shape (draws, n), optional
        The same score with random words in place of those that make the contrast.
    alike : array_like, shape (n, r), optional
        The real scores from as few questions as each row of the null, a question a column; the
        correlations of its columns are averaged. By default the mean over all questions.
    n_resamples : int
        Bootstrap draws and random pairings.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    Standing

    Raises
    ------
    ValueError
        Where shapes do not fit.

    Examples
    --------
    >>> women = [0.1, 0.3, 0.4, 0.6, 0.7, 0.9]
    >>> scores = [[share, 2 * share + 0.1] for share in women]
    >>> found = standing(scores, women, n_resamples=100, rng=0)
    >>> found.rho, found.reliability, found.n
    (1.0, 1.0, 6)
    """
    table, outside = real_numbers("scores", scores), real_numbers("facts", facts)
    if table.ndim != 2 or not table.shape[1] or outside.shape != table.shape[:1]:
        raise ValueError(
            "expected scores (things, questions) and a fact for each thing; got shapes "
            f"{table.shape} and {outside.shape}"
        )
    kept = np.isfinite(table).all(axis=1) & np.isfinite(outside)
    generator = np.random.default_rng(rng)
    found = order_by_share(table[kept], outside[kept], n_resamples=n_resamples, rng=generator)
    enough = found.n >= 3 and table.shape[1] > 1
    halves = split_half(table[kept], groups, n_splits=100, rng=generator) if enough else None
    reliability = halves.whole if halves else float("nan")
    p_random = float("nan")
    if null is not None and np.isfinite(found.rho):
        lots = real_numbers("null", null)
        if lots.ndim != 2 or lots.shape[1] != len(outside):
            raise ValueError(
                f"null: expected (draws, {len(outside)}) scores, got shape {lots.shape}"
            )
        real = table.mean(axis=1)[:, None] if alike is None else real_numbers("alike", alike)
        seen, once = (_orders(side[:, kept], outside[kept]) for side in (lots, real.T))
        p_random = p_of_draws(abs(once.mean()), np.abs(seen), tolerance=1e-12)
    return Standing(
        gap=standardised_gap(table[kept].mean(axis=1), outside[kept] > middle),
        rho=found.rho,
        low=found.low,
        high=found.high,
        p=found.p,
        p_random=float(p_random),
        reliability=reliability,
        corrected=disattenuated(found.rho, reliability),
        n=found.n,
    )


def _orders(rows: Floats, facts: Floats) -> Floats:
    """Spearman's correlation of each row with the facts."""
    facts = np.broadcast_to(facts, rows.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(_product(_centred_ranks(rows), _centred_ranks(facts)))


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


def _centred_ranks(values: Floats) -> Floats:
    ranks = stats.rankdata(values, axis=1)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True), np.float64)


def _product(x: Floats, y: Floats) -> Floats:
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return np.asarray((x * y).sum(axis=1) / size, np.float64)
