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
    """Share of planted words whose score has the planted sign; a score of 0 is wrong.

    Parameters
    ----------
    scores, log_odds : (targets,) array_like
        Positive leans female. Targets with log odds 0 are left out.

    Returns
    -------
    float
        Between 0 and 1; NaN where nothing is planted.

    Examples
    --------
    >>> sign_accuracy([2.0, -1.0, 3.0], [1.0, 1.0, 0.0])
    0.5
    """
    planted = np.asarray(log_odds, dtype=float)
    leans = planted != 0
    right = np.sign(np.asarray(scores, dtype=float)[leans]) == np.sign(planted[leans])
    return float(right.mean()) if leans.any() else float("nan")


def rejection_rate(p_values: ArrayLike, level: float = 0.05, confidence: float = 0.95) -> Rate:
    """Share of p-values at or below a level: false positives where nothing is planted, else power.

    Parameters
    ----------
    p_values : (replications,) array_like
        From independent replications, one each.
    level : float
        Nominal level of the test.
    confidence : float
        Of the exact binomial interval.

    Returns
    -------
    Rate
        Value, low, high, n.

    Raises
    ------
    ValueError
        For p-values that are none, or outside 0 to 1.

    Examples
    --------
    >>> rejection_rate([0.01, 0.2, 0.5, 0.9]).value
    0.25
    """
    p = np.asarray(p_values, dtype=float)
    if not p.size or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p_values: expected at least one number, each from 0 to 1")
    test = binomtest(int((p <= level).sum()), p.size)
    low, high = test.proportion_ci(confidence)
    return Rate(float(test.statistic), float(low), float(high), p.size)
