"""Does a choice follow the word or the question? Shares, reliability and variance of words by wordings by orders."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.inference.bootstrap import clustered_share
from lib.inference.multitrait import icc_interval
from studies.asked_to_choose.questions import OPTIONS, options_of

Floats = NDArray[np.float64]
SOURCES = ("order", "wording", "word", "rest")
# What a model has to reach before its choices are read: shares of right answers, and the words' part of one choice.
NEEDED = {"answer in the text": 0.9, "answer in the word": 0.9, "one choice repeats": 0.5}


class Share(NamedTuple):
    """A share with an interval over words; `n` words."""

    value: float
    low: float
    high: float
    n: int


class Icc(NamedTuple):
    """What part of the variance of one question's answers is the words', 95 % F interval; 0 where no word differs from another."""

    value: float
    low: float
    high: float
    n: int


def read_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The questions that were answered with a choice."""
    return rows[rows["choice"].isin(OPTIONS)]


def cube(rows: pd.DataFrame, value: str = "odds") -> Floats:
    """(words, wordings, orders) of one kind of question in one frame; `choice` as 1 for *she* and 0 for *he*.

    Words without an answer to every question are left out.
    """
    numbers = rows[value]
    if value == "choice":
        numbers = rows["choice"].map({"she": 1.0, "he": 0.0})
    wide = rows.assign(number=numbers).pivot_table(
        index="word", columns=["wording", "order"], values="number", sort=False, dropna=False
    )
    wide = wide.dropna()
    shape = (rows["wording"].nunique(), rows["order"].nunique())
    return wide.to_numpy(dtype=float).reshape(len(wide), *shape)


def share_by_word(true: pd.Series, rows: pd.DataFrame, rng: np.random.Generator) -> Share:
    """A share of questions; words are drawn, with all their questions."""
    words = rows["word"].to_numpy()
    n = len(set(words))
    if n < 2:
        return Share(float(np.mean(true)) if len(true) else np.nan, np.nan, np.nan, n)
    return Share(*clustered_share(np.asarray(true, bool), rows=words, rng=rng), n)


def names_first(rows: pd.DataFrame, rng: np.random.Generator) -> Share:
    """How often the option that was said first is the answer. A model that reads only the word is at one half."""
    read = read_rows(rows)
    first = read["order"].map(lambda order: options_of(order)[0])
    return share_by_word(read["choice"] == first, read, rng)


def same_in_both(rows: pd.DataFrame, rng: np.random.Generator) -> Share:
    """How often a word gets one answer in both orders of one wording."""
    read = read_rows(rows)
    wide = read.pivot_table(
        index=["word", "wording"], columns="order", values="choice", aggfunc="first", sort=False
    ).dropna()
    if wide.shape[1] < 2:
        return Share(np.nan, np.nan, np.nan, 0)
    return share_by_word(wide.iloc[:, 0] == wide.iloc[:, 1], wide.reset_index(), rng)


def right(rows: pd.DataFrame, rng: np.random.Generator) -> Share:
    """How often the answer is the right one, of the questions that were answered."""
    read = read_rows(rows)
    return share_by_word(read["choice"] == read["right"], read, rng)


def words_right(rows: pd.DataFrame) -> tuple[int, int]:
    """How many words are answered right in more than half of their questions, and how many words there are."""
    read = read_rows(rows)
    shares = (read["choice"] == read["right"]).groupby([read["word"], read["right"]]).mean()
    return int((shares > 0.5).sum()), len(shares)


def chance_bound(n: int, confidence_level: float = 0.95) -> int:
    """The most words that an answerer who tosses a coin for each gets right, but for the upper part of its 5 %."""
    return int(stats.binom.ppf((1 + confidence_level) / 2, n, 0.5))


def variance_shares(values: ArrayLike) -> pd.Series:
    """Main effects of order, wording and word in (words, wordings, orders), and the rest, as shares of the sum of squares."""
    return pd.Series(_shares(np.asarray(values, float)[None])[0], [*SOURCES])


def _shares(tables: Floats) -> Floats:
    """(draws, words, wordings, orders) to (draws, sources); NaN where nothing varies."""
    draws, size = len(tables), tables[0].size
    centred = tables - tables.mean(axis=(1, 2, 3), keepdims=True)
    total = (centred**2).reshape(draws, -1).sum(axis=1)
    found = []
    for axes in ((1, 2), (1, 3), (2, 3)):  # what is averaged over: order, wording, word are left
        of_level = centred.mean(axis=axes)
        found.append((of_level**2).sum(axis=1) * size / of_level.shape[1])
    with np.errstate(invalid="ignore"):
        shares = np.array(found) / total
    return np.vstack([shares, 1 - shares.sum(axis=0)]).T


def variance_draws(
    values: ArrayLike, draws: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, Floats]:
    """Draws of `variance_shares` with words drawn anew; and of the share of words, with the words of each question shuffled."""
    table = np.asarray(values, float)
    anew = table[rng.integers(len(table), size=(draws, len(table)))]
    shuffled = rng.permuted(np.broadcast_to(table, (draws, *table.shape)), axis=1)
    return pd.DataFrame(_shares(anew), columns=[*SOURCES]), _shares(shuffled)[:, 2]


def icc(table: ArrayLike) -> Icc:
    """ICC(3,1) of (words, questions): how well one question's answers tell of another's, a shift of a whole question aside."""
    scores = np.asarray(table, float)
    scores = scores.reshape(len(scores), -1) if len(scores) else scores.reshape(0, 0)
    n, k = scores.shape
    if n < 2 or k < 2:
        return Icc(np.nan, np.nan, np.nan, n)
    words = scores.mean(axis=1, keepdims=True)
    rest = scores - words - scores.mean(axis=0) + scores.mean()
    between = k * scores.mean(axis=1).var(ddof=1)
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    if between <= 1e-24:
        value = -1 / (k - 1) if error > 1e-24 else 0.0
        return Icc(value, value, value, n)
    value = (between - error) / (between + (k - 1) * error)
    return Icc(float(value), *icc_interval(scores), n)


def gate(found: Share | Icc, needed: float) -> str:
    """Whether an interval lies above what is needed: "passed", "failed", "undecided", or "not measured"."""
    ends = (found.low, found.high)
    low, high = (found.value if np.isnan(end) else end for end in ends)
    if np.isnan(low):
        return "not measured"
    if low >= needed:
        return "passed"
    return "failed" if high < needed else "undecided"


def verdict(gates: pd.Series) -> str:
    """Of all gates together: any that failed decides."""
    if (gates == "failed").any():
        return "failed"
    return "passed" if (gates == "passed").all() else "undecided"


def planted(values: ArrayLike, leans: ArrayLike, times: float = 1) -> Floats:
    """Log odds (words, wordings, orders) in which each word has an answer, *she* for the upper half of the leans and else *he*.

    It moves them so many times as far as the order does on average; what the model makes of the questions stays.
    """
    table, lean = np.asarray(values, float), np.asarray(leans, float)
    answer = np.where(lean > np.median(lean), 1.0, -1.0)
    by_order = abs(np.diff(table.mean(axis=(0, 1)))[0]) / 2
    return table - table.mean() + times * by_order * answer[:, None, None]


def rank_correlation(x: ArrayLike, y: ArrayLike, draws: int, rng: np.random.Generator) -> Share:
    """Spearman's correlation with a percentile interval over words; NaN for fewer than five, or where all are alike."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    n = len(x)
    if n < 5 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Share(np.nan, np.nan, np.nan, n)
    drawn = rng.integers(n, size=(draws, n))
    ranks = [stats.rankdata(values[drawn], axis=1) for values in (x, y)]
    first, second = (rank - rank.mean(axis=1, keepdims=True) for rank in ranks)
    with np.errstate(invalid="ignore"):
        found = (first * second).sum(axis=1) / np.sqrt(
            (first**2).sum(axis=1) * (second**2).sum(axis=1)
        )
    low, high = np.nanquantile(found, [0.025, 0.975])
    return Share(float(stats.spearmanr(x, y).statistic), float(low), float(high), n)
