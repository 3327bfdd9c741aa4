"""How often each kind of interval that the book prints has the true value in it, by simulation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.checks import one_of

NOMINAL = 0.95


class Kind(NamedTuple):
    """A kind of interval: the function that the book calls, and the data that are simulated."""

    function: str
    data: str


KINDS = {
    "mean_of_30_words": Kind("word_interval, mean", "30 words, normal"),
    "mean_of_8_words": Kind("word_interval, mean", "8 words, normal"),
    "mean_of_skewed_words": Kind("word_interval, mean", "30 words, skewed"),
    "rank_correlation": Kind("word_interval, Spearman", "60 words, ρ .5"),
    "fisher_30": Kind("correlation", "30 points, r .5"),
    "fisher_10": Kind("correlation", "10 points, r .5"),
    "fisher_heavy_tails": Kind("correlation", "30 points, r .5, heavy tails"),
    "r_squared": Kind("r2_interval", "51 cultures, R² .25"),
    "words_by_pairs": Kind("two_way_interval", "40 words × 8 pairs"),
    "crossed": Kind("crossed_interval, both", "20 × 20"),
    "cells_alone": Kind("crossed_interval, sentences", "20 × 20, drawn as single cells"),
    "share_of_25_clusters": Kind("clustered_share", "25 clusters of 4"),
    "share_of_6_clusters": Kind("clustered_share", "6 clusters of 4"),
    "effect_size_25": Kind("effect_interval", "25 + 25 words, normal"),
    "effect_size_8": Kind("effect_interval", "8 + 8 words, normal"),
    "gap_ratio": Kind("gender_intervals, F1 ratio", "600 rows, .6 against .7 right"),
    "tgbi_40": Kind("index_interval", "40 items, 30 % feminine"),
    "tgbi_even": Kind("index_interval", "40 items, 50 % feminine"),
    "tpr_gap": Kind("gap_table", "100 texts a cell, gap −.1"),
    "mean_gap": Kind("gap_summary", "100 texts a cell, mean gap .1"),
    "exact_share": Kind("rejection_rate", "100 tests at .05"),
    "seeds_3": Kind("t over seeds", "3 seeds"),
    "superiority": Kind("superiority_interval", "20 of 60 words"),
    "wilson": Kind("count_markings", "30 sentences, 10 % feminine"),
    "corrected": Kind("multitrait_multimethod, corrected", "67 words, ρ .8"),
    "icc_of_seeds": Kind("word_interval, ICC", "67 words × 5 seeds, ICC .9"),
    "icc_by_f_20": Kind("icc_interval", "20 lists × 11 templates"),
    "icc_by_f_5": Kind("icc_interval", "5 models × 11 templates"),
    "kappa": Kind("interval_table, kappa", "40 words × 8 pairs, κ .5"),
    "between_seeds": Kind("within_groups", "10 corpora × 3 seeds, r .5"),
    "moved_corpora": Kind("clustered_correlation", "10 corpora × 9 moves"),
    "pooled": Kind("pooled_correlation", "2 studies of 7 systems, r .5"),
    "fisher_heap": Kind("correlation", "7 points, 5 at one score, r .5"),
    "weat_8": Kind("effect_size_interval", "four lists of 8 words"),
    "contexts_8": Kind("words_interval", "8 + 8 words in 30 contexts"),
    "auc_16": Kind("separation", "16 + 16 words, AUC .76"),
    "tokens_12": Kind("interval_over_tokens", "12 tokens, cosine of means"),
    "size_of_leans": Kind("words_and_pairs_interval, size", "40 words × 8 pairs, mean size"),
    "winomt": Kind("winomt_intervals, accuracy", "40 occupations × 4 sentences"),
}
# Other functions of the book with an interval, and the kind that is made the same way
LIKE = {
    "bca_interval": "mean_of_30_words",
    "generalisability_interval": "icc_of_seeds",
    "intervals": "crossed",
    "intervals_of_draws": "gap_ratio",
    "mean_intervals": "seeds_3",
    "order_by_share": "words_by_pairs",  # draws both, by percentiles
    "order_interval": "rank_correlation",
    "percent_with_interval": "exact_share",
    "rank_agreement": "rank_correlation",
    "sizes_with_intervals": "size_of_leans",
    "with_interval": "seeds_3",
}


def simulate_coverage(
    kind: str, simulations: int = 400, rng: np.random.Generator | int | None = None
) -> tuple[int, int]:
    """Count the simulated intervals of a kind that have the truth in them, and those that could be had (some data allow none)."""
    from studies.calibration.known_truth import SIMULATORS  # which loads half of the book's rooms

    one_of("kind", kind, KINDS)
    generator = np.random.default_rng(rng)
    ends = np.array([SIMULATORS[kind](generator) for _ in range(simulations)])
    defined = np.isfinite(ends).all(axis=1)
    low, high, truth = ends[defined].T
    return int(((low <= truth) & (truth <= high)).sum()), int(defined.sum())


def coverage_table(counts: pd.DataFrame) -> pd.DataFrame:
    """Coverage of each kind (index of `covered`, `n`) as a share with its exact binomial interval; `nominal` is whether .95 lies in it."""
    rows = []
    for kind, row in counts.iterrows():
        test = stats.binomtest(int(row["covered"]), int(row["n"]))
        low, high = test.proportion_ci(0.95)
        known = KINDS[str(kind)]
        rows.append(
            {
                "function": known.function,
                "data": known.data,
                "value": test.statistic,
                "low": low,
                "high": high,
                "n": int(row["n"]),
                "nominal": bool(low <= NOMINAL <= high),
            }
        )
    return pd.DataFrame(rows, counts.index)
