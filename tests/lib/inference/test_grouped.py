"""Correlations of points in groups: between, within, over all, pooled over studies: closed form, permutation, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.inference.correlation import correlation
from lib.inference.grouped import (
    between_groups,
    clustered_correlation,
    pooled_correlation,
    within_groups,
)
from tests.support.made_points import points

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


def test_leaving_out_groups_is_wider_where_groups_differ():
    rng = np.random.default_rng(0)
    moves, groups = np.tile(np.linspace(-1, 1, 9), 10), np.repeat(np.arange(10), 9)
    widths = []
    for spread in (0.05, 1.0):
        means = spread * rng.standard_normal((2, 10))[:, groups]
        noise = 0.5 * rng.standard_normal(90)
        result = clustered_correlation(moves + means[0], moves + means[1] + noise, groups)
        assert result.low < result.r < result.high
        widths.append(result.high - result.low)
    assert widths[0] < widths[1]


def test_two_groups_or_a_constant_have_no_ends():
    assert np.isnan(clustered_correlation([1, 2, 3, 4], [1, 3, 2, 5], list("aabb")).low)
    assert np.isnan(clustered_correlation([1, 1, 1], [1, 2, 3], list("abc")).r)


def test_one_cell_alone_is_pooled_to_itself():
    table = points(1.0, vectors=("a",)).query("test == '6' and metric == 'Recall'")
    cell, pooled = correlation(table["effect"], table["gap"]), pooled_correlation(table, rng=0)
    assert (pooled.r, pooled.low, pooled.high) == pytest.approx(
        (cell.r, cell.low, cell.high), abs=1e-4
    )
    assert pooled.cells == pooled.studies == 1


def test_more_tests_of_the_same_systems_do_not_narrow_the_interval():
    table = points(1.0)
    more = pd.concat([table, table.assign(test="again " + table["test"])])
    few, many = (pooled_correlation(part, rng=0, n_resamples=9) for part in (table, more))
    assert few.r == pytest.approx(many.r) and few.cells < many.cells
    assert many.high - many.low == pytest.approx(few.high - few.low)


def test_two_studies_that_agree_are_pooled_as_one_mean_of_two_z():
    table = points(1.0, vectors=("a",)).query("test == '6' and metric == 'Recall'")
    twice = pd.concat([table, table.assign(vectors="b")])
    one, two = (pooled_correlation(part, rng=0, n_resamples=9) for part in (table, twice))
    reach = 1.959964 / np.sqrt(2 * (7 - 3))
    z = np.arctanh(one.r)
    assert two.r == pytest.approx(one.r)
    assert (two.low, two.high) == pytest.approx((np.tanh(z - reach), np.tanh(z + reach)), abs=1e-4)


def test_a_strong_dependence_is_found_and_noise_is_not():
    assert pooled_correlation(points(8.0), rng=0, n_resamples=999).pvalue < 0.01
    p = [pooled_correlation(points(0.0, seed=s), rng=s, n_resamples=99).pvalue for s in range(60)]
    assert stats.binomtest(sum(value <= 0.05 for value in p), len(p), 0.05).pvalue > 0.01


BAD = {
    "other lengths": (lambda: between_groups([1, 2], [1, 2], [1]), ["one length"]),
    "not finite": (lambda: within_groups([1, np.nan], [1, 2], [1, 1]), ["finite"]),
    "one point a group": (
        lambda: within_groups([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]),
        ["4 groups"],
    ),
    "a study of three": (
        lambda: pooled_correlation(points(1.0, systems=3)),
        ["four points or more", "none"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused(case, refuses):
    refuses(*BAD[case])
