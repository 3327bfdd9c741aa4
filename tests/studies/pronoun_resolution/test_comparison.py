"""Systems beside one another: paired tests with scipy as peer, a leaderboard, and ranks with relatives as a block."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.coreference.intervals import gender_intervals
from lib.coreference.scores import losses
from studies.pronoun_resolution.comparison import (
    blocked_permutation_p,
    blocked_rank_correlation,
    change_where,
    mcnemar_test,
    paired_differences,
    places_in_reach,
    swap_test,
)
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system()
OTHER = system(sharpness=1.0)[0][:, [1, 0, 2]]
BETTER = 0.5 * SHARES + 0.5 * np.eye(3)[ANSWERS]
NUMBERS = st.lists(st.integers(-5, 5), min_size=4, max_size=12)


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


@given(NUMBERS, st.randoms())
def test_without_blocks_it_is_spearmans_correlation(first, random):
    second = first[:]
    random.shuffle(second)
    ours = blocked_rank_correlation(first, second)
    if len(set(first)) > 1:
        assert ours == pytest.approx(stats.spearmanr(first, second).statistic)
    else:
        assert np.isnan(ours)


@given(NUMBERS)
def test_what_blocks_share_does_not_count(first):
    blocks = np.arange(len(first)) % 2
    high = np.asarray(first) + 100 * blocks
    again = np.asarray(first)[::-1] + 100 * blocks
    ours = blocked_rank_correlation(high, again, blocks)
    assert np.isnan(ours) or -1 - 1e-9 <= ours <= 1 + 1e-9
    assert blocked_rank_correlation(high, high, np.arange(len(first))) != 1  # all alone: nan


def test_draws_are_handled_together():
    draws = np.random.default_rng(0).standard_normal((5, 6))
    together = blocked_rank_correlation(draws, np.arange(6))
    one_by_one = [blocked_rank_correlation(row, np.arange(6)) for row in draws]
    np.testing.assert_allclose(together, one_by_one)


def test_p_is_even_where_blocks_explain_everything():
    blocks = [0] * 5 + [1] * 5
    first, second = np.array(blocks) * 10.0, np.array(blocks) * 3.0
    noise = np.random.default_rng(1).standard_normal((2, 10))
    p = blocked_permutation_p(first + noise[0], second + noise[1], blocks, rng=0)
    assert p > 0.05
    assert blocked_permutation_p(first + noise[0], second + noise[1], rng=0) < 0.05


def test_a_change_is_compared_with_the_rows_that_were_left_alone():
    table = change_where([1, 2, 3, 0, 1, 0], [True] * 3 + [False] * 3, rng=0)
    assert table["value"].tolist() == pytest.approx([2, 1 / 3, 5 / 3])
    assert (table["low"] <= table["value"]).all() and (table["value"] <= table["high"]).all()
