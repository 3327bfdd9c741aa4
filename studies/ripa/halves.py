"""Text and vectors of two halves of a corpus: how alike they rank words, and how alike without the noise of either.

A side is a matrix (n, p) of leans, n words with p pairs. Two halves share no text, so what their sides have in common is no
noise of one of them; vectors and counts of one half share its noise as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers

Floats = NDArray[np.float64]


def alike(*sides: ArrayLike) -> float:
    """Pearson's correlation over words of means over pairs; sides come two by two, and their correlations are averaged."""
    if not sides or len(sides) % 2:
        raise ValueError(f"sides: expected them two by two, got {len(sides)}")
    means = [real_numbers("sides", side).mean(axis=1) for side in sides]
    return float(np.mean([_correlation(*two) for two in zip(means[::2], means[1::2])]))


def freed_of_noise(
    text_a: ArrayLike, text_b: ArrayLike, vectors_a: ArrayLike, vectors_b: ArrayLike
) -> float:
    """The correlation of text and vectors, each without its noise: Spearman's correction, by halves.

    What text of one half and vectors of the other share, over what each shares with its like in the other half. NaN where one
    of these is not above 0; above 1 by chance.
    """
    crossed = [alike(text_a, vectors_b), alike(text_b, vectors_a)]
    own = [alike(text_a, text_b), alike(vectors_a, vectors_b)]
    if not min(*crossed, *own) > 0:
        return np.nan
    return float(np.sqrt(np.prod(crossed) / np.prod(own)))


def own_less_other(
    text_a: ArrayLike, text_b: ArrayLike, vectors_a: ArrayLike, vectors_b: ArrayLike
) -> float:
    """How much better vectors go with the counts of their own half than with the other's: what they learnt of its chance."""
    own = alike(vectors_a, text_a, vectors_b, text_b)
    return own - alike(vectors_a, text_b, vectors_b, text_a)


def drawn_pairs(count: int, pairs: int, draws: int, rng: np.random.Generator) -> Floats:
    """Weights (count, draws) that average so many of `count` other pairs, no pair twice, each turned as a coin has it."""
    order = rng.permuted(np.tile(np.arange(count), (draws, 1)), axis=1)
    chosen = order.argsort(axis=1) < min(pairs, count)
    signs = rng.choice([-1, 1], chosen.shape)
    return np.asarray((chosen * signs / chosen.sum(axis=1, keepdims=True)).T, dtype=np.float64)


def alike_by_chance(
    asked: Sequence[ArrayLike], others: Sequence[ArrayLike], weights: ArrayLike
) -> Floats:
    """What `alike` gives (draws,) where the second side of each two is asked with drawn pairs in place of its own.

    `others` are the second sides with all other pairs (n, count), `weights` comes from `drawn_pairs`.
    """
    found = []
    for first, second in zip(asked, others, strict=True):
        mean = real_numbers("asked", first).mean(axis=1)
        drawn = real_numbers("others", second) @ real_numbers("weights", weights)
        if not np.ptp(mean) > 0:
            return np.full(drawn.shape[1], np.nan)
        mean, drawn = mean - mean.mean(), drawn - drawn.mean(axis=0)
        lengths = np.linalg.norm(mean) * np.linalg.norm(drawn, axis=0)
        with np.errstate(invalid="ignore"):
            found.append(mean @ drawn / lengths)
    return np.asarray(np.mean(found, axis=0))


def told_apart_by_chance(first: ArrayLike, second: ArrayLike, weights: ArrayLike) -> Floats:
    """The AUC (draws,) of two lists with drawn pairs in place of the base pairs: leans (n, count) and (m, count) with all others."""
    drawn = real_numbers("weights", weights)
    sides = [
        real_numbers(name, side) @ drawn for name, side in (("first", first), ("second", second))
    ]
    statistic = stats.mannwhitneyu(*sides, axis=0).statistic
    return np.asarray(statistic / (len(sides[0]) * len(sides[1])))


def _correlation(one: Floats, other: Floats) -> float:
    """Pearson's correlation, NaN where a side does not differ or has fewer than three words."""
    if len(one) < 3 or not (np.ptp(one) > 0 and np.ptp(other) > 0):
        return np.nan
    return float(np.corrcoef(one, other)[0, 1])
