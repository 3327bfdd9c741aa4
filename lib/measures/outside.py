"""Scores beside an outside fact: do they put things in the order that it does?

Arrays of scores (n,) or (n, p) of n things with p pairs of words, and n facts about the same things,
NaN where a fact is not known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.sums import p_of_draws

Floats = NDArray[np.float64]
ENOUGH = 5  # things with both numbers, below which no order is reported


class OrderByShare(NamedTuple):
    """Result of `order_by_share`.

    Attributes
    ----------
    rho : float
        Spearman's rank correlation, in [-1, 1]; positive where high scores go with high shares. NaN
        where no order can be had.
    low, high : float
        Interval over the things scored, and over the pairs where they are given.
    p : float
        Two-sided: share of random pairings of scores with facts that are as far from 0 or farther.
    n : int
        Things with both numbers.
    reason : str
        Why rho is NaN, else empty.
    """

    rho: float
    low: float
    high: float
    p: float
    n: int
    reason: str


def rank_correlations(scores: ArrayLike, facts: ArrayLike) -> Floats:
    """Spearman's correlation of the scores with each pair and one fact about the words.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words.
    facts : array_like of shape (n,)
        A number for each word, NaN where it is not known.

    Returns
    -------
    ndarray of shape (p,)
        In [-1, 1]; NaN where scores or facts do not differ.

    Raises
    ------
    ValueError
        Where shapes do not fit.

    Examples
    --------
    >>> rank_correlations([[1, 3], [2, 2], [3, 1], [9, 9]], [10, 20, 30, np.nan])
    array([ 1., -1.])
    """
    matrix, known = real_numbers("scores", scores), real_numbers("facts", facts)
    if matrix.ndim != 2 or known.shape != matrix.shape[:1]:
        raise ValueError(
            "expected scores (words, pairs) and a fact for each word, "
            f"got shapes {matrix.shape} and {known.shape}"
        )
    there = np.isfinite(known)
    if there.sum() < 2:
        return np.full(matrix.shape[1], np.nan)
    ranks = stats.rankdata(matrix[there], axis=0)
    others = stats.rankdata(known[there])
    ranks, others = ranks - ranks.mean(axis=0), others - others.mean()
    size = np.sqrt((ranks**2).sum(axis=0) * (others**2).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(others @ ranks / size, float)


def order_by_share(
    scores: ArrayLike,
    shares: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> OrderByShare:
    """Whether scores order things as an outside fact does, such as women's share of occupations.

    Ties take mean ranks. Offset and scale of the scores make no difference, so that a measure that
    leans one way as a whole can still have the order right.

    All draws are held at once, about ten arrays of n × n_resamples numbers: 1.6 GB for 10,000 things
    and 2,000 draws. For more, give fewer resamples.

    Parameters
    ----------
    scores : array_like, shape (n,) or (n, p)
        A score for each thing; or one with each of p pairs of words. Then the mean over the pairs is
        ordered, and the interval draws pairs as well as things.
    shares : array_like, shape (n,)
        The outside fact for the same things; NaN in either leaves a thing out.
    n_resamples : int
        Bootstrap draws of the interval and random pairings of the test.
    confidence_level : float
        Between 0 and 1.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    OrderByShare
        With fewer than five things, or scores or facts that are all equal, NaN and the reason.

    Raises
    ------
    ValueError
        Where the two are not of one length, or a number is infinite.

    References
    ----------
    Spearman (1904); percentile interval of the bootstrap, over things and pairs as in Owen (2007); p
    after Phipson & Smyth (2010), never 0.

    Examples
    --------
    >>> scores = [0.2, 0.1, 0.0, -0.1, -0.2, -0.3]
    >>> women = [0.9, 0.8, 0.6, 0.7, 0.2, np.nan]
    >>> found = order_by_share(scores, women, rng=0)
    >>> round(found.rho, 2), found.n
    (0.9, 5)
    """
    by_pair, facts = real_numbers("scores", scores), real_numbers("shares", shares)
    by_pair = by_pair[:, None] if by_pair.ndim == 1 else by_pair
    if by_pair.ndim != 2 or not by_pair.shape[1] or facts.shape != by_pair.shape[:1]:
        raise ValueError(
            "expected one score (or one with each pair) and one share for each thing, (n,) or (n, p) "
            f"and (n,); got shapes {np.shape(scores)} and {facts.shape}: reindex one by the other"
        )
    measured = by_pair.mean(axis=1)
    if np.isinf(measured).any() or np.isinf(facts).any():
        raise ValueError(
            "expected finite numbers, or NaN where one is not known; got infinity: leave it out"
        )
    if not 0 < confidence_level < 1 or n_resamples < 1:
        raise ValueError(
            "expected confidence_level between 0 and 1 and n_resamples of 1 or more; "
            f"got {confidence_level!r} and {n_resamples!r}"
        )
    known = np.isfinite(measured) & np.isfinite(facts)
    by_pair, measured, facts = by_pair[known], measured[known], facts[known]
    n, none = len(measured), float("nan")
    if n < ENOUGH:
        reason = f"{n} with both a score and an outside number; at least {ENOUGH} are needed"
        return OrderByShare(none, none, none, none, n, reason)
    if not (np.ptp(measured) > 0 and np.ptp(facts) > 0):
        which = "scores" if np.ptp(facts) > 0 else "outside numbers"
        return OrderByShare(none, none, none, none, n, f"the {which} are all equal")
    generator = np.random.default_rng(rng)
    rho = float(_rank_correlations(measured[None], facts[None])[0])
    rows = generator.integers(0, n, (n_resamples, n))
    tail = (1 - confidence_level) / 2
    means = _means_over_drawn_pairs(by_pair, n_resamples, generator)
    resampled = _rank_correlations(np.take_along_axis(means, rows, axis=1), facts[rows])
    low, high = np.nanquantile(resampled, [tail, 1 - tail])
    shuffled = generator.permuted(np.tile(facts, (n_resamples, 1)), axis=1)
    by_lot = _rank_correlations(np.broadcast_to(measured, shuffled.shape), shuffled)
    p = p_of_draws(abs(rho), np.abs(by_lot), tolerance=1e-12)
    return OrderByShare(rho, float(low), float(high), p, n, "")


def _means_over_drawn_pairs(
    by_pair: Floats, n_resamples: int, generator: np.random.Generator
) -> Floats:
    """Means over pairs drawn with replacement, (n_resamples, n); with one pair that pair."""
    p = by_pair.shape[1]
    if p == 1:
        return np.broadcast_to(by_pair[:, 0], (n_resamples, len(by_pair)))
    weights = generator.multinomial(p, np.full(p, 1 / p), size=n_resamples) / p
    return np.asarray(weights @ by_pair.T, float)


def _rank_correlations(x: Floats, y: Floats) -> Floats:
    """Spearman's correlation of each row of one with the same row of the other; NaN where one is
    constant.
    """
    x, y = (stats.rankdata(side, axis=1) for side in (x, y))
    x, y = (side - side.mean(axis=1, keepdims=True) for side in (x, y))
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((x * y).sum(axis=1) / size, float)
