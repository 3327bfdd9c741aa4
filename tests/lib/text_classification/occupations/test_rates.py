"""Rates by gender: against fairlearn and scipy, by hand, and in planted texts."""

import numpy as np
import pytest
import sklearn.metrics
from fairlearn import metrics
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.text_classification.occupations.rates import (
    bootstrap_draws,
    confusions,
    fair_draws,
    gap_summary,
    gap_table,
    gaps,
    mean_gaps,
)

rng = np.random.default_rng(0)
TRUTH = rng.integers(0, 4, 600)
SAID = np.where(rng.random(600) < 0.7, TRUTH, rng.integers(0, 4, 600))
FEMALE = rng.random(600) < 0.2 + 0.15 * TRUTH
COUNTS = confusions(TRUTH, SAID, FEMALE)


@pytest.mark.parametrize("occupation", [0, 3])
def test_gaps_equal_fairlearn(occupation):
    rates = {"tpr": metrics.true_positive_rate, "tnr": metrics.true_negative_rate}
    frame = metrics.MetricFrame(
        metrics=rates,
        y_true=occupation == TRUTH,
        y_pred=occupation == SAID,
        sensitive_features=FEMALE,
    )
    expected = frame.by_group.loc[True] - frame.by_group.loc[False]
    assert gaps(COUNTS)[:, occupation] == pytest.approx(expected[["tpr", "tnr"]].to_numpy(float))
    sizes = np.abs(gaps(COUNTS)[:, occupation])
    assert sizes == pytest.approx(frame.difference()[["tpr", "tnr"]].to_numpy(float))


def test_counts_are_the_confusion_matrices_of_scikit_learn():
    for side, mask in enumerate((~FEMALE, FEMALE)):
        expected = sklearn.metrics.confusion_matrix(TRUTH[mask], SAID[mask])
        assert (COUNTS[side] == expected).all()


def test_a_fair_classifier_has_a_hypergeometric_number_of_hits_among_women():
    draws = fair_draws(COUNTS, n_resamples=20_000, rng=0)
    for row in range(4):
        of_row = COUNTS[:, row]
        expected = stats.hypergeom(of_row.sum(), of_row[:, row].sum(), of_row[1].sum())
        hits = draws[:, 1, row, row]
        assert hits.mean() == pytest.approx(expected.mean(), rel=0.01)
        assert hits.std() == pytest.approx(expected.std(), rel=0.03)
    assert (draws.sum(axis=1) == COUNTS.sum(axis=0)).all()
    assert (draws.sum(axis=-1) == COUNTS.sum(axis=-1)).all()


def test_drawn_texts_keep_occupation_and_gender_and_vary_as_a_binomial():
    draws = bootstrap_draws(COUNTS, n_resamples=20_000, rng=0)
    assert (draws.sum(axis=-1) == COUNTS.sum(axis=-1)).all()
    n, hits = COUNTS[1, 2].sum(), COUNTS[1, 2, 2]
    assert draws[:, 1, 2, 2].std() == pytest.approx(np.sqrt(hits * (1 - hits / n)), rel=0.03)


def test_shuffling_finds_no_gap_where_predictions_are_blind_and_finds_one_that_was_planted():
    assert gap_summary(COUNTS, n_resamples=500, rng=0).loc["TPR gap", "p"] > 0.01
    leaning = np.where(FEMALE & (TRUTH == 3) & (rng.random(600) < 0.9), 0, SAID)
    counts = confusions(TRUTH, leaning, FEMALE)
    summary = gap_summary(counts, n_resamples=500, rng=0)
    assert summary.loc["TPR gap", "p"] < 0.01
    assert summary.loc["TPR gap", "value"] > summary.loc["TPR gap", "null high"]
    table = gap_table(counts, ["a", "b", "c", "d"], n_resamples=500, rng=0)
    assert table.loc[("TPR", "d"), "high"] < 0
    assert table.loc[("TPR", "d"), "women"] == FEMALE[TRUTH == 3].sum()
    assert table.loc[("TNR", "a"), "low"] < table.loc[("TNR", "a"), "value"] < 0


def test_blind_shuffles_reject_as_often_as_they_say():
    generator = np.random.default_rng(1)
    p = []
    for _ in range(200):
        women = generator.binomial([200, 20, 60], [0.2, 0.5, 0.7])
        totals = np.array([200, 20, 60])
        shares = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.1, 0.8]]
        counts = generator.multinomial([totals - women, women], shares)
        p.append(gap_summary(counts, n_resamples=199, rng=generator).loc["TPR gap", "p"])
    assert np.mean(np.array(p) <= 0.1) == pytest.approx(0.1, abs=0.06)


def test_an_occupation_without_women_has_no_gap_and_is_left_out_of_the_mean():
    counts = np.array([[[5, 0], [2, 8]], [[0, 0], [6, 4]]])
    assert np.isnan(gaps(counts)[0, 0])
    assert mean_gaps(counts)[0] == pytest.approx(0.4)
    table = gap_table(counts, ["surgeon", "nurse"], n_resamples=50, rng=0)
    assert np.isnan(table.loc[("TPR", "surgeon"), "p"])


@given(st.integers(0, 2**32 - 1))
def test_exchanging_women_and_men_turns_the_sign_of_every_gap(seed):
    counts = np.random.default_rng(seed).integers(1, 30, (2, 3, 3))
    assert np.allclose(gaps(counts[::-1]), -gaps(counts))
    assert np.allclose(mean_gaps(counts[::-1]), mean_gaps(counts))
