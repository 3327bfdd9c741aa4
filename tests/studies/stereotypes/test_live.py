"""A decoder of the reader's own finds its place among the released ones."""

import numpy as np
import pytest

from studies.stereotypes.live import agreement_with, place_from_top


def test_an_order_agrees_with_itself_and_within_sides_whatever_lies_between_the_sides():
    means = np.arange(16.0)
    shifted = means + 100 * (means > 6)
    assert agreement_with(shifted, means[:, None]) == pytest.approx((1, 1))
    assert agreement_with(-means, means[:, None]) == pytest.approx((-1, -1))


def test_the_place_is_counted_from_the_largest():
    assert place_from_top([[3, 1, 2.0], [1, 2, 3], [3, 2, 1]]).tolist() == [2, 1, 3]
