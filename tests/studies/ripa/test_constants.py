"""The constants of RIPA in counts: recovered where the formula holds, and where a verdict turns."""

import numpy as np
import pytest

from studies.ripa.constants import fit_constants, scale_of_a_copy, shift_by_lengths
from studies.ripa.counts import genderedness
from studies.ripa.text_and_vectors import sizes

CSPMIS = np.array([-14.0, -11.5, -10.0, -8.5])


def test_constants_are_found_again():
    squared = np.linspace(1, 9, 20)
    assert fit_constants(squared, -0.8 * squared - 1.2) == pytest.approx((0.8, -1.2))


@pytest.mark.parametrize("shift, scale", [(-1.0, 1.0), (-7.5, 0.4), (2.0, 3.0)])
def test_the_shift_of_exact_lengths_is_recovered(shift, scale):
    lengths = np.sqrt((shift - CSPMIS) / scale)
    assert shift_by_lengths(lengths, CSPMIS, scale) == pytest.approx(shift, abs=1e-4)


def test_the_shift_lies_where_lengths_are_nearest():
    lengths = np.array([1.5, 1.7, 1.4, 1.2])
    best = shift_by_lengths(lengths, CSPMIS)
    misfit = [((lengths - np.sqrt(best + step - CSPMIS)) ** 2).sum() for step in (-0.1, 0, 0.1)]
    assert min(misfit) == misfit[1]


def test_a_pair_that_never_meets_is_left_out():
    lengths = [*np.sqrt(-1 - CSPMIS), 9.0]
    assert shift_by_lengths(lengths, [*CSPMIS, -np.inf]) == pytest.approx(-1, abs=1e-4)


def test_at_the_turning_scale_text_and_vectors_have_one_size():
    rng = np.random.default_rng(0)
    ratios = rng.standard_normal((30, 4))
    ratios[rng.random((30, 4)) < 0.3] = np.nan
    for shift, scale in zip([-1.0, -6.0], scale_of_a_copy(ratios, CSPMIS, 0.2, [-1.0, -6.0])):
        in_text = genderedness(ratios, CSPMIS, scale, shift)
        assert sizes(in_text, [in_text])[0] == pytest.approx(0.2)


def test_a_higher_alpha_needs_a_smaller_lambda_for_a_copy():
    scales = scale_of_a_copy([[1.0, 2.0, -1.0, 0.5]], CSPMIS, 0.1, [-8.0, -4.0, -1.0, 0.0])
    assert (np.diff(scales) < 0).all()
