"""The constants of RIPA in counts: recovered where the formula holds, and where a verdict turns."""

import numpy as np
import pytest

from studies.ripa.constants import fit_constants, scale_of_a_copy
from studies.ripa.counts import genderedness
from studies.ripa.text_and_vectors import sizes

CSPMIS = np.array([-14.0, -11.5, -10.0, -8.5])


def test_constants_are_found_again():
    squared = np.linspace(1, 9, 20)
    assert fit_constants(squared, -0.8 * squared - 1.2) == pytest.approx((0.8, -1.2))


def test_at_the_turning_scale_text_and_vectors_have_one_size():
    rng = np.random.default_rng(0)
    ratios = rng.standard_normal((30, 4))
    ratios[rng.random((30, 4)) < 0.3] = np.nan
    for shift, scale in zip([-1.0, -6.0], scale_of_a_copy(ratios, CSPMIS, 0.2, [-1.0, -6.0])):
        in_text = genderedness(ratios, CSPMIS, scale, shift)
        assert sizes(in_text, [in_text])[0] == pytest.approx(0.2)
