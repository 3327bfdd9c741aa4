"""Statistics of this chapter alone: variance components and generalisability, Cochran's Q, an effect size from a printed t."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked

FACETS = ("word", "template", "pair")
Axes = tuple[int, ...]


def variance_components(scores: ArrayLike) -> pd.Series[float]:
    """Variance of scores (words, templates, pairs) by these and their interactions; an estimate below 0 is set to 0.

    Expected mean squares of the crossed random design, Brennan (2001), chapter 3.
    """
    cube = real_numbers("scores", scores)
    if cube.ndim != 3 or min(cube.shape) < 2:
        raise ValueError(
            "scores: expected (words, templates, pairs), two or more of each, "
            f"got shape {cube.shape}"
        )
    if not np.isfinite(cube).all():
        raise ValueError(
            "scores: expected finite numbers, got NaN or infinity; "
            "leave that word, template or pair out"
        )
    subsets = [subset for size in (1, 2, 3) for subset in combinations(range(3), size)]
    components: dict[Axes, float] = {}
    for subset in sorted(subsets, key=len, reverse=True):
        noise = sum(
            value * _cells(cube, larger)
            for larger, value in components.items()
            if set(subset) < set(larger)
        )
        components[subset] = (_mean_square(cube, subset) - noise) / _cells(cube, subset)
    return pd.Series(
        {
            " × ".join(FACETS[axis] for axis in subset): max(components[subset], 0.0)
            for subset in subsets
        }
    )


def generalisability(components: pd.Series[float], templates: int, pairs: int) -> float:
    """Share of the variance of a word's mean score that would stay with other templates and pairs (Brennan 2001, equation 4.15)."""
    if templates < 1 or pairs < 1:
        raise ValueError(f"expected 1 or more templates and pairs, got {templates!r} and {pairs!r}")
    error = (
        components["word × template"] / templates
        + components["word × pair"] / pairs
        + components["word × template × pair"] / (templates * pairs)
    )
    whole = components["word"] + error
    return float(components["word"] / whole) if whole > 0 else float("nan")


def _cells(scores: NDArray[np.float64], subset: Axes) -> int:
    """How many scores each mean over everything but these axes is made of."""
    return int(np.prod([size for axis, size in enumerate(scores.shape) if axis not in subset]))


def _mean_square(scores: NDArray[np.float64], subset: Axes) -> float:
    """Mean square of the interaction of these axes."""
    effect = np.zeros([size if axis in subset else 1 for axis, size in enumerate(scores.shape)])
    for size in range(len(subset) + 1):
        for part in combinations(subset, size):
            others = tuple(axis for axis in range(3) if axis not in part)
            effect = effect + (-1) ** (len(subset) - size) * scores.mean(axis=others, keepdims=True)
    freedom = np.prod([scores.shape[axis] - 1 for axis in subset])
    return float((effect**2).sum() * _cells(scores, subset) / freedom)


class EqualShares(NamedTuple):
    """Cochran's Q, 0 where no item is answered differently by two questions, and the share of shuffles that reach it."""

    statistic: float
    pvalue: float


def equal_shares(
    answers: ArrayLike, *, draws: int = 999, rng: np.random.Generator | int | None = None
) -> EqualShares:
    """Whether questions get yes with one share, asked of the same items (n, q): each item's answers are shuffled (Cochran 1950)."""
    table = unmasked("answers", answers)
    if table.ndim != 2 or table.shape[1] < 2 or not len(table) or not np.isin(table, (0, 1)).all():
        raise ValueError(
            f"answers: expected True and False, (items, two questions or more), got shape {table.shape}"
        )
    cells = table.astype(np.int64)
    generator = np.random.default_rng(rng)
    shuffled = generator.permuted(np.broadcast_to(cells, (draws, *cells.shape)), axis=2)
    q, of_items = cells.shape[1], cells.sum(axis=1)
    spread = (of_items * (q - of_items)).sum()
    observed, others = (_squares(sums) for sums in (cells.sum(axis=0)[None], shuffled.sum(axis=1)))
    statistic = (q - 1) * observed[0] / spread if spread else 0.0
    reached = np.count_nonzero(others >= observed[0])
    return EqualShares(float(statistic), float((1 + reached) / (1 + draws)))


def _squares(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Spread of the sums of questions, as whole numbers: q times their squares less the squared total."""
    spread = sums.shape[1] * (sums**2).sum(axis=1) - sums.sum(axis=1) ** 2
    return np.asarray(spread, np.int64)


def effect_size_from_t(t: float, n: int) -> float:
    """The effect size, in deviations of all 2n values together as in WEAT, that goes with Student's t of two lists of n values."""
    if n < 2:
        raise ValueError(f"n: expected 2 values or more in each list, got {n!r}")
    if not np.isfinite(t):
        raise ValueError(f"t: expected a number, got {t!r}")
    # t² = d'² n / 2 within the lists; the spread of all is that within and that of the two means
    return float(t * np.sqrt((2 * n - 1) / (n * (n - 1) + n * t**2 / 2)))
