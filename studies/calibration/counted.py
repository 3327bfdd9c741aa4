"""What needs no training: how much of an order the counts of a text give back, and the test of the TPR gap in many texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from lib.checks import one_of
from studies.calibration.corpus import PlantedCorpus
from studies.calibration.replication import CONDITIONS, Row, planted_text, rank
from studies.calibration.scores import true_positive_gaps

SIGNED, UNSIGNED = (
    "log odds counted",
    "their size",
)  # the most that a measure with or without a sign can see
CLASSIFIERS = {
    "TPR gap": False,
    "TPR gap, blind": True,
}  # whether it is blind to female and male words


def ceilings(corpus: PlantedCorpus) -> dict[str, float]:
    """Rank correlation of the planted log odds with those counted, and of their sizes, less what all words share."""
    counts = corpus.counts() + 0.5
    odds = np.log(counts[:, 0] / counts[:, 1]) - corpus.plan.imbalance
    planted = corpus.log_odds
    return {SIGNED: rank(odds, planted), UNSIGNED: rank(np.abs(odds), np.abs(planted))}


def counted(name: str, seed: int) -> Iterator[Row]:
    """Of one text, the same as that of a replication: what counting gives back, or, where nothing is planted, p of the TPR gap of classifiers."""
    condition = CONDITIONS[name]
    corpus = planted_text(condition, np.random.default_rng([seed, 20]))
    if condition.strength:
        for measure, value in ceilings(corpus).items():
            yield Row("counts", measure, "rank correlation", value)
        return
    for measure, blind in CLASSIFIERS.items():
        _, _, p = true_positive_gaps(corpus, np.random.default_rng([seed, 22]), blind=blind)
        yield Row("counts", measure, "p, shuffled genders", p)


def count_block(name: str, seeds: range) -> pd.DataFrame:
    """`counted` of one condition, a seed each, with the column seed."""
    one_of("condition", name, CONDITIONS)
    rows = [(*row, seed) for seed in seeds for row in counted(name, seed)]
    return pd.DataFrame(rows, columns=[*Row._fields, "seed"])
