"""Correlations between and within groups: closed form, permutation, power, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.calibration.predictive.spread import (
    between_groups,
    share_found,
    smallest_found,
    within_groups,
)
from lib.inference.correlation import power

GROUPS = np.repeat(np.arange(8), 3)


def test_means_are_the_points_between_groups():
    x = np.array([0.0, 2.0, 1.0, 3.0, 5.0, 7.0, 9.0, 9.0])
    result = between_groups(x, x**2, np.repeat([0, 1, 2, 3], 2))
    means = [1, 2, 6, 9], [2, 5, 37, 81]
    assert result.r == pytest.approx(stats.pearsonr(*means).statistic) and result.n == 4


@settings(max_examples=20)
@given(seed=st.integers(0, 999))
def test_what_groups_share_changes_nothing_within_them(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, 24))
    shift = rng.standard_normal((2, 8))[:, GROUPS] * 100
    plain = within_groups(x, y, GROUPS, rng=0, n_resamples=99)
    moved = within_groups(x + shift[0], y + shift[1], GROUPS, rng=0, n_resamples=99)
    assert (moved.r, moved.pvalue) == pytest.approx((plain.r, plain.pvalue))
    turned = within_groups(x, -y, GROUPS, rng=0, n_resamples=99)
    assert (turned.r, turned.low) == pytest.approx((-plain.r, -plain.high))


def test_within_is_the_partial_correlation_given_the_groups():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 24))
    dummies = np.eye(8)[GROUPS]
    left = [side - dummies @ np.linalg.lstsq(dummies, side, rcond=None)[0] for side in (x, y)]
    assert within_groups(x, y, GROUPS, rng=0).r == pytest.approx(np.corrcoef(*left)[0, 1])


def test_permutation_within_groups_is_exact_for_two_groups_of_three():
    x = np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0])
    p = within_groups(x, x + np.repeat([0, 9], 3), np.repeat([0, 1], 3), rng=0, n_resamples=9999)
    assert p.r == pytest.approx(1) and p.pvalue == pytest.approx(
        2 / 36, abs=0.01
    )  # as far: two of 6 x 6


def test_groups_that_all_vary_alike_are_worth_their_points_and_one_loud_group_less():
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((2, 90))
    groups = np.repeat(np.arange(30), 3)
    alike = within_groups(x, y, groups, rng=0)
    loud = np.where(groups < 2, 20, 1)
    assert 50 < alike.points < 90 - 30 + 1 + 1e-6
    assert within_groups(x * loud, y * loud, groups, rng=0).points < alike.points / 2


def test_equivalence_within_groups_errs_in_one_of_twenty_at_its_border():
    rng, groups = np.random.default_rng(5), np.repeat(np.arange(20), 3)
    errs = 0
    for _ in range(300):
        x, noise = rng.standard_normal((2, 60))
        y = 0.5 * x + np.sqrt(0.75) * noise
        errs += within_groups(x, y, groups, rng=rng, n_resamples=199).equivalence_pvalue <= 0.05
    assert stats.binomtest(errs, 300, 0.05).pvalue > 0.001


def test_noise_is_found_as_often_as_the_level_says():
    rng = np.random.default_rng(1)
    found = [
        within_groups(*rng.standard_normal((2, 24)), GROUPS, rng=rng, n_resamples=199).pvalue
        <= 0.05
        for _ in range(300)
    ]
    assert stats.binomtest(sum(found), len(found), 0.05).pvalue > 0.001


@pytest.mark.parametrize("n", [7, 10, 30])
def test_the_smallest_correlation_found_has_the_power_asked_for(n):
    assert power(smallest_found(n), n) == pytest.approx(0.8, abs=0.002)


def test_a_treatment_without_effect_is_found_at_the_level():
    rng = np.random.default_rng(0)
    scores = np.arange(4.0) + np.zeros((200, 1))
    gaps = np.repeat(rng.standard_normal((200, 1)), 4, axis=1)
    assert share_found(scores, gaps, points=20, rng=0) == pytest.approx(0.05, abs=0.02)


BAD = {
    "other lengths": (lambda: between_groups([1, 2], [1, 2], [1]), ["one length"]),
    "not finite": (lambda: within_groups([1, np.nan], [1, 2], [1, 1]), ["finite"]),
    "one point a group": (
        lambda: within_groups([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]),
        ["4 groups"],
    ),
    "a share of 1": (lambda: smallest_found(7, share=1), ["share above 0.05"]),
    "more points than sets": (
        lambda: share_found(np.ones((4, 2)), np.ones((4, 2)), points=5),
        ["3 to n points", "5"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused(case, refuses):
    refuses(*BAD[case])
