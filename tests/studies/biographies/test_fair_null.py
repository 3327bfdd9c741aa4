"""The fair classifier in closed form, and the printed counts that it is asked about."""

import numpy as np
import pytest

from lib.ledger import claims
from lib.text_classification.occupations.printed import PAPER, biographies_by_gender
from studies.biographies.fair_null import (
    band_by_recall,
    blind_confusions,
    fair_mean_gaps,
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
