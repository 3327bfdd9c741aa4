"""Projections and hard debiasing: closed forms, what is spared, what is level, what bad input says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.debiasing.projection import hard_debias, pair_direction, principal_directions, project_out

SEEDS = st.integers(0, 9999)
few = settings(max_examples=40)

D = 6
WORDS = np.random.default_rng(0).standard_normal((8, D))
DIRECTION = np.random.default_rng(1).standard_normal(D)
NONE, NO_PAIRS = np.zeros(8, bool), []
ONES = np.ones((4, 3))


def random_list(n=8, d=5, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


@few
@given(SEEDS, st.integers(1, 4), st.floats(-20, 20).map(lambda power: 10.0**power))
def test_projection_leaves_no_inner_product_and_does_nothing_twice(seed, k, length):
    words, directions = random_list(9, seed=seed), random_list(k, seed=seed + 1)
    directions[0] *= length  # one short or long direction hides no other
    found = project_out(words, directions)
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    assert np.abs(found @ unit.T).max() < 1e-10
    assert np.allclose(project_out(found, directions), found, atol=1e-12)
    assert np.allclose(project_out(words, directions[::-1]), found, atol=1e-9)


def test_dependent_directions_count_once():
    one = random_list(1)
    twice = np.concatenate([one, -3 * one, one * (1 + 1e-16)])
    assert np.allclose(
        project_out(random_list(), twice), project_out(random_list(), one), atol=1e-13
    )


def test_principal_directions_are_those_of_the_covariance_largest_first():
    Z = random_list(30) * [1, 5, 2, 9, 3] + 100
    found = principal_directions(Z, 3)
    vectors = np.linalg.eigh(np.cov(Z.T))[1][:, ::-1][:, :3]
    assert np.allclose(np.abs(found @ vectors), np.eye(3), atol=1e-10)
    assert np.allclose(found @ found.T, np.eye(3))
    assert (found.max(axis=1) == np.abs(found).max(axis=1)).all()


def test_the_direction_of_one_pair_is_its_difference_toward_the_female_word():
    assert pair_direction([[3, 0, 0]], [[1, 0, 0]]) == pytest.approx([1, 0, 0])
    assert pair_direction([[1, 0, 0]], [[3, 0, 0]]) == pytest.approx([-1, 0, 0])


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


def test_bad_input_is_refused(refuses):
    refuses(
        lambda: hard_debias(np.eye(D), np.eye(D)[0], spared=NONE[:D], equal=NO_PAIRS),
        ["beside the direction", "row 0"],
    )
    refuses(lambda: project_out(ONES, [[1, 0, 0], [0, 0, 0]]), ["directions", "row 1", "leave it"])
    refuses(lambda: project_out(ONES, np.eye(3)), ["directions", "3 dimensions", "pass fewer"])
    refuses(lambda: principal_directions(ONES, 2, centred=False), ["k", "1 to 1", "got 2"])
