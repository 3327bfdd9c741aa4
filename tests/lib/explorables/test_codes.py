"""Numbers as whole-number codes: how far they are off, and that they keep their sign."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lib.explorables.codes import packed, quantised, unpacked

SIZES = st.floats(-1e6, 1e6).filter(lambda number: number == 0 or abs(number) > 1e-250)
NUMBERS = arrays(float, st.integers(1, 50), elements=SIZES)


@given(NUMBERS, st.sampled_from([np.int8, np.int16]))
def test_codes_are_off_by_half_a_step_and_keep_the_sign(values, dtype):
    codes, scale = quantised(values, dtype)
    error = np.abs(codes * scale - values)
    near_zero = np.abs(values) < scale / 2
    assert (error[~near_zero] <= scale / 2 * (1 + 1e-9)).all() and (error <= scale).all()
    assert (np.sign(codes) == np.sign(values)).all()


@given(arrays(np.int16, (3, 4)))
def test_codes_come_back_from_their_text(codes):
    assert (unpacked(packed(codes), np.int16, 4) == codes).all()


def test_what_is_no_number_has_no_code(refuses):
    refuses(lambda: quantised([1.0, np.nan]), ["finite", "NaN"])
    refuses(lambda: quantised([5e-324, 0.0]), ["size that can be coded", "5e-324"])
