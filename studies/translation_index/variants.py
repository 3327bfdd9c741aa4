"""The index made otherwise: other words and rules, other means, small sets; and the numbers of outputs behind a printed cell."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import floor

import numpy as np
import pandas as pd

from lib.translation.tgbi import (
    RULES,
    WORD_LISTS,
    SetScore,
    TgbiResult,
    gender_words,
    set_score,
    translation_gender_bias_index,
)
from studies.translation_index.cho2019 import PARTITIONS


def index_variants(outputs: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The index under every list of words (rows `WORD_LISTS`) and every rule for outputs with words of both genders (columns
    `RULES`).
    """
    indices = {}
    for both, words in product(RULES, WORD_LISTS):
        female, male = gender_words(words)
        result = translation_gender_bias_index(outputs, female=female, male=male, both=both)
        indices.setdefault(both, {})[words] = result.index
    return pd.DataFrame(indices).rename_axis(index="words", columns="both")


def partition_counts(sets: Mapping[str, SetScore]) -> dict[str, tuple[int, int, int]]:
    """Feminine, masculine and neutral outputs by each way ("pronoun", "ending" and "kind") of dividing the same sentences into
    the seven sets: one run over the sentences gives one triple.
    """
    return {
        way: tuple(map(sum, zip(*(sets[name].counts for name in names))))
        for way, names in PARTITIONS.items()
    }


def other_means(result: TgbiResult) -> dict[str, float]:
    """The "index" beside other means of the same outputs, all in [0, 1]: "once, by pronoun", …, the score of all sentences
    counted once, by each way to divide them, which one run gives one value; "no root", the mean of squared scores.
    """
    once = {
        f"once, by {way}": set_score(*counts).score
        for way, counts in partition_counts(result.sets).items()
    }
    squared = [score.score**2 for score in result.sets.values()]
    return {"index": result.index, **once, "no root": float(np.mean(squared))}


def scores_of_shares(shares: pd.DataFrame) -> pd.DataFrame:
    """Shares of female, male, neutral and unread outputs, in [0, 1], with score, which counts unread outputs as neutral as the
    index would, and "left out", the score without them.
    """
    counts = 1e6 * shares
    pairs = [counts["female"].round(), counts["male"].round()]
    every = zip(*pairs, (counts["neutral"] + counts["unread"]).round())
    without = zip(*pairs, counts["neutral"].round())
    return shares.assign(
        score=[set_score(*row).score for row in every],
        **{"left out": [set_score(*row).score for row in without]},
    )


def small_set_bias(
    probabilities: Sequence[float],
    sizes: Sequence[int],
    draws: int = 2000,
    *,
    rng: np.random.Generator | int | None = None,
) -> list[float]:
    """Mean score of sets of so many independent sentences less the score of the probabilities (feminine, masculine, neutral)
    behind them, one for each size; the root is concave, so that it is negative.
    """
    rng = np.random.default_rng(rng)
    truth = set_score(*np.round(1000 * np.array(probabilities))).score
    biases = []
    for size in sizes:
        shares = rng.multinomial(size, probabilities, draws) / size
        scores = np.sqrt(shares[:, 0] * shares[:, 1] + shares[:, 2])
        biases.append(float(scores.mean() - truth))
    return biases


def printed_counts(
    p_female: float, p_neutral: float, score: float, n: int
) -> list[tuple[int, int]]:
    """Every number of feminine and of neutral outputs, of n, that is printed so, all three cells cut off at four decimals.

    In Table 1 it is one pair for each cell, so that the printed shares give the counts away.
    """

    def near(share: float) -> range:
        return range(max(0, int(share * n) - 1), min(n, int((share + 1e-4) * n) + 1) + 1)

    pairs = []
    for female, neutral in product(near(p_female), near(p_neutral)):
        if female + neutral <= n:
            shares = set_score(female, n - female - neutral, neutral)
            cells = (shares.p_female, shares.p_neutral, shares.score)
            if tuple(map(truncated, cells)) == (p_female, p_neutral, score):
                pairs.append((female, neutral))
    return pairs


def truncated(value: float, decimals: int = 4) -> float:
    """A number cut off after some decimals, as the cells of the paper are."""
    return floor(round(value * 10**decimals, 6)) / 10**decimals
