"""The fair classifier in closed form, and the printed counts that it is asked about."""

import numpy as np
import pytest
from scipy import stats

from lib.ledger import claims
from lib.text_classification.occupations.printed import PAPER, biographies_by_gender
from studies.biographies.fair_null import (
    PATTERNS,
    band_by_recall,
    blind_confusions,
    difference_draws,
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


def test_no_recall_gives_a_larger_fair_gap_than_one_half():
    means = [half_normal_mean(recall) for recall in np.linspace(0, 1, 21)]
    assert np.argmax(means) == 10


def test_printed_gaps_exceed_what_any_fair_classifier_shows():
    band = band_by_recall(COUNTS, [0.5], errors=["by size"], n_draws=500, rng=0)
    assert results_by_variant()["TPR gap"].min() > band["high"].iloc[0]


def test_mistakes_among_occupations_of_women_make_a_gap_of_true_negatives_without_unfairness():
    band = band_by_recall(COUNTS, [0.818], n_draws=200, rng=0)
    tnr = band[band["gap"] == "TNR gap"].set_index("errors")["mean"]
    assert tnr["by share of women"] > 3 * tnr["by size"]
    assert tnr["by share of women"] == pytest.approx(
        results_by_variant().loc["strongly debiased", "TNR gap"], abs=0.0003
    )


@pytest.mark.parametrize("pattern", PATTERNS)
def test_blind_confusions_are_probabilities_with_the_recall_on_the_diagonal(pattern):
    recall = np.linspace(0.5, 0.9, 28)
    shares = blind_confusions(COUNTS, recall, errors=pattern)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.diag(shares) == pytest.approx(recall)


def test_two_blind_classifiers_differ_less_the_more_they_agree():
    spread = [difference_draws(COUNTS, 0.818, rho, n_draws=400, rng=0).std() for rho in (0, 0.6, 1)]
    assert spread[0] > spread[1] > spread[2] == 0
    alone = fair_mean_gaps(COUNTS, blind_confusions(COUNTS, 0.818), n_draws=400, rng=0)[:, 0]
    assert spread[0] == pytest.approx(alone.std() * np.sqrt(2), rel=0.15)


def test_a_clear_gap_has_the_noise_of_its_rates():
    counts = np.array([[40_000, 20_000], [20_000, 40_000]])
    draws = difference_draws(counts, 0.8, 0, true_gap=0.2, n_draws=4000, rng=0)
    tested = 0.15 * counts[:, 0]
    one = stats.norm(0, np.sqrt(0.8 * 0.2 / tested.max() + 0.6 * 0.4 / tested.min()))
    assert draws.std() == pytest.approx(one.std(), rel=0.06)  # two classifiers, mean of two


def test_heads_are_put_right_and_nothing_is_lost():
    assert PRINTED.loc["nurse"].tolist() == [17263, 1738]
    assert PRINTED.to_numpy().sum() == 397_907
    assert len(PRINTED) == claims.printed(claims.one(paper=PAPER, metric="n_occupations"))


def test_results_are_the_printed_ones():
    table = results_by_variant()
    assert table.loc["debiased"].tolist() == [0.807, 0.119, 0.0037, 0.88]
    assert table["probe"].count() == 4
    assert probe_floors(PRINTED).round(3).tolist() == [0.539, 0.627]
