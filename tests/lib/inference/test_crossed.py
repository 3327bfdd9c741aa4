"""Components of words and pairs: closed forms, recovery from simulations, and bad input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agreement import score_correlation
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


def test_scores_that_add_a_word_and_a_pair_have_no_rest():
    scores = np.array([0.0, 2.0, 4.0])[:, None] + np.array([1.0, -1.0])
    assert crossed_components(scores).to_dict() == pytest.approx(
        {"word": 4.0, "pair": 2.0, "word × pair": 0.0}
    )
    assert reliability(crossed_components(scores)) == pytest.approx(1)


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


def test_one_pair_is_as_reliable_as_the_intraclass_correlation_says():
    scores = np.random.default_rng(1).standard_normal((30, 1)) + np.random.default_rng(
        2
    ).standard_normal((30, 6))
    standard = scores / np.sqrt((scores**2).mean(axis=0))
    assert reliability(crossed_components(standard)) == pytest.approx(score_correlation(scores))


BAD = {
    "a cube": (lambda: crossed_components(np.ones((2, 2, 2))), ["(words, pairs)", "(2, 2, 2)"]),
    "one pair": (lambda: crossed_components(np.ones((5, 1))), ["two or more", "(5, 1)"]),
    "infinity": (
        lambda: crossed_components([[1, np.inf], [1, 2]]),
        ["finite", "infinity", "leave"],
    ),
    "no pair": (lambda: reliability(pd.Series(1.0, NAMES), 0), ["pairs", "1 or more", "got 0"]),
    "certainty": (lambda: pairs_needed(pd.Series(1.0, NAMES), 1), ["target", "between 0 and 1"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])
