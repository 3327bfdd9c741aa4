"""How well scores give back what was planted."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest


class Rate(NamedTuple):
    """A share with its exact (Clopper-Pearson) interval."""

    value: float
    low: float
    high: float
    n: int


def sign_accuracy(scores: ArrayLike, log_odds: ArrayLike) -> float:
    """Share of planted words whose score has the planted sign; a score of 0 is wrong, targets with log odds 0 are left out, NaN where
    nothing is planted."""
    planted = np.asarray(log_odds, dtype=float)
    leans = planted != 0
    right = np.sign(np.asarray(scores, dtype=float)[leans]) == np.sign(planted[leans])
    return float(right.mean()) if leans.any() else float("nan")


def rejection_rate(p_values: ArrayLike, level: float = 0.05, confidence: float = 0.95) -> Rate:
    """Share of p-values at or below a level: false positives where nothing is planted, else power."""
    p = np.asarray(p_values, dtype=float)
    if not p.size or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p_values: expected at least one number, each from 0 to 1")
    test = binomtest(int((p <= level).sum()), p.size)
    low, high = test.proportion_ci(confidence)
    return Rate(float(test.statistic), float(low), float(high), p.size)
