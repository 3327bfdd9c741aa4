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
