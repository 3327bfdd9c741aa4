"""Text and vectors of two halves: what they share, what is noise of one half, and what other pairs give by chance."""

import numpy as np
import pytest

from studies.ripa.halves import (
    alike,
    alike_by_chance,
    drawn_pairs,
    freed_of_noise,
    own_less_other,
    told_apart_by_chance,
)

rng = np.random.default_rng(0)


def simulated(shared=1.0, own_noise=1.0, more=0.0, n=4000, p=4):
    """Leans of text and vectors of two halves: the vectors learn the noise of their own half's text as well."""
    truth = rng.standard_normal((n, 1))
    noise = own_noise * rng.standard_normal((2, n, 1))
    text = [np.repeat(shared * truth + of_half, p, axis=1) for of_half in noise]
    vectors = [side + more * rng.standard_normal((n, 1)) for side in text]
    return *text, *vectors


def test_alike_is_the_correlation_of_means_and_an_average_over_twos():
    one, other = rng.standard_normal((2, 30, 3))
    r = np.corrcoef(one.mean(axis=1), other.mean(axis=1))[0, 1]
    assert alike(one, other) == pytest.approx(r)
    assert alike(one, other, one, one) == pytest.approx((r + 1) / 2)
    assert np.isnan(alike(one[:2], other[:2])) and np.isnan(alike(one, np.ones((30, 3))))
    with pytest.raises(ValueError, match="two by two, got 3"):
        alike(one, other, one)


def test_vectors_that_learn_the_noise_of_their_half_go_with_its_counts_alone():
    sides = simulated(shared=0.0)
    assert own_less_other(*sides) == pytest.approx(1, abs=0.05)
    assert np.isnan(freed_of_noise(*sides)) or freed_of_noise(*sides) > 0
    assert own_less_other(*simulated(own_noise=0.0)) == pytest.approx(0, abs=1e-12)


def test_without_the_noise_of_either_side_vectors_that_hold_the_truth_agree_fully():
    assert freed_of_noise(*simulated(more=0.7)) == pytest.approx(1, abs=0.05)
    text_a, text_b, vectors_a, vectors_b = simulated(own_noise=0.0)
    assert np.isnan(freed_of_noise(text_a, text_b, vectors_a, -vectors_b))


def test_drawn_pairs_are_averages_of_different_pairs_turned_at_random():
    weights = drawn_pairs(7, 3, 400, np.random.default_rng(0))
    assert weights.shape == (7, 400) and np.abs(weights).sum(axis=0) == pytest.approx(1)
    assert ((weights != 0).sum(axis=0) == 3).all() and abs(weights.mean()) < 0.02
    assert (drawn_pairs(2, 10, 5, np.random.default_rng(0)) != 0).all()  # no more than there are


def test_chance_is_what_alike_gives_with_each_draw():
    first, others = rng.standard_normal((20, 3)), rng.standard_normal((20, 6))
    weights = drawn_pairs(6, 2, 8, np.random.default_rng(1))
    found = alike_by_chance([first], [others], weights)
    assert found == pytest.approx([alike(first, (others @ w)[:, None]) for w in weights.T])
    assert np.isnan(alike_by_chance([np.ones((20, 3))], [others], weights)).all()


def test_lists_told_apart_by_chance_are_so_in_half_of_the_twos():
    weights = drawn_pairs(6, 3, 500, np.random.default_rng(0))
    one, other = rng.standard_normal((40, 6)), rng.standard_normal((30, 6))
    found = told_apart_by_chance(one, other, weights)
    assert found.shape == (500,) and found.mean() == pytest.approx(0.5, abs=0.05)
    assert (told_apart_by_chance(one + 9, other, np.full((6, 2), 1 / 6)) > 0.99).all()
