"""Differences between twin sentences: nouns crossed with occupations, and how much depends on which of them were chosen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.sums import p_of_draws
from lib.inference.two_way import (
    DRAWN,
    crossed_draws,
    crossed_interval,
)

Floats = NDArray[np.float64]


def differences(sentences: pd.DataFrame, said: ArrayLike) -> pd.DataFrame:
    """What a classifier says of each feminine sentence, less what it says of its masculine twin: pairs by occupations.

    `sentences` has the columns pair, side ("female" or "male") and occupation: every pair with every occupation, once on each side.
    """
    lacking = {"pair", "side", "occupation"} - {*sentences.columns}
    if lacking:
        raise ValueError(
            f"sentences: expected the columns pair, side and occupation; got none called {', '.join(sorted(lacking))}"
        )
    scores = real_numbers("said", said)
    if scores.shape != (len(sentences),) or not np.isfinite(scores).all():
        raise ValueError(
            f"said: expected a finite score for each of {len(sentences)} sentences; got shape {scores.shape}"
        )
    sides = {*sentences["side"]}
    if sides != {"female", "male"}:
        raise ValueError(
            f"sentences: expected the sides female and male; got {', '.join(sorted(map(str, sides)))}"
        )
    cell = ["side", "pair", "occupation"]
    counts = sentences.groupby(cell).size()
    pairs, occupations = sentences["pair"].unique(), sentences["occupation"].unique()
    if len(counts) != 2 * len(pairs) * len(occupations) or (counts != 1).any():
        raise ValueError(
            f"sentences: expected each of {len(pairs)} pairs with each of {len(occupations)} occupations once a side; "
            f"got {len(sentences)} sentences in {len(counts)} different cells"
        )
    cells = sentences.assign(said=scores).set_index(cell)["said"].unstack()
    return (cells.loc["female"] - cells.loc["male"]).loc[pairs, occupations]


def noun_means(sentences: pd.DataFrame, said: ArrayLike) -> pd.Series:
    """The mean score of each noun, by side, over all sentences that hold it; they may come in several frames.

    The noun is taken from the label of its pair, "female–male".
    """
    both = sentences["pair"].str.split("–", n=1, expand=True)
    noun = both[0].where(sentences["side"] == "female", both[1]).rename("noun")
    said = pd.Series(real_numbers("said", said), sentences.index)
    return (
        said.groupby([sentences["side"], noun], sort=False)
        .mean()
        .sort_index(level=0, sort_remaining=False)
    )


def intervals(
    table: ArrayLike, *, n_resamples: int = 2000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """The mean of a table of differences (pairs, occupations), with an interval for each way to draw, all from the same seed."""
    rows = [crossed_interval(table, drawn=way, n_resamples=n_resamples, rng=rng) for way in DRAWN]
    return pd.DataFrame(rows, pd.Index(DRAWN, name="drawn"))


class TwinTest(NamedTuple):
    """Result of `twin_test`: the mean difference, t, two-sided p, and the number of twins."""

    difference: float
    statistic: float
    pvalue: float
    n: int


def twin_test(table: ArrayLike) -> TwinTest:
    """The paper's test (Section 3, Table 1): a t-test over all differences, each counted as independent of the others."""
    array = _table(table).ravel()
    test = stats.ttest_1samp(array, 0)
    return TwinTest(float(array.mean()), float(test.statistic), float(test.pvalue), len(array))


class CrossedTest(NamedTuple):
    """Result of `crossed_test`: t, its degrees of freedom, p, and the standard error of the mean."""

    statistic: float
    df: float
    pvalue: float
    error: float


def crossed_test(table: ArrayLike) -> CrossedTest:
    """Whether the mean of a table differs from 0 when other pairs and other occupations could have been chosen; two-sided.

    Pairs, occupations and cells are random effects: the variance of the mean is the mean square of pairs plus that of occupations less
    that of the rest, divided by the number of cells, and never less than what either side alone leaves. The t-test on all cells takes
    it for the mean square of the cells, as if each sentence came by itself. Clark (1973), "The language-as-fixed-effect fallacy";
    degrees of freedom after Satterthwaite (1946).
    """
    array = _table(table, at_least=2)
    pairs, occupations = array.shape
    mean = array.mean()
    by_pair, by_occupation = array.mean(axis=1), array.mean(axis=0)
    rest = array - by_pair[:, None] - by_occupation + mean
    freedom = np.array([pairs - 1, occupations - 1, (pairs - 1) * (occupations - 1)])
    sums = [
        occupations * ((by_pair - mean) ** 2).sum(),
        pairs * ((by_occupation - mean) ** 2).sum(),
        (rest**2).sum(),
    ]
    squares = np.array(sums) / freedom
    signed = squares * [1, 1, -1]
    if (
        signed.sum() < squares[:2].max()
    ):  # the rest is larger than a side: take the larger side alone
        signed = np.where(np.arange(3) == squares[:2].argmax(), squares, 0)
    whole = signed.sum()
    if whole <= 0:
        return CrossedTest(float("nan"), float("nan"), float("nan"), 0.0)
    df = whole**2 / (signed**2 / freedom).sum()
    error = float(np.sqrt(whole / array.size))
    statistic = float(mean / error)
    return CrossedTest(statistic, float(df), float(2 * stats.t.sf(abs(statistic), df)), error)


def flip_p(table: ArrayLike) -> float:
    """How often the mean is as far from 0 when the two nouns of each pair may change places: a two-sided p for up to 22 pairs.

    Each of the 2ⁿ ways to exchange the nouns of n pairs counts once, the one observed among them, so the p-value is exact; the
    occupations are those that were chosen.
    """
    means = _table(table).mean(axis=1)
    if len(means) > 22:
        raise ValueError(f"table: expected at most 22 pairs, got {len(means)}")
    sums = np.zeros(1)
    for mean in means:
        sums = np.concatenate([sums + mean, sums - mean])
    reached = np.abs(sums) >= abs(means.sum()) - 1e-12 * np.abs(means).sum()
    return float(reached.mean())


def pair_tests(
    means: ArrayLike, *, draws: int = 2000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """The mean of the differences of pairs (n,) and their signed ranks, each with p: rows mean, ranks; columns value, low, high, p, smallest p, n.

    The two nouns of a pair may change places, in all 2ⁿ ways up to 20 pairs, else in random ones. low and high are what 95 % of them
    give. The ranks are those of Wilcoxon (1945), mean ranks for ties, as a share from −1 to 1; pairs without a difference do not count.
    """
    values = real_numbers("means", means)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(f"means: expected a finite number a pair, got shape {values.shape}")
    moved = np.abs(values) > 1e-12 * np.abs(values).max(initial=0)
    ranks = np.zeros(len(values))
    ranks[moved] = np.sign(values[moved]) * stats.rankdata(np.abs(values[moved]))
    sums = {"mean": values / len(values), "ranks": ranks / max(np.abs(ranks).sum(), 1)}
    kept = np.column_stack(list(sums.values()))[moved]
    if len(kept) <= 20:
        null = np.zeros((1, 2))
        for row in kept:
            null = np.concatenate([null + row, null - row])
        smallest = min(1.0, 2 / len(null))
    else:
        signs = np.random.default_rng(rng).choice([-1, 1], (draws, len(kept)))
        null, smallest = signs @ kept, 1 / (1 + draws)
    rows = {}
    for name, of_null in zip(sums, null.T):
        value = float(sums[name].sum())
        near = np.abs(of_null) >= abs(value) - 1e-12 * np.abs(sums[name]).sum()
        exact = len(kept) <= 20
        p = near.mean() if exact else (1 + near.sum()) / (1 + draws)
        rows[name] = (value, *np.quantile(of_null, [0.025, 0.975]), p, smallest, int(moved.sum()))
    columns = ["value", "low", "high", "p", "smallest p", "n"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.rename_axis("statistic")


def one_less_the_others(table: pd.DataFrame) -> pd.Series:
    """For each column of a table of differences (pairs, words): its mean, less the mean of all other columns, the smallest first."""
    means = pd.Series(_table(table, at_least=2).mean(axis=0), table.columns)
    return (means - (means.sum() - means) / (len(means) - 1)).sort_values()


def reached(null: ArrayLike, value: float) -> float:
    """The share of draws, centred on 0, as far from 0 as a value, itself counted: a two-sided p that is never 0."""
    return p_of_draws(abs(value), np.abs(real_numbers("null", null)), tolerance=1e-12)


def with_and_without(
    jobs: pd.DataFrame,
    control: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The mean difference with occupations, with "person" in their place, and the first less the second: what, value, low, high.

    Pairs, the same in both tables, and occupations are drawn anew; the ends are those of 95 % percentile intervals.
    """
    drawn = crossed_draws(jobs, control, n_resamples=n_resamples, rng=rng)
    less = jobs.sub(control["person"], axis=0)
    rows = []
    for what, table, of_draws in (
        ("occupations", jobs, drawn[:, 0]),
        ("person", control, drawn[:, 1]),
        ("occupations less person", less, drawn[:, 0] - drawn[:, 1]),
    ):
        rows.append((what, table.to_numpy().mean(), *np.quantile(of_draws, [0.025, 0.975])))
    return pd.DataFrame(rows, columns=["what", "value", "low", "high"])


def leave_one_out(table: pd.DataFrame) -> pd.DataFrame:
    """The mean without each pair and without each occupation: columns kind, without, and value, the mean of all others."""
    array = _table(table, at_least=2)
    parts = []
    for kind, names, axis in (("pair", table.index, 1), ("occupation", table.columns, 0)):
        means = array.mean(axis=axis)
        others = (means.sum() - means) / (len(means) - 1)
        parts.append(pd.DataFrame({"kind": kind, "without": names, "value": others}))
    return pd.concat(parts, ignore_index=True)


def variance_shares(table: ArrayLike) -> pd.Series:
    """How much of the variance of single differences goes with the pair, the occupation, and neither alone; shares sum to 1."""
    array = _table(table, at_least=2)
    pairs, occupations = array.shape
    mean = array.mean()
    of_pairs = occupations * ((array.mean(axis=1) - mean) ** 2).sum()
    of_occupations = pairs * ((array.mean(axis=0) - mean) ** 2).sum()
    whole = ((array - mean) ** 2).sum()
    sums = np.array([of_pairs, of_occupations, whole - of_pairs - of_occupations])
    shares = sums / whole if whole > 0 else np.full(3, np.nan)
    return pd.Series(shares, ["pair", "occupation", "rest"])


def _table(table: ArrayLike, at_least: int = 1) -> Floats:
    array = real_numbers("table", table)
    if array.ndim != 2 or min(array.shape) < at_least or not np.isfinite(array).all():
        raise ValueError(
            f"table: expected finite differences, pairs by occupations, {at_least} or more of each; got shape {array.shape}"
        )
    return array
