"""Components of words and pairs: closed forms, recovery from simulations, and bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.inference.crossed import crossed_components, pairs_needed, reliability

NAMES = ["word", "pair", "word × pair"]
# The worked example of Shrout and Fleiss (1979), Table 2: six targets, four judges
SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_the_example_of_shrout_and_fleiss_has_their_coefficients():
    components = crossed_components(SHROUT)
    assert round(reliability(components), 2) == 0.71  # ICC(3,1)
    assert round(reliability(components, 4), 2) == 0.91  # ICC(3,k)
    absolute = components["word"] / components.sum()
    assert round(absolute, 2) == 0.29  # ICC(2,1)


def test_components_are_recovered_from_a_simulated_design():
    rng = np.random.default_rng(0)
    runs = [
        crossed_components(
            2 * rng.standard_normal((40, 1))
            + rng.standard_normal((1, 10))
            + 0.7 * rng.standard_normal((40, 10))
        )
        for _ in range(200)
    ]
    assert pd.DataFrame(runs).mean().to_numpy() == pytest.approx([4, 1, 0.49], rel=0.12)


def test_noise_is_unreliable_and_no_number_of_pairs_helps():
    words = np.array([1.0, -1.0, 1.0, -1.0])[:, None]
    scores = words * np.array([1, -1, 1, -1])  # every word's mean is 0
    components = crossed_components(scores)
    assert components["word"] == 0 and reliability(components, 100) == 0
    assert pairs_needed(components) == np.inf
    assert np.isnan(pairs_needed(crossed_components(np.ones((3, 3)))))
    assert np.isnan(reliability(crossed_components(np.ones((3, 3)))))


@given(st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.1, 0.95))
def test_so_many_pairs_reach_the_target_and_one_fewer_does_not(word, rest, target):
    components = pd.Series([word, 1.0, rest], NAMES)
    needed = int(pairs_needed(components, target))
    assert reliability(components, needed) >= target - 1e-6
    assert needed == 1 or reliability(components, needed - 1) < target


def test_bad_input_says_what_was_expected(refuses):
    refuses(lambda: crossed_components([[1, np.inf], [1, 2]]), ["finite", "infinity", "leave"])
