"""An effect size and Student's t of two lists say the same thing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.association import effect_size
from lib.inference.from_t import effect_size_from_t


@given(st.integers(2, 30), st.integers(0, 2**32 - 1), st.floats(-3, 3))
def test_the_effect_size_follows_from_t_and_the_length(n, seed, apart):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    t = stats.ttest_ind(x + apart, y).statistic
    assert effect_size_from_t(t, n) == pytest.approx(effect_size(x + apart, y), rel=1e-9, abs=1e-12)


def test_no_t_gives_an_effect_beyond_the_largest():
    n = 8
    assert effect_size_from_t(1e9, n) == pytest.approx(2 * np.sqrt((n - 0.5) / n))
    assert effect_size_from_t(0.0, n) == 0


@pytest.mark.parametrize("t, n, fragments", [(1.0, 1, ("n:", "2 values")), (np.nan, 8, ("t:",))])
def test_a_list_of_one_and_no_number_are_refused(t, n, fragments, refuses):
    refuses(lambda: effect_size_from_t(t, n), fragments)
