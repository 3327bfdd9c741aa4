"""The pair of a question that differs most along a contrast."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.measures.sembias import most_along


@settings(max_examples=30)
@given(seed=st.integers(0, 999), scale=st.floats(0.01, 100), k=st.integers(2, 5))
def test_only_directions_count_and_a_turned_space_answers_alike(seed, scale, k):
    rng = np.random.default_rng(seed)
    first, second = rng.standard_normal((2, 6, k, 4))
    contrast, turn = rng.standard_normal(4), np.linalg.qr(rng.standard_normal((4, 4)))[0]
    answer = most_along(first, second, contrast)
    assert np.array_equal(most_along(first @ turn, second @ turn, scale * contrast @ turn), answer)
    longer = first + scale * (second - first)
    assert np.array_equal(most_along(first, longer, contrast), answer)


def test_the_cosine_decides_and_not_the_length():
    first = np.zeros((1, 2, 2))
    second = np.array([[[1.0, 1.0], [0.0, 0.1]]])
    assert most_along(first, second, [0, 1]).tolist() == [1]
    assert most_along(second, first, [0, 1]).tolist() == [0]  # the other way round


def test_pairs_of_other_shapes_and_pairs_of_one_word_are_refused():
    with pytest.raises(ValueError, match=r"shape \(n, k, d\)"):
        most_along(np.ones((2, 4, 3)), np.ones((2, 3, 3)), np.ones(3))
    with pytest.raises(ValueError, match="pairs"):
        most_along(np.ones((2, 4, 3)), np.ones((2, 4, 3)), np.ones(3))
