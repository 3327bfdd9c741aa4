"""The fair classifier in closed form, and the printed counts that it is asked about."""

import numpy as np
import pandas as pd
import pytest

from lib.ledger import claims
from lib.text_classification.occupations.printed import PAPER, biographies_by_gender
from studies.biographies.fair_null import (
    ALWAYS,
    band_by_recall,
    beyond_chance,
    blind_confusions,
    fair_by_accuracy,
    fair_mean_gaps,
    sizes_of,
)
from studies.biographies.printed import probe_floors, results_by_variant

PRINTED = biographies_by_gender()
COUNTS = PRINTED[["male", "female"]].to_numpy().T


def half_normal_mean(recall, test_share=0.15):
    """What the mean of absolute gaps is where every rate is normal."""
    variance = recall * (1 - recall) * (1 / (test_share * COUNTS)).sum(axis=0)
    return np.sqrt(variance * 2 / np.pi).mean()


@pytest.mark.parametrize("recall", [0.5, 0.818])
def test_the_fair_gap_is_that_of_half_a_normal(recall):
    draws = fair_mean_gaps(COUNTS, blind_confusions(COUNTS, recall), n_draws=500, rng=0)
    assert draws[:, 0].mean() == pytest.approx(half_normal_mean(recall), rel=0.03)


def test_mistakes_among_occupations_of_women_make_a_gap_of_true_negatives_without_unfairness():
    band = band_by_recall(COUNTS, [0.818], n_draws=200, rng=0)
    tnr = band[band["gap"] == "TNR gap"].set_index("errors")["mean"]
    assert tnr["by share of women"] > 3 * tnr["by size"]
    assert tnr["by share of women"] == pytest.approx(
        results_by_variant().loc["strongly debiased", "TNR gap"], abs=0.0003
    )


def test_heads_are_put_right_and_nothing_is_lost():
    assert PRINTED.loc["nurse"].tolist() == [17263, 1738]
    assert PRINTED.to_numpy().sum() == 397_907
    assert len(PRINTED) == claims.printed(claims.one(paper=PAPER, metric="n_occupations"))


def test_results_are_the_printed_ones():
    table = results_by_variant()
    assert table.loc["debiased"].tolist() == [0.807, 0.119, 0.0037, 0.88]
    assert table["probe"].count() == 4
    assert probe_floors(PRINTED).round(3).tolist() == [0.539, 0.627]


def test_a_test_set_of_one_s_own_is_men_and_women_and_all_of_it_is_tested():
    table, tested, why = sizes_of({"nurse": (120, 30), "surgeon": (40, 200)})
    assert table.tolist() == [[30, 200], [120, 40]] and tested == 1 and not why
    shown = fair_mean_gaps(table, blind_confusions(table, 0.8), test_share=1, n_draws=50, rng=0)
    assert np.isfinite(shown).all()


@pytest.mark.parametrize(
    "people",
    [
        {},
        {"nurse": (3, 4)},
        {"a": (1, 2), "b": 3},
        {"a": (0, 2), "b": (3, 0)},
        {"a": (0, 0), "b": (3, 1)},
        [1],
        {"a": (1, 2), "b": ("x", 1)},
    ],
)
def test_a_test_set_that_has_no_gap_is_told_why(people):
    table, _, why = sizes_of(people)
    assert why.startswith("it takes") and table.shape == (2, 0)


def test_fair_gaps_by_accuracy_are_those_of_the_draws_in_points():
    found = fair_by_accuracy(COUNTS, {"half": 0.5, "more": 0.9}, n_draws=300, rng=0)
    assert found.loc["half", "value"] == pytest.approx(100 * half_normal_mean(0.5), rel=0.03)
    assert (found["low"] < found["value"]).all() and found["value"].is_monotonic_decreasing


def test_a_difference_is_beyond_chance_from_the_correlation_on_that_makes_chance_small_enough():
    gaps = pd.Series({"plain": 0.09, "far": 0.12, "near": 0.08, "same": 0.0905})
    limits = pd.Series({0.0: 0.02, 0.5: 0.012, 0.9: 0.007})
    pairs = [(name, "plain") for name in ("far", "near", "same")]
    found = beyond_chance(gaps, pairs, limits).set_index("variant")
    assert found["beyond"].to_dict() == {
        "far": ALWAYS,
        "near": "from 0.9 on",
        "same": "not even at 0.9",
    }
    assert found.loc["far", "difference"] == pytest.approx(3)
