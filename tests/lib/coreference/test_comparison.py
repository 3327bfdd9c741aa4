"""Paired tests: statsmodels and scipy as peers, false alarms as often as they say, and bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.coreference.comparison import (
    mcnemar_test,
    paired_differences,
    places_in_reach,
    shuffled_gender_test,
    swap_test,
)
from lib.coreference.intervals import gender_intervals
from lib.coreference.scores import by_gender, losses
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system()
OTHER = system(sharpness=1.0)[0][:, [1, 0, 2]]
BETTER = 0.5 * SHARES + 0.5 * np.eye(3)[ANSWERS]


def test_mcnemar_is_the_binomial_test_of_the_rows_that_differ():
    said = SHARES.argmax(axis=1), OTHER.argmax(axis=1)
    test = mcnemar_test(*said, ANSWERS)
    right = [each == ANSWERS for each in said]
    assert test.only_first == (right[0] & ~right[1]).sum()
    n = test.only_first + test.only_second
    assert test.pvalue == pytest.approx(stats.binomtest(test.only_first, n).pvalue)


def test_swapping_agrees_with_the_paired_test_of_losses():
    test = swap_test(SHARES, 0.9 * SHARES + 0.1 / 3, ANSWERS, FEMALE, rng=0)
    second = losses(0.9 * SHARES + 0.1 / 3, ANSWERS)
    theirs = stats.ttest_rel(losses(SHARES, ANSWERS), second).pvalue
    row = test.loc[("log loss", "overall")]
    assert row["pvalue"] == pytest.approx(theirs, abs=0.03)
    assert row["second"] == pytest.approx(second.mean())


def test_a_system_does_not_differ_from_itself_and_a_better_one_does():
    assert (swap_test(SHARES, SHARES, ANSWERS, FEMALE, rng=0)["pvalue"] == 1).all()
    better = swap_test(SHARES, BETTER, ANSWERS, FEMALE, rng=0).loc[("log loss", "overall")]
    assert better["difference"] > 0
    assert better["pvalue"] < 0.001


def test_shuffled_genders_reject_a_true_null_at_the_nominal_rate():
    rejected = np.zeros(3)
    for seed in range(200):
        shares, answers, female, _ = system(200, seed=seed)
        test = shuffled_gender_test(shares, answers, female, n_resamples=200, rng=seed)
        rejected += test["pvalue"].to_numpy() <= 0.05
    assert (rejected / 200 < 0.1).all()
    assert rejected.sum() > 5


def test_shuffled_genders_see_a_gap_also_by_page():
    uneven = np.where(FEMALE[:, None], SHARES, BETTER)
    for pages in (None, PAGES):
        test = shuffled_gender_test(uneven, ANSWERS, FEMALE, pages=pages, rng=0)
        assert test.loc["log loss", "pvalue"] < 0.01
        assert test.loc["F1", "ratio"] == by_gender(uneven, ANSWERS, FEMALE).loc["F1", "ratio"]
        assert (test["null_low"] < 1).all()
        assert (test["null_high"] > 1).all()


def test_paired_differences_are_narrower_than_two_intervals_by_themselves():
    systems = {"one": SHARES, "two": 0.9 * SHARES + 0.1 / 3, "three": OTHER}
    table = paired_differences(systems, ANSWERS, FEMALE, rng=0)
    assert table.index.droplevel([2, 3]).unique().tolist() == [
        ("one", "two"),
        ("one", "three"),
        ("two", "three"),
    ]
    row = table.loc[("one", "two", "log loss", "overall")]
    single = gender_intervals(SHARES, ANSWERS, FEMALE, rng=0).loc[("log loss", "overall")]
    assert row["high"] - row["low"] < 0.5 * (single["high"] - single["low"])
    difference = losses(SHARES, ANSWERS) - losses(systems["two"], ANSWERS)
    assert row["difference"] == pytest.approx(difference.mean())
    half = 1.96 * difference.std() / np.sqrt(600)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=0.1)


def test_the_leaderboard_of_the_overview_at_a_given_resolution():
    printed = {"1": 0.13667, "2": 0.17289, "3": 0.18397, "4": 0.18498, "5": 0.19189}
    table = places_in_reach(printed, 0.02)
    assert table["in_reach"].tolist() == [0, 3, 3, 3, 3]
    assert table["clear_of"].tolist() == ["2", None, None, None, None]
    pd.testing.assert_frame_equal(table, places_in_reach(dict(reversed(printed.items())), 0.02))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mcnemar_test([0, 1], [0], [0, 1]), "as many predictions as answers, got 1 and 2"),
        (lambda: mcnemar_test([0, 3], [0, 1], [0, 1]), r"first: expected a list of 0 \(A\)"),
        (lambda: swap_test(SHARES, OTHER[1:], ANSWERS, FEMALE), r"shape \(n, 3\)"),
        (lambda: paired_differences({"a": SHARES}, ANSWERS, FEMALE), "expected two or more"),
        (lambda: places_in_reach({"1": 0.1}, -1), "resolution: expected a number of 0 or more"),
    ],
)
def test_bad_input_gets_a_clear_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()
