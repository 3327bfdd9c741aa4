"""Leaving out one at a time: the standard error of a mean, and what bad input says."""

import numpy as np
import pytest

from lib.inference.jackknife import interval_over_tokens


def test_the_interval_of_a_mean_is_its_standard_error():
    tokens = np.random.default_rng(5).standard_normal((40, 1))
    low, high = interval_over_tokens(lambda clouds: float(clouds[0].mean()), [tokens], width=1)
    assert (high - low) / 2 == pytest.approx(tokens.std(ddof=1) / np.sqrt(40))


@pytest.mark.parametrize("clouds", [[np.eye(3), np.eye(4)], [np.eye(2)], []])
def test_clouds_have_one_size_of_three_or_more(clouds, refuses):
    refuses(lambda: interval_over_tokens(lambda one: 0.0, clouds), ["one size of three or more"])
