"""The permutation test behind WEAT, on two lists of scores: exact, on a grid with an error bound, or sampled.

Scores x (n_x,) and y (n_y,) are pooled and cut again into lists of n_x and n_y in every possible way. All statistics in
use (difference of sums, of means, Cohen's d without its sign rule) order these partitions alike, by the sum of the
centred scores of the first list, so that one count serves them all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

ALTERNATIVES = ("greater", "less", "two-sided")
METHODS = ("auto", "exact", "grid", "sampled")
TIE = 1e-13  # of the sum of absolute centred scores: partitions nearer than this to the observed one tie with it
CELLS = 2**17  # of the grid
AUTOMATIC = 2**21  # subset sums of the two halves up to which "auto" is exact: 20 + 20 words
AFFORDABLE = 2**25  # the same for method="exact": 24 + 24 words, about 1 GB
KEPT = 2**17  # partitions listed one by one in the null distribution of an exact test
BLOCK = 2**19  # scores shuffled at a time when sampling

Floats = NDArray[np.float64]
Count = Callable[
    [float], tuple[float, float]
]  # threshold -> least and most partitions whose sum reaches it


class Null(NamedTuple):
    """The statistic under the null hypothesis: its values and the share of partitions (or draws) at each."""

    statistics: Floats
    shares: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationTest:
    """What `permutation_test` found.

    statistic : sum of x minus sum of y;
    p_value : share of partitions as extreme as the observed one or more, itself and ties counted: valid and never 0;
    p_value_strict : share of more extreme ones only, as in the papers: for comparison with printed values, not a valid p;
    ties : partitions (or draws) that tie, the observed one included when exact; None on a grid, which cannot tell;
    p_error : 0 when exact; on a grid a bound (the valid p lies in [p_value - p_error, p_value], the strict one within
    p_error); when sampled the Monte Carlo standard error;
    method : "exact", "grid" or "sampled"; partitions : how many there are; resamples : how many were drawn, else None;
    null_distribution : statistics and their shares; every partition when exact and up to 131,072, every draw when sampled,
    else the cells of a coarse grid.
    """

    statistic: float
    p_value: float
    p_value_strict: float
    ties: int | None
    p_error: float
    method: str
    partitions: int
    resamples: int | None
    null_distribution: Null = field(repr=False)


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "greater",
    method: str = "auto",
    resamples: int = 100_000,
    rng=None,
) -> PermutationTest:
    """Whether scores x exceed scores y by more than a random split of the same words would.

    x : (n_x,); y : (n_y,), one word or more each, sizes need not agree; alternative : "greater", "less" or "two-sided",
    which compares absolute differences of means (for unequal sizes not the absolute difference of sums).
    method : "exact" counts all partitions from the subset sums of two halves, up to 24 + 24 words; "grid" rounds the scores
    to 131,072 cells of their sum and counts by shifting and adding, with the rounding bounded (25 + 25 words: about half a
    per cent of p); "sampled" draws partitions, each without replacement, p = (1 + reached)/(1 + resamples); "auto" is exact
    up to 20 + 20 words or few partitions, then grid up to 128 + 128, then sampled. rng : Generator or seed, if sampled.
    Ties: partitions whose sums differ from the observed one by less than 1e-13 of the sum of absolute centred scores.
    Returns a `PermutationTest`; p_value equals scipy.stats.permutation_test of the difference of means (of its absolute
    value when two-sided: scipy doubles the smaller tail instead, which differs for unequal sizes).
    Raises ValueError for an empty, infinite or NaN list, scores that are all equal, unknown words, or too much to count.
    Fisher (1935); shift algorithm of Pagano & Tritchler (1983) and Streitberg & Röhmel (1986); two halves after
    Horowitz & Sahni (1974); p of a sample after Phipson & Smyth (2010).
    """
    x, y = _two_lists(x, y)
    _check(alternative, method, resamples)
    pooled = np.concatenate([x, y])
    mean = pooled.mean()
    centred = pooled - mean
    observed = float(centred[: len(x)].sum())
    values, k = (
        (centred, len(x)) if len(x) <= len(y) else (-centred, len(y))
    )  # minus the sum of y is that of x
    method = _chosen(method, len(pooled), k)
    if method == "sampled":
        total, generator = resamples, np.random.default_rng(rng)
        count, sums, shares = _listed(_draws(values, k, resamples, generator))
    else:
        total = math.comb(len(values), k)
        count, sums, shares = (_exact if method == "exact" else _grid)(values, k)
    tolerance = TIE * float(np.abs(centred).sum())
    reached, passed = (
        _beyond(count, observed, slack, alternative, total) for slack in (tolerance, -tolerance)
    )
    p_value, strict, p_error = _p_values(reached, passed, method, total)
    return PermutationTest(
        statistic=float(x.sum() - y.sum()),
        p_value=p_value,
        p_value_strict=strict,
        ties=None if method == "grid" else int(reached[1] - passed[1]),
        p_error=p_error,
        method=method,
        partitions=math.comb(len(pooled), k),
        resamples=resamples if method == "sampled" else None,
        null_distribution=Null(2 * sums + (len(x) - len(y)) * mean, shares),
    )


def rejection_rate(
    n_x: int,
    n_y: int,
    level: float = 0.05,
    *,
    strict: bool = False,
    inclusive: bool = True,
    alternative: str = "greater",
) -> float:
    """How often the exact test rejects a true null hypothesis, in closed form, for scores without accidental ties.

    n_x, n_y : words in the two lists; strict : use p_value_strict; inclusive : reject when p <= level, otherwise p < level.
    A two-sided test of equal sizes sees every partition twice (with its mirror image).
    Returns a share; a valid test stays at or below `level`. Raises ValueError for a level outside 0 to 1 or no word.
    The rank of the observed partition is uniform under exchangeability: p is rank/N, the strict p is (rank - 1)/N.
    """
    if not (0 < level < 1 and n_x > 0 and n_y > 0):
        raise ValueError(
            f"expected 0 < level < 1 and a word or more in each list, got level {level!r}, {n_x!r} and {n_y!r}"
        )
    ranks = math.comb(n_x + n_y, n_x) // (2 if alternative == "two-sided" and n_x == n_y else 1)
    edge = Fraction(str(level)) * ranks
    rejected = (math.floor(edge) if inclusive else math.ceil(edge) - 1) + bool(strict)
    return min(rejected, ranks) / ranks


def _exact(values: Floats, k: int) -> tuple[Count, Floats, Floats]:
    first, second = (_sums_by_size(half, k) for half in (values[::2], values[1::2]))
    pairs = [
        (first[j], np.sort(second[k - j]))
        for j in range(k + 1)
        if len(first[j]) and len(second[k - j])
    ]
    for sums, _ in pairs:
        sums.sort()  # neighbouring look-ups then touch neighbouring memory

    def count(threshold: float) -> tuple[int, int]:
        found = sum(len(a) * len(b) - int(b.searchsorted(threshold - a).sum()) for a, b in pairs)
        return found, found

    if math.comb(len(values), k) <= KEPT:
        return count, *_listed(np.concatenate([np.add.outer(a, b).ravel() for a, b in pairs]))[1:]
    return count, *_grid(values, k, cells=2**10)[1:]


def _sums_by_size(values: Floats, k: int) -> list[Floats]:
    """The sums of all subsets of up to k values, by size of the subset."""
    sums = [np.zeros(1)] + [np.empty(0)] * k
    for value in values:
        for size in range(k, 0, -1):
            if len(sums[size - 1]):
                sums[size] = np.concatenate([sums[size], sums[size - 1] + value])
    return sums


def _grid(values: Floats, k: int, cells: int = CELLS) -> tuple[Count, Floats, Floats]:
    """Counts of all sums of k values, each value rounded to a multiple of `step` above the lowest."""
    low = values.min()
    step = np.sort(values - low)[-k:].sum() / (cells - k - 1)
    rounded = np.rint((values - low) / step).astype(int)
    rest = np.sort(values - low - rounded * step)
    below, above = (
        rest[:k].sum(),
        rest[-k:].sum(),
    )  # a true sum exceeds its cell by something in between
    counts = np.zeros((k + 1, cells))
    counts[0, 0] = 1  # float64: whole numbers stay exact up to 2**53
    for seen, shift in enumerate(rounded, start=1):
        for size in range(min(k, seen), max(0, k - len(values) + seen - 1), -1):
            counts[size, shift:] += counts[size - 1, : cells - shift]
    tail = np.append(np.cumsum(counts[k, ::-1])[::-1], 0)

    def cell(threshold: float) -> float:
        return tail[int(np.clip(np.ceil((threshold - k * low) / step), 0, cells))]

    def count(threshold: float) -> tuple[float, float]:
        return cell(threshold - below), cell(threshold - above)

    filled = np.flatnonzero(counts[k])
    return count, k * low + (below + above) / 2 + step * filled, counts[k, filled] / tail[0]


def _draws(values: Floats, k: int, resamples: int, generator: np.random.Generator) -> Floats:
    """Sums of k values drawn without replacement: the first k steps of a Fisher-Yates shuffle, a column a draw."""
    n, sums = len(values), np.zeros(resamples)
    width = min(resamples, max(1, BLOCK // n))
    columns, kind = (
        np.arange(width),
        np.uint16 if n < 2**16 else np.uint32,
    )  # the narrower, the faster
    for start in range(0, resamples, width):
        block = sums[start : start + width]
        shuffled = np.repeat(values[:, None], len(block), axis=1)
        flat = shuffled.ravel()
        for row in range(k):
            chosen = generator.integers(row, n, len(block), dtype=kind).astype(np.intp)
            chosen *= len(block)
            chosen += columns[: len(block)]
            block += flat[chosen]
            flat[chosen] = shuffled[row]
    return sums


def _listed(sums: Floats) -> tuple[Count, Floats, Floats]:
    def count(threshold: float) -> tuple[int, int]:
        found = int(np.count_nonzero(sums >= threshold))
        return found, found

    return count, sums, np.full(len(sums), 1 / len(sums))


def _beyond(
    count: Count, observed: float, slack: float, alternative: str, total: int
) -> tuple[float, float]:
    """Least and most partitions as extreme as the observed one, less `slack`."""
    upper = lower = (0, 0)
    if alternative != "less":
        upper = count((abs(observed) if alternative == "two-sided" else observed) - slack)
    if alternative != "greater":
        least, most = count((-abs(observed) if alternative == "two-sided" else observed) + slack)
        lower = total - most, total - least
    return min(upper[0] + lower[0], total), min(upper[1] + lower[1], total)


def _p_values(reached: tuple, passed: tuple, method: str, total: int) -> tuple[float, float, float]:
    if method == "exact":
        return reached[1] / total, passed[1] / total, 0.0
    if method == "sampled":
        p = (1 + reached[1]) / (1 + total)
        return p, passed[1] / total, math.sqrt(p * (1 - p) / total)
    least, most = max(1, reached[0]), max(1, reached[1])
    error = max(most - least, (passed[1] - passed[0]) / 2)
    return float(most / total), float(passed[0] + passed[1]) / 2 / total, float(error / total)


def _chosen(method: str, n: int, k: int) -> str:
    halves = sum(math.comb(half, j) for half in (n // 2, n - n // 2) for j in range(k + 1))
    if method == "exact" and halves > AFFORDABLE:
        raise ValueError(
            f'method="exact": expected up to {AFFORDABLE:,} subset sums of the two halves (24 + 24 words), '
            f'got {halves:,}; use "grid", whose error is bounded, or "sampled"'
        )
    if method == "grid" and n > 1000:
        raise ValueError(f'method="grid": expected up to 1,000 words, got {n}; use "sampled"')
    if method == "auto":
        return "exact" if halves <= AUTOMATIC else "grid" if n * k <= 2**15 else "sampled"
    return method


def _two_lists(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    lists = {"x": np.asarray(x, float), "y": np.asarray(y, float)}
    for name, scores in lists.items():
        if scores.ndim != 1 or not len(scores):
            raise ValueError(
                f"{name}: expected a list with a score or more, got an array of shape {scores.shape}"
            )
        if not np.isfinite(scores).all():
            at = int(np.argmin(np.isfinite(scores)))
            raise ValueError(
                f"{name}: expected numbers, got {scores[at]} in place {at}; leave that word out"
            )
    pooled = np.concatenate(list(lists.values()))
    if np.ptp(pooled) <= TIE * np.abs(pooled).max():
        raise ValueError(
            f"expected scores that differ, got {len(pooled)} times {pooled[0]:.6g}; no partition is extreme"
        )
    return lists["x"], lists["y"]


def _check(alternative: str, method: str, resamples: int) -> None:
    for name, value, legal in (
        ("alternative", alternative, ALTERNATIVES),
        ("method", method, METHODS),
    ):
        if value not in legal:
            raise ValueError(
                f"{name}: expected one of {', '.join(map(repr, legal))}, got {value!r}"
            )
    if isinstance(resamples, bool) or not isinstance(resamples, int | np.integer) or resamples < 1:
        raise ValueError(
            f"resamples: expected a whole number of draws, 1 or more, got {resamples!r}"
        )
