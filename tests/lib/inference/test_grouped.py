"""Correlations of points in groups: between, within, over all, pooled over studies: closed form, permutation, bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.inference.correlation import correlation
from lib.inference.grouped import (
    clustered_correlation,
    pooled_correlation,
    within_groups,
)
from tests.support.made_points import points

GROUPS = np.repeat(np.arange(8), 3)


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


def test_noise_is_found_as_often_as_the_level_says():
    rng = np.random.default_rng(1)
    found = [
        within_groups(*rng.standard_normal((2, 24)), GROUPS, rng=rng, n_resamples=199).pvalue
        <= 0.05
        for _ in range(150)
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


def test_a_strong_dependence_is_found_and_noise_is_not():
    assert pooled_correlation(points(8.0), rng=0, n_resamples=999).pvalue < 0.01
    p = [pooled_correlation(points(0.0, seed=s), rng=s, n_resamples=99).pvalue for s in range(30)]
    assert stats.binomtest(sum(value <= 0.05 for value in p), len(p), 0.05).pvalue > 0.01


def test_bad_input_is_refused(refuses):
    refuses(lambda: within_groups([1, np.nan], [1, 2], [1, 1]), ["finite"])
