"""Calibration: sklearn and scipy as peers, closed forms, and nulls that say no."""

import numpy as np
import pytest
from scipy import optimize
from sklearn.calibration import calibration_curve

from lib.coreference.scores import log_loss
from studies.pronoun_resolution.calibration import (
    best_temperature,
    calibration_by_gender,
    reliability,
)
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system(1000)


def calibrated(n, seed):
    """Answers drawn from the probabilities themselves."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([0.5, 0.5, 0.3], n)
    answers = (rng.random(n)[:, None] > shares.cumsum(axis=1)[:, :2]).sum(axis=1)
    return shares, answers, rng.random(n) < 0.5


def test_the_curve_is_that_of_sklearn():
    table = reliability(SHARES, ANSWERS, FEMALE, bins=10).loc["feminine"]
    right = SHARES.argmax(axis=1) == ANSWERS
    frequency, confidence = calibration_curve(right[FEMALE], SHARES.max(axis=1)[FEMALE], n_bins=10)
    assert table["right"].to_numpy() == pytest.approx(frequency)
    assert table["confidence"].to_numpy() == pytest.approx(confidence)
    assert (table["low"] <= table["right"]).all()
    assert (table["right"] <= table["high"]).all()


def test_the_error_is_the_weighted_distance_of_the_curve():
    table = reliability(SHARES, ANSWERS, FEMALE, bins=15)
    of_each = (table["rows"] * (table["right"] - table["confidence"]).abs()).groupby("of").sum()
    by_gender = calibration_by_gender(SHARES, ANSWERS, FEMALE, bins=15, rng=0)["value"]
    assert by_gender["feminine"] == pytest.approx(of_each["feminine"] / FEMALE.sum())


def test_right_probabilities_are_seldom_called_wrong():
    found = np.zeros(3)
    for seed in range(100):
        table = calibration_by_gender(*calibrated(400, seed), n_resamples=200, rng=seed)
        found += table["pvalue"].to_numpy() <= 0.05
        assert (table["low"] <= table["value"]).all()
        assert (table["value"] <= table["high"]).all()
    assert (found <= 12).all()


def test_a_system_too_sure_on_one_gender_is_found():
    shares, answers, female = calibrated(2000, 0)
    sure = np.where(female[:, None], shares**3 / (shares**3).sum(axis=1, keepdims=True), shares)
    table = calibration_by_gender(sure, answers, female, rng=0)
    assert table.loc["difference", "pvalue"] < 0.01
    assert table.loc["difference", "low"] > 0
    assert table.loc["feminine", "pvalue"] < 0.01
    assert table.loc["masculine", "pvalue"] > 0.01
    best = best_temperature(sure, answers, female, rng=0)
    assert best.loc["feminine", "value"] == pytest.approx(3, rel=0.15)
    assert best.loc["masculine", "value"] == pytest.approx(1, rel=0.15)
    assert best.loc["ratio", "pvalue"] < 0.01


def test_the_best_temperature_is_the_minimum_that_scipy_finds():
    def loss(log_temperature):
        return log_loss(SHARES ** np.exp(-log_temperature), ANSWERS)

    found = optimize.minimize_scalar(loss, bounds=(-2, 2), method="bounded")
    table = best_temperature(SHARES, ANSWERS, FEMALE, n_resamples=10, rng=0).loc["overall"]
    assert table["value"] == pytest.approx(np.exp(found.x), rel=0.003)
    assert table["loss"] == pytest.approx(log_loss(SHARES, ANSWERS))
    assert table["loss_after"] == pytest.approx(found.fun, abs=2e-4)


def test_the_best_temperature_in_closed_form():
    # said 0.9, 0.05, 0.05 and right half of the time: 18 to 1 has to become 2 to 1
    shares, answers = np.tile([0.9, 0.05, 0.05], (40, 1)), np.tile([0, 0, 1, 2], 10)
    table = best_temperature(shares, answers, np.arange(40) < 20, n_resamples=10, rng=0)
    assert table["value"].to_numpy() == pytest.approx([np.log(18) / np.log(2)] * 3 + [1], rel=0.003)


@pytest.mark.sample
def test_corrected_labels_take_away_half_of_the_gap_in_temperature():
    from lib.coreference.predictions import codes
    from lib.datasets.gap_corrections import corrected_answers
    from studies.pronoun_resolution.released import ionita_systems, passages

    on = passages("gap_test")
    corrected = codes(corrected_answers("ionita", "gap_test").loc[on.ids])
    for released in ionita_systems("gap_test"):
        ratios = [
            best_temperature(released.probabilities, answers, on.female, n_resamples=2, rng=0)
            for answers in (on.answers, corrected)
        ]
        before, after = (np.log(table.loc["ratio", "value"]) for table in ratios)
        assert before > 0.1
        assert 0 < after < 0.6 * before
