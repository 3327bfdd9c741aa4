"""Differences between twin sentences: nouns crossed with occupations, and how much depends on which of them were chosen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.sums import p_of_draws

Floats = NDArray[np.float64]
DRAWN = ("both", "pairs", "occupations", "sentences")


def differences(sentences: pd.DataFrame, said: ArrayLike) -> pd.DataFrame:
    """What a classifier says of each feminine sentence, less what it says of its masculine twin.

    Parameters
    ----------
    sentences : DataFrame
        Columns pair, side ("female" or "male") and occupation: every pair with every occupation, once on each side.
    said : array_like, shape (n,)
        A score for each sentence: the probability of "positive", say.

    Returns
    -------
    DataFrame
        Pairs by occupations, female minus male.

    Raises
    ------
    ValueError
        Where a column is missing, scores do not fit, or a twin is missing or there twice.

    Examples
    --------
    >>> sentences = pd.DataFrame({"pair": ["she–he"] * 2, "side": ["male", "female"], "occupation": ["baker"] * 2})
    >>> differences(sentences, [0.25, 0.75]).loc["she–he", "baker"].item()
    0.5
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
    """The mean score of each noun, over all sentences that hold it.

    Parameters
    ----------
    sentences, said
        As in `differences`; a sentence may come in several frames.

    Returns
    -------
    Series
        By side and noun, the noun taken from the label of its pair ("female–male").

    Examples
    --------
    >>> sentences = pd.DataFrame({"pair": ["she–he"] * 2, "side": ["male", "female"], "occupation": ["baker"] * 2})
    >>> noun_means(sentences, [0.25, 0.75]).to_dict()
    {('female', 'she'): 0.75, ('male', 'he'): 0.25}
    """
    both = sentences["pair"].str.split("–", n=1, expand=True)
    noun = both[0].where(sentences["side"] == "female", both[1]).rename("noun")
    said = pd.Series(real_numbers("said", said), sentences.index)
    return (
        said.groupby([sentences["side"], noun], sort=False)
        .mean()
        .sort_index(level=0, sort_remaining=False)
    )


def crossed_draws(
    *tables: ArrayLike,
    drawn: str = "both",
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Bootstrap means of tables of pairs by occupations, in which whole pairs and whole occupations are drawn.

    Parameters
    ----------
    *tables : array_like, shape (pairs, occupations)
        They share their pairs, which are drawn for all of them together; occupations are drawn for each table by itself.
    drawn : str
        "both", "pairs", "occupations", or "sentences": each cell by itself, as if all were independent.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (n_resamples, tables)
        A table with one occupation keeps it in every draw.

    Raises
    ------
    ValueError
        For tables that are none, or with other numbers of pairs, or an unknown `drawn`.

    References
    ----------
    Owen (2007), "The pigeonhole bootstrap": drawing both sides gives an interval that is rather too wide than too narrow.

    Examples
    --------
    >>> draws = crossed_draws([[1.0, 1.0], [3.0, 3.0]], drawn="occupations", n_resamples=5, rng=0)
    >>> draws.ravel().tolist()
    [2.0, 2.0, 2.0, 2.0, 2.0]
    """
    arrays = [_table(table) for table in tables]
    if len({len(array) for array in arrays}) != 1:
        raise ValueError(
            f"tables: expected the same pairs in each; got {[len(array) for array in arrays]}"
        )
    if drawn not in DRAWN:
        raise ValueError(f"drawn: expected one of {', '.join(DRAWN)}; got {drawn!r}")
    generator = np.random.default_rng(rng)
    if drawn == "sentences":
        return np.column_stack([_cell_means(array, n_resamples, generator) for array in arrays])
    count = len(arrays[0])
    rows = np.ones((n_resamples, count))
    if drawn != "occupations":
        rows = _weights(count, n_resamples, generator)
    means = []
    for array in arrays:
        columns = np.ones((n_resamples, array.shape[1]))
        if drawn != "pairs":
            columns = _weights(array.shape[1], n_resamples, generator)
        means.append(((rows @ array) * columns).sum(axis=1) / array.size)
    return np.column_stack(means)


class Interval(NamedTuple):
    """A mean with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def crossed_interval(
    table: ArrayLike,
    *,
    drawn: str = "both",
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """The mean of a table of differences, with the percentile interval of `crossed_draws`.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Differences.
    drawn, n_resamples, rng
        As in `crossed_draws`.

    Returns
    -------
    Interval

    Raises
    ------
    ValueError
        As `crossed_draws`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> noisy_pairs = rng.normal(size=(20, 1)) + np.zeros((20, 20))
    >>> one_by_one = crossed_interval(noisy_pairs, drawn="sentences", rng=0)
    >>> crossed = crossed_interval(noisy_pairs, rng=0)
    >>> crossed.high - crossed.low > 3 * (one_by_one.high - one_by_one.low)
    True
    """
    draws = crossed_draws(table, drawn=drawn, n_resamples=n_resamples, rng=rng)
    low, high = np.quantile(draws, [0.025, 0.975])
    return Interval(float(np.mean(table)), float(low), float(high))


def intervals(
    table: ArrayLike, *, n_resamples: int = 2000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """The mean of a table of differences with an interval for each way to draw.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Differences.
    n_resamples, rng
        As in `crossed_draws`; every way starts from the same seed.

    Returns
    -------
    DataFrame
        By `DRAWN`: value, low, high.

    Raises
    ------
    ValueError
        As `crossed_draws`.

    Examples
    --------
    >>> intervals([[1.0, 1.0], [3.0, 3.0]], rng=0).loc["occupations"].tolist()
    [2.0, 2.0, 2.0]
    """
    rows = [crossed_interval(table, drawn=way, n_resamples=n_resamples, rng=rng) for way in DRAWN]
    return pd.DataFrame(rows, pd.Index(DRAWN, name="drawn"))


class TwinTest(NamedTuple):
    """Result of `twin_test`: the mean difference, t, two-sided p, and the number of twins."""

    difference: float
    statistic: float
    pvalue: float
    n: int


def twin_test(table: ArrayLike) -> TwinTest:
    """The paper's test: a t-test over all differences, each counted as independent of the others.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Differences.

    Returns
    -------
    TwinTest

    Raises
    ------
    ValueError
        For other shapes.

    References
    ----------
    Bhaskaran and Bhallamudi (2019), Section 3 and Table 1.

    Examples
    --------
    >>> round(twin_test([[0.1, 0.2], [0.3, 0.4]]).pvalue, 2)
    0.03
    """
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
    """Whether the mean of a table differs from 0 when other pairs and other occupations could have been chosen.

    Pairs, occupations and cells are random effects: the variance of the mean is the mean square of pairs plus that of
    occupations less that of the rest, divided by the number of cells, and never less than what either side alone
    leaves. The t-test on all cells takes it for the mean square of the cells, as if each sentence came by itself.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Two or more of each.

    Returns
    -------
    CrossedTest
        Two-sided; degrees of freedom after Satterthwaite.

    Raises
    ------
    ValueError
        For other shapes.

    References
    ----------
    Clark (1973), "The language-as-fixed-effect fallacy"; Satterthwaite (1946).

    Examples
    --------
    >>> table = [[0.1, 0.2, 0.3], [0.2, 0.4, 0.3], [0.0, 0.1, 0.2]]
    >>> round(crossed_test(table).pvalue, 3), round(float(stats.ttest_1samp(np.ravel(table), 0).pvalue), 3)
    (0.064, 0.001)
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
    """How often the mean is as far from 0 when the two nouns of each pair may change places.

    Each of the 2ⁿ ways to exchange the nouns of n pairs counts once, so the p-value is exact; the occupations are
    those that were chosen.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Up to 22 pairs.

    Returns
    -------
    float
        Two-sided p, the ways as far counted and the one observed among them.

    Raises
    ------
    ValueError
        For other shapes, or more pairs.

    Examples
    --------
    >>> flip_p([[0.1], [0.2], [0.3]])
    0.25
    """
    means = _table(table).mean(axis=1)
    if len(means) > 22:
        raise ValueError(f"table: expected at most 22 pairs, got {len(means)}")
    sums = np.zeros(1)
    for mean in means:
        sums = np.concatenate([sums + mean, sums - mean])
    reached = np.abs(sums) >= abs(means.sum()) - 1e-12 * np.abs(means).sum()
    return float(reached.mean())


def reached(null: ArrayLike, value: float) -> float:
    """The share of draws as far from 0 as a value, itself counted: a two-sided p that is never 0.

    Parameters
    ----------
    null : array_like, shape (draws,)
        Draws under a null hypothesis, centred on 0.
    value : float
        What was found.

    Returns
    -------
    float

    Examples
    --------
    >>> reached([0.1, -0.4, 0.2], 0.3)
    0.5
    """
    return p_of_draws(abs(value), np.abs(real_numbers("null", null)), tolerance=1e-12)


def leave_one_out(table: pd.DataFrame) -> pd.DataFrame:
    """The mean without each pair and without each occupation.

    Parameters
    ----------
    table : DataFrame
        Pairs by occupations, two or more of each.

    Returns
    -------
    DataFrame
        Columns kind ("pair" or "occupation"), without, and value: the mean of all others.

    Raises
    ------
    ValueError
        For other shapes.

    Examples
    --------
    >>> table = pd.DataFrame([[0.0, 0.0], [0.4, 0.6]], ["she–he", "widow–widower"], ["baker", "chef"])
    >>> leave_one_out(table).value.round(2).tolist()
    [0.5, 0.0, 0.3, 0.2]
    """
    array = _table(table, at_least=2)
    parts = []
    for kind, names, axis in (("pair", table.index, 1), ("occupation", table.columns, 0)):
        means = array.mean(axis=axis)
        others = (means.sum() - means) / (len(means) - 1)
        parts.append(pd.DataFrame({"kind": kind, "without": names, "value": others}))
    return pd.concat(parts, ignore_index=True)


def variance_shares(table: ArrayLike) -> pd.Series:
    """How much of the variance of single differences goes with the pair, the occupation, and neither alone.

    Parameters
    ----------
    table : array_like, shape (pairs, occupations)
        Two or more of each.

    Returns
    -------
    Series
        pair, occupation, rest: shares of the sum of squares around the mean, which sum to 1; NaN where all
        differences are equal.

    Raises
    ------
    ValueError
        For other shapes.

    Examples
    --------
    >>> variance_shares([[1.0, 1.0], [3.0, 3.0]]).tolist()
    [1.0, 0.0, 0.0]
    """
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


def _weights(count: int, draws: int, generator: np.random.Generator) -> Floats:
    """How often each of some items is in each draw."""
    return generator.multinomial(count, np.full(count, 1 / count), size=draws).astype(float)


def _cell_means(array: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """Means of cells drawn one by one."""
    return _weights(array.size, draws, generator) @ array.ravel() / array.size
