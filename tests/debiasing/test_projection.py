"""Hard debiasing: closed forms, what is spared, what is level afterwards, and what bad input says."""

import numpy as np
import pytest

from lib.debiasing.projection import hard_debias, pair_direction

D = 6
WORDS = np.random.default_rng(0).standard_normal((8, D))
DIRECTION = np.random.default_rng(1).standard_normal(D)
NONE, NO_PAIRS = np.zeros(8, bool), []


def test_the_direction_of_one_pair_is_its_difference_toward_the_female_word():
    assert pair_direction([[3, 0, 0]], [[1, 0, 0]]) == pytest.approx([1, 0, 0])
    assert pair_direction([[1, 0, 0]], [[3, 0, 0]]) == pytest.approx([-1, 0, 0])


def test_the_direction_is_the_first_component_of_words_less_the_mean_of_their_pair():
    female, male = np.random.default_rng(2).standard_normal((2, 5, D))
    half = (female - male) / 2
    first = np.linalg.svd(np.concatenate([half, -half]))[2][0]
    assert abs(pair_direction(female, male) @ first) == pytest.approx(1)


def test_words_that_are_not_spared_lose_the_direction_and_all_have_length_1():
    changed = hard_debias(WORDS, DIRECTION, spared=np.arange(8) < 2, equal=NO_PAIRS)
    assert np.allclose(np.linalg.norm(changed, axis=1), 1)
    assert np.allclose(changed[2:] @ DIRECTION, 0, atol=1e-12)
    assert changed[:2] == pytest.approx(
        WORDS[:2] / np.linalg.norm(WORDS[:2], axis=1, keepdims=True)
    )


def test_pairs_set_level_differ_by_the_direction_alone_and_lie_as_far_from_every_neutral_word():
    changed = hard_debias(WORDS, DIRECTION, spared=np.arange(8) < 2, equal=[[0, 1]])
    difference = changed[0] - changed[1]
    unit = DIRECTION / np.linalg.norm(DIRECTION)
    assert np.allclose(difference, difference @ unit * unit)
    assert np.allclose(changed[2:] @ changed[0], changed[2:] @ changed[1])
    one, other = (word / np.linalg.norm(word) for word in WORDS[:2])
    assert np.sign(difference @ unit) == np.sign((one - other) @ unit)


def test_the_length_of_the_direction_does_not_count_and_doing_it_twice_changes_nothing():
    how = dict(spared=np.arange(8) < 2, equal=[[0, 1]])
    once = hard_debias(WORDS, DIRECTION, **how)
    assert hard_debias(WORDS, 9 * DIRECTION, **how) == pytest.approx(once)
    assert hard_debias(once, DIRECTION, **how) == pytest.approx(once)


REFUSED = {
    "number of spared": (
        lambda: hard_debias(WORDS, DIRECTION, spared=NONE[:3], equal=NO_PAIRS),
        ["(n,) spared", "(3,)"],
    ),
    "another dimension": (
        lambda: hard_debias(WORDS, DIRECTION[:2], spared=NONE, equal=NO_PAIRS),
        ["(8, 6)", "(2,)"],
    ),
    "a word along the direction": (
        lambda: hard_debias(np.eye(D), np.eye(D)[0], spared=NONE[:D], equal=NO_PAIRS),
        ["beside the direction", "row 0"],
    ),
    "sides of two sizes": (lambda: pair_direction(WORDS, WORDS[:2]), ["(8, 6)", "(2, 6)"]),
    "pairs without a difference": (lambda: pair_direction(WORDS, WORDS), ["k:"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])
