"""Rank correlations over systems, with relatives as a block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.coreference.released.across_systems import blocked_permutation_p, blocked_rank_correlation

NUMBERS = st.lists(st.integers(-5, 5), min_size=4, max_size=12)


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


def test_labels_have_to_fit():
    with pytest.raises(ValueError, match="expected a label for each of 3 systems"):
        blocked_rank_correlation([1, 2, 3], [1, 2, 3], ["a", "b"])
