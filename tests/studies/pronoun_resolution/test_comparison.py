"""Systems beside one another: paired tests with scipy as peer, a leaderboard, and ranks with relatives as a block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.coreference.scores import losses
from studies.pronoun_resolution.comparison import (
    blocked_permutation_p,
    blocked_rank_correlation,
    mcnemar_test,
    swap_test,
)
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system()
OTHER = system(sharpness=1.0)[0][:, [1, 0, 2]]
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


@given(NUMBERS, st.randoms())
def test_without_blocks_it_is_spearmans_correlation(first, random):
    second = first[:]
    random.shuffle(second)
    ours = blocked_rank_correlation(first, second)
    if len(set(first)) > 1:
        assert ours == pytest.approx(stats.spearmanr(first, second).statistic)
    else:
        assert np.isnan(ours)


def test_p_is_even_where_blocks_explain_everything():
    blocks = [0] * 5 + [1] * 5
    first, second = np.array(blocks) * 10.0, np.array(blocks) * 3.0
    noise = np.random.default_rng(1).standard_normal((2, 10))
    p = blocked_permutation_p(first + noise[0], second + noise[1], blocks, rng=0)
    assert p > 0.05
    assert blocked_permutation_p(first + noise[0], second + noise[1], rng=0) < 0.05
