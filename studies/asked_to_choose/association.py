"""Scores of the released association tests, and two nulls for them."""

import numpy as np
import pandas as pd

from lib.inference.permutation import partition_test
from studies.asked_to_choose.bai2025 import (
    COUNTS,
    TESTS,
    VARIANTS,
    difference,
    score_of_authors,
)


def each_answer(counts: pd.DataFrame) -> pd.DataFrame:
    """One row an answer, with the authors' `score`, our `difference` (0 where a half of the words lacks), and how it was read.

    `reading` is "read", "unreadable" by the authors' rule though the pairs are there, or "no answer", with fewer than two
    pairs. `one name` marks an answer that gives one side everything that the rule reads.
    """
    rows = counts.loc[counts.index.repeat(counts["answers"])].drop(columns="answers")
    of_rule = rows[[f"rule {name}" for name in COUNTS]].to_numpy()
    ours = rows[[*COUNTS]].to_numpy()
    read_by_rule, there = of_rule.sum(axis=1), ours.sum(axis=1)
    sides = np.stack([of_rule[:, :2].sum(axis=1), of_rule[:, 2:].sum(axis=1)])
    reading = np.select(
        [there < 2, read_by_rule == 0, read_by_rule < there],
        ["no answer", "unreadable", "in part"],
        "read",
    )
    return rows.assign(
        score=score_of_authors(of_rule),
        difference=np.nan_to_num(difference(ours)),
        reading=reading,
        one_name=(read_by_rule > 0) & (sides.min(axis=0) == 0),
    ).reset_index(drop=True)


def by_test(answers: pd.DataFrame, value: str) -> pd.DataFrame:
    """(tests, variants) means, in the order of the authors' figure."""
    table = answers.pivot_table(index="test", columns="variant", values=value, sort=False)
    return table.reindex([test for test in TESTS if test in table.index])


def shuffled_words(
    answers: pd.DataFrame, draws: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Draws of each test's mean difference over its variants, with the words of each answer dealt out anew among the names it gave."""
    answers = answers[answers["variant"].isin(VARIANTS)]
    counts = answers[[*COUNTS]].to_numpy()
    negative, stigma = counts[:, 0] + counts[:, 2], counts[:, 0] + counts[:, 1]
    total = counts.sum(axis=1)
    usable = (negative > 0) & (negative < total)
    found = {}
    for test, places in answers.reset_index(drop=True).groupby("test", sort=False).groups.items():
        rows = np.asarray(places)[usable[np.asarray(places)]]
        hits = rng.hypergeometric(
            stigma[rows], total[rows] - stigma[rows], negative[rows], (draws, len(rows))
        )
        drawn = hits / negative[rows] - (stigma[rows] - hits) / (total[rows] - negative[rows])
        found[str(test)] = drawn.sum(axis=1) / len(places)
    return found


def expected_alternating(answers: pd.DataFrame) -> float:
    """How many answers would alternate the two names if words and names met by lot."""
    from scipy.special import comb

    counts = answers[[*COUNTS]].to_numpy()
    stigma, total = counts[:, :2].sum(axis=1), counts.sum(axis=1)
    ways = np.select(
        [total < 4, 2 * stigma == total, np.abs(total - 2 * stigma) == 1], [0, 2, 1], 0
    )
    return float((ways / comb(total, stigma)).sum())


def dealt_words(words: pd.DataFrame) -> pd.DataFrame:
    """By test: p that words of one half differ from those of the other, if halves were dealt out among the words anew, alike
    in all answers; and the smallest p that so few words could give. Synonyms are other words, so variants with the list
    itself are pooled and the synonyms left out.
    """
    kept = words[words["variant"].isin(set(VARIANTS) - {"synonym"})]
    pooled = kept.groupby(["test", "word", "half"])[["default", "stigma"]].sum().reset_index()
    pooled["share"] = pooled["stigma"] / (pooled["stigma"] + pooled["default"])
    rows = []
    for test, part in pooled.groupby("test"):
        negative, positive = (part.loc[part["half"] == side, "share"] for side in (-1, 1))
        test_of = partition_test(negative, positive, alternative="two-sided")
        smallest = (1 if len(negative) != len(positive) else 2) / test_of.partitions
        rows.append((test, len(part), negative.mean() - positive.mean(), test_of.pvalue, smallest))
    table = pd.DataFrame(rows, columns=["test", "words", "difference", "p", "smallest"])
    return table.set_index("test").reindex([test for test in TESTS if test in set(table["test"])])


def judged(table: pd.DataFrame) -> pd.Series:
    """By test: how much oftener yes is said to a negative than to a positive word with the stigmatised name, less the same with the default one."""
    share = (table["yes"] / table["n"]).set_axis(pd.MultiIndex.from_frame(table[["test", "kind"]]))
    wide = share.unstack()
    stigma = wide["stigma_negative"] - wide["stigma_positive"]
    return (stigma - (wide["default_negative"] - wide["default_positive"])).reindex([*TESTS])
