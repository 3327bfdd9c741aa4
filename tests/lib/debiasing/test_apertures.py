"""Apertures in lengths of the list: free of scale, the same as the conceptor's, and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.debiasing import conceptor
from lib.debiasing.apertures import damped, in_lengths, root_mean_square_length
from lib.debiasing.treatments import conceptor_negation


def rows(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) + 0.5


def test_one_word_along_an_axis_is_divided_by_one_plus_the_squared_aperture():
    changed = damped([[5.0, 0.0]], aperture=3)([[10.0, 7.0]])
    assert np.allclose(changed, [[1.0, 7.0]])


@given(st.floats(0.1, 50), st.floats(0.01, 100), st.integers(1, 12))
def test_the_treatment_does_not_depend_on_the_scale_of_the_vectors(aperture, scale, n):
    Z, words = rows(n, 6), rows(5, 6, seed=1)
    assert np.allclose(damped(scale * Z, aperture)(words), damped(Z, aperture)(words))


@pytest.mark.parametrize("n", [1, 30], ids=["one word", "more words than d"])
def test_it_is_the_negated_conceptor_at_the_aperture_over_the_length(n):
    Z, words = rows(n, 8), rows(5, 8, seed=1)
    length = root_mean_square_length(Z)
    assert np.allclose(damped(Z, 13.0)(words), conceptor_negation(Z, 13.0 / length)(words))


def test_a_list_in_lengths_has_length_one_and_its_conceptor_the_relative_aperture():
    Z = rows(7, 4)
    assert np.isclose(root_mean_square_length(in_lengths(Z)), 1)
    length = root_mean_square_length(Z)
    assert np.allclose(conceptor(in_lengths(Z), 5), conceptor(Z, 5 / length))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: damped([[0.0, 0.0]], 2), "zeros alone"),
        (lambda: damped([[np.nan, 1.0]], 2), "finite"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
