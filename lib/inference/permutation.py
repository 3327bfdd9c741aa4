"""The permutation test behind WEAT on two lists of scores: exact, on a grid, or sampled.

Scores x (n_x,) and y (n_y,) are pooled and cut again into lists of n_x and n_y in every possible
way. All statistics in use (difference of sums, of means, Cohen's d without its sign rule) order
these partitions alike, by the sum of the centred scores of the first list, so that one count
serves all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers

ALTERNATIVES = ("greater", "less", "two-sided")
METHODS = ("auto", "exact", "grid", "sampled")
TIE_TOLERANCE = 1e-13  # of the sum of absolute centred scores: nearer partitions tie
MAX_AUTOMATIC_SUMS = 2**21  # subset sums of the two halves for which "auto" is exact: 20 + 20 words
MAX_EXACT_SUMS = 2**25  # the same for method="exact": 24 + 24 words, about 1 GB
MAX_AUTOMATIC_GRID = 2**15  # words times words of the shorter list: 128 + 128 words
MAX_GRID_WORDS = 1000
GRID_CELLS = 2**17
SHUFFLED_SCORES = 2**19  # at a time, when sampling
MANY_SCORES = 2**18  # above, partitions are drawn one by one, and no longer counted
MAX_SAMPLED_SCORES = (
    2**32
)  # scores times draws: 2,147 draws of a million + a million, about a minute

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class PartitionTest:
    """Result of `partition_test`.

    Attributes
    ----------
    statistic : float
        Sum of x minus sum of y.
    pvalue : float
        Share of partitions as extreme as the observed one or more, itself and ties counted: valid
        and never 0.
    pvalue_strict : float
        Share of more extreme ones only, as in the papers: for comparison with printed values, not a
        valid p.
    pvalue_error : float
        0 when exact; on a grid a bound (the valid p lies in [pvalue - pvalue_error, pvalue], the
        strict one within pvalue_error); when sampled the Monte Carlo standard error.
    ties : int or None
        Partitions (or draws) that tie, the observed one included when exact; None on a grid.
    method : str
        "exact", "grid" or "sampled".
    partitions : int or float
        How many there are; inf, being beyond use, above 262,144 scores.
    n_resamples : int or None
        How many were drawn, None where all were counted.
    """

    statistic: float
    pvalue: float
    pvalue_strict: float
    pvalue_error: float
    ties: int | None
    method: str
    partitions: int | float
    n_resamples: int | None


def partition_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "greater",
    method: str = "auto",
    n_resamples: int = 100_000,
    rng: np.random.Generator | int | None = None,
) -> PartitionTest:
    """Whether scores x exceed scores y by more than a random split of the same words would.

    Partitions whose sums differ from the observed one by less than 1e-13 of the sum of absolute
    centred scores tie with it.

    Parameters
    ----------
    x, y : array_like, shape (n_x,) and (n_y,)
        One score or more each; sizes need not agree.
    alternative : str
        "greater", "less" or "two-sided", which compares absolute differences of means (for unequal
        sizes not the absolute difference of sums).
    method : str
        "exact" counts all partitions from the subset sums of two halves, up to 24 + 24 words;
        "grid" rounds the scores to 131,072 cells of their sum and counts by shifting and adding,
        with the rounding bounded (25 + 25 words: about half a per cent of p); "sampled" draws
        partitions, each without replacement, p = (1 + reached)/(1 + n_resamples); "auto" is exact
        up to 20 + 20 words or few partitions, then grid up to 128 + 128, then sampled, up to
        2³² scores times draws.
    n_resamples : int
        Partitions drawn, if sampled.
    rng : Generator or int, optional
        Random numbers or a seed, if sampled.

    Returns
    -------
    PartitionTest
        pvalue equals `scipy.stats.permutation_test` of the difference of means (of its absolute
        value when two-sided: scipy doubles the smaller tail instead, which differs for unequal
        sizes).

    Raises
    ------
    ValueError
        For an empty, infinite or NaN list, scores that are all equal, unknown words, or too much to
        count.

    References
    ----------
    Fisher (1935); shift algorithm of Pagano & Tritchler (1983) and Streitberg & Röhmel (1986); two
    halves after Horowitz & Sahni (1974); p of a sample after Phipson & Smyth (2010).

    Examples
    --------
    >>> test = partition_test([0.4, 0.3, 0.5], [0.1, 0.2, 0.0])
    >>> test.pvalue, test.pvalue_strict, test.partitions, test.method
    (0.05, 0.0, 20, 'exact')
    """
    x, y = _validated_scores("x", x), _validated_scores("y", y)
    _validate_options(alternative, method, n_resamples)
    pooled = np.concatenate([x, y])
    if np.ptp(pooled) <= TIE_TOLERANCE * np.abs(pooled).max():
        raise ValueError(
            f"expected scores that differ, got {len(pooled)} times {pooled[0]:.6g}; "
            "no partition is extreme"
        )
    centred = pooled - pooled.mean()
    observed = float(centred[: len(x)].sum())
    shorter = min(len(x), len(y))
    values = centred if shorter == len(x) else -centred  # minus the sum of y is the sum of x
    method = _choose_method(method, len(pooled), shorter)
    null: _Null
    if method == "exact":
        null = _ExactNull(values, shorter)
    elif method == "grid":
        null = _GridNull(values, shorter)
    else:
        _validate_sample(len(pooled), n_resamples)
        null = _SampledNull(_sample_sums(values, shorter, n_resamples, np.random.default_rng(rng)))
    tolerance = TIE_TOLERANCE * float(np.abs(centred).sum())
    at_least = _count_extreme(null, observed, tolerance, alternative)
    more_than = _count_extreme(null, observed, -tolerance, alternative)
    if method == "sampled":
        pvalue = (1 + at_least[1]) / (1 + null.total)
        error = math.sqrt(pvalue * (1 - pvalue) / null.total)
    else:
        fewest, most = max(1, at_least[0]), max(1, at_least[1])
        pvalue = most / null.total
        error = max(most - fewest, (more_than[1] - more_than[0]) / 2) / null.total
    return PartitionTest(
        statistic=float(x.sum() - y.sum()),
        pvalue=float(pvalue),
        pvalue_strict=float(sum(more_than)) / 2 / null.total,
        pvalue_error=float(error),
        ties=None if method == "grid" else int(at_least[1] - more_than[1]),
        method=method,
        partitions=math.comb(len(pooled), shorter) if len(pooled) <= MANY_SCORES else math.inf,
        n_resamples=n_resamples if method == "sampled" else None,
    )


class _Null(Protocol):
    """Sums of the shorter list over all partitions, or over a sample of them."""

    total: int

    def tail(self, threshold: float) -> tuple[float, float]:
        """Fewest and most partitions whose sum reaches the threshold."""


class _SampledNull:
    """The sum of each partition drawn."""

    def __init__(self, sums: Floats):
        self.sums, self.total = sums, len(sums)

    def tail(self, threshold: float) -> tuple[float, float]:
        count = int(np.count_nonzero(self.sums >= threshold))
        return count, count


class _ExactNull:
    """Subset sums of two halves of the words, which add up to the sums of all partitions."""

    def __init__(self, values: Floats, k: int):
        first, second = (_sums_by_size(half, k) for half in (values[::2], values[1::2]))
        # sorted look-ups touch neighbouring memory
        self.pairs = [(np.sort(first[j]), np.sort(second[k - j])) for j in range(k + 1)]
        self.total = math.comb(len(values), k)

    def tail(self, threshold: float) -> tuple[float, float]:
        below = sum(int(b.searchsorted(threshold - a).sum()) for a, b in self.pairs)
        return self.total - below, self.total - below


class _GridNull:
    """Counts of the sums, each score rounded to a multiple of a step above the lowest."""

    def __init__(self, values: Floats, k: int):
        low = values.min()
        self.step = np.sort(values - low)[-k:].sum() / (GRID_CELLS - k - 1)
        cells = np.rint((values - low) / self.step).astype(int)
        excess = np.sort(values - low - cells * self.step)
        counts = np.zeros((k + 1, GRID_CELLS))
        counts[0, 0] = 1  # float64: whole numbers stay exact up to 2**53
        for seen, shift in enumerate(cells, start=1):
            for size in range(min(k, seen), max(0, k - len(values) + seen - 1), -1):
                counts[size, shift:] += counts[size - 1, : GRID_CELLS - shift]
        self.tails = np.append(np.cumsum(counts[k, ::-1])[::-1], 0)
        # a true sum exceeds that of its cell by something in between
        self.origins = k * low + np.array([excess[:k].sum(), excess[-k:].sum()])
        self.total = math.comb(len(values), k)

    def tail(self, threshold: float) -> tuple[float, float]:
        cells = np.ceil((threshold - self.origins) / self.step).clip(0, GRID_CELLS)
        fewest, most = self.tails[cells.astype(int)]
        return fewest, most


def _sums_by_size(values: Floats, k: int) -> list[Floats]:
    """The sums of all subsets of up to k values, by size of the subset."""
    sums = [np.zeros(1)] + [np.empty(0)] * k
    for value in values:
        for size in range(k, 0, -1):
            if len(sums[size - 1]):
                sums[size] = np.concatenate([sums[size], sums[size - 1] + value])
    return sums


def _sample_sums(
    values: Floats, k: int, n_resamples: int, generator: np.random.Generator
) -> Floats:
    """Sums of k values drawn without replacement: the first k steps of a Fisher-Yates shuffle."""
    n, sums = len(values), np.zeros(n_resamples)
    if n > MANY_SCORES:
        for draw in range(n_resamples):
            sums[draw] = values[generator.choice(n, k, replace=False, shuffle=False)].sum()
        return sums
    narrow = np.uint16 if n < 2**16 else np.uint32  # the narrower, the faster
    width = min(n_resamples, max(1, SHUFFLED_SCORES // n))
    columns = np.arange(width)
    for start in range(0, n_resamples, width):
        block = sums[start : start + width]
        shuffled = np.repeat(values[:, None], len(block), axis=1)  # a column a draw
        flat = shuffled.ravel()
        for row in range(k):
            chosen = generator.integers(row, n, len(block), dtype=narrow).astype(np.intp)
            chosen *= len(block)
            chosen += columns[: len(block)]
            block += flat[chosen]
            flat[chosen] = shuffled[row]
    return sums


def _count_extreme(
    null: _Null, observed: float, slack: float, alternative: str
) -> tuple[float, float]:
    """Fewest and most partitions as extreme as the observed one, less the slack."""
    upper: tuple[float, float] = (0, 0)
    lower: tuple[float, float] = (0, 0)
    two_sided = alternative == "two-sided"
    if alternative != "less":
        upper = null.tail((abs(observed) if two_sided else observed) - slack)
    if alternative != "greater":
        fewest, most = null.tail((-abs(observed) if two_sided else observed) + slack)
        lower = null.total - most, null.total - fewest
    return min(upper[0] + lower[0], null.total), min(upper[1] + lower[1], null.total)


def _choose_method(method: str, n: int, k: int) -> str:
    halves = 0
    for j in range(k + 1):
        halves += math.comb(n // 2, j) + math.comb(n - n // 2, j)
        if halves > MAX_EXACT_SUMS:  # enough is known, and of many words the rest takes hours
            break
    if method == "exact" and halves > MAX_EXACT_SUMS:
        raise ValueError(
            f'method="exact": expected up to {MAX_EXACT_SUMS:,} subset sums of the two halves '
            f'(24 + 24 words), got more with {n:,} words; use "grid", whose error is bounded, or "sampled"'
        )
    if method == "grid" and n > MAX_GRID_WORDS:
        raise ValueError(
            f'method="grid": expected up to {MAX_GRID_WORDS:,} words, got {n}; use "sampled"'
        )
    if method != "auto":
        return method
    if halves <= MAX_AUTOMATIC_SUMS:
        return "exact"
    return "grid" if n * k <= MAX_AUTOMATIC_GRID else "sampled"


def _validate_sample(n: int, n_resamples: int) -> None:
    if n * n_resamples > MAX_SAMPLED_SCORES:
        raise ValueError(
            f"n_resamples: expected up to {MAX_SAMPLED_SCORES // n:,} draws of {n:,} scores, got {n_resamples:,}; "
            "draw fewer, or test a random part of the scores"
        )


def _validated_scores(name: str, scores: ArrayLike) -> Floats:
    array = real_numbers(name, scores)
    if array.ndim != 1 or not len(array):
        raise ValueError(
            f"{name}: expected a list with a score or more, got an array of shape {array.shape}"
        )
    if not np.isfinite(array).all():
        place = int(np.argmin(np.isfinite(array)))
        raise ValueError(
            f"{name}: expected numbers, got {array[place]} in place {place}; leave that word out"
        )
    return array


def _validate_options(alternative: str, method: str, n_resamples: int) -> None:
    one_of("alternative", alternative, ALTERNATIVES)
    one_of("method", method, METHODS)
    whole = isinstance(n_resamples, int | np.integer) and not isinstance(n_resamples, bool)
    if not whole or n_resamples < 1:
        raise ValueError(
            f"n_resamples: expected a whole number of draws, 1 or more, got {n_resamples!r}"
        )
