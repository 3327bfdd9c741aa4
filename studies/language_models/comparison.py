"""Orders of occupations beside each other, beside women's share, and beside words that mean nothing here."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.measures.outside import rank_correlations

Floats = NDArray[np.float64]


def random_pair_orders(log_p: ArrayLike, facts: ArrayLike) -> Floats:
    """Rank correlation with the facts of the log odds of every two random endings: (n, beginnings, k) -> (k (k − 1) / 2,).

    Pairs share their words, so that they are no independent draws.
    """
    of_ending = np.asarray(log_p, float).mean(axis=1)
    pairs = combinations(range(of_ending.shape[1]), 2)
    odds = np.array([of_ending[:, i] - of_ending[:, j] for i, j in pairs])
    return rank_correlations(odds.T, np.asarray(facts, float))


def orders(
    scores: Mapping[str, ArrayLike],
    shares: ArrayLike,
    *,
    beside: str,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Each score (n,) beside the shares, beside the score named `beside`, and how much closer that one follows the shares.

    A row a score: rho, with, less, each with low and high, and n. Occupations that a score lacks (NaN) are left out of its row.
    Occupations are drawn anew, the same for both scores, so that the interval of the difference is that of a paired comparison.
    """
    facts, first = np.asarray(shares, float), np.asarray(scores[beside], float)
    generator = np.random.default_rng(rng)
    rows: dict[str, dict[str, float]] = {}
    for name, values in scores.items():
        table = np.column_stack([np.asarray(values, float), first, facts])
        table = table[np.isfinite(table).all(axis=1)]
        found: dict[str, float] = {"n": len(table)}
        if len(table) >= 5:
            drawn = generator.integers(0, len(table), (n_resamples, len(table)))
            value, draws = _three(table[None])[:, 0], _three(table[drawn])
            for place, what in enumerate(("rho", "with", "less")):
                low, high = np.nanquantile(draws[place], [0.025, 0.975])
                found |= {what: value[place], f"{what} low": low, f"{what} high": high}
        rows[name] = found
    return pd.DataFrame.from_dict(rows, orient="index")


def _three(tables: Floats) -> Floats:
    """Of (draws, n, 3): correlations of score and facts, of score and first, and how much that of first and facts is larger."""
    ranks = stats.rankdata(tables, axis=1)
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        ranks = ranks / np.sqrt((ranks**2).sum(axis=1, keepdims=True))
    score, first, facts = np.moveaxis(ranks, -1, 0)
    rho, other = (score * facts).sum(axis=1), (first * facts).sum(axis=1)
    return np.array([rho, (score * first).sum(axis=1), other - rho])


def share_above(values: ArrayLike) -> tuple[float, float, float]:
    """The share of numbers above zero with Wilson's 95 % interval."""
    above = np.asarray(values, float) > 0
    ends = stats.binomtest(int(above.sum()), len(above)).proportion_ci(method="wilson")
    return float(above.mean()), float(ends.low), float(ends.high)


def mean_intervals(scores: ArrayLike) -> pd.DataFrame:
    """Mean of each row of (n, k) with the 95 % t interval over its k columns: value, low, high; without one where k is 1."""
    table = np.asarray(scores, float)
    k = table.shape[1]
    value = table.mean(axis=1)
    half = np.full(len(table), np.nan)
    if k > 1:
        half = stats.t.ppf(0.975, k - 1) * table.std(axis=1, ddof=1) / np.sqrt(k)
    return pd.DataFrame({"value": value, "low": value - half, "high": value + half})
