"""How often tests reject: the exact test under a true null, a share of them with its interval, the smallest p there is."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lib.checks import real_numbers


def rejection_rate(
    n_x: int,
    n_y: int,
    level: float = 0.05,
    *,
    strict: bool = False,
    inclusive: bool = True,
    alternative: str = "greater",
) -> float:
    """How often the exact test rejects a true null hypothesis, for scores without accidental ties.

    The rank of the observed partition is uniform under exchangeability: p is rank/N, the strict p is (rank - 1)/N. A two-
    sided test of equal sizes sees every partition twice (with its mirror image). `inclusive` rejects when p <= level,
    otherwise when p < level.
    """
    if not (0 < level < 1 and n_x > 0 and n_y > 0):
        raise ValueError(
            "expected 0 < level < 1 and a word or more in each list, "
            f"got level {level!r}, {n_x!r} and {n_y!r}"
        )
    ranks = math.comb(n_x + n_y, n_x) // (2 if alternative == "two-sided" and n_x == n_y else 1)
    edge = Fraction(str(level)) * ranks
    rejected = (math.floor(edge) if inclusive else math.ceil(edge) - 1) + bool(strict)
    return min(rejected, ranks) / ranks


def share_rejected(
    pvalues: ArrayLike, level: float = 0.05, confidence_level: float = 0.95
) -> tuple[float, float, float]:
    """Share of tests on independent draws whose p is at most the level, low and high: the exact (Clopper-Pearson) ends.

    They say how well the draws settle the share, nothing about other words.
    """
    p = real_numbers("pvalues", pvalues)
    if p.ndim != 1 or not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(
            f"pvalues: expected one number or more between 0 and 1, got {p.shape} values"
            + (f" from {p.min():.3g} to {p.max():.3g}" if p.size else "")
        )
    count = int(np.count_nonzero(p <= level))
    ends = stats.binomtest(count, len(p)).proportion_ci(confidence_level, method="exact")
    return count / len(p), float(ends.low), float(ends.high)


def smallest_pvalue(n_x: int, n_y: int) -> float:
    """The smallest one-sided p that a split of so many words can reach: one over their number."""
    if min(n_x, n_y) < 1:
        raise ValueError(f"expected a word or more in each list, got {n_x!r} and {n_y!r}")
    return 1 / math.comb(n_x + n_y, n_x)
