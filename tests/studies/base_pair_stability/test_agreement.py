"""Agreement of base pairs: against closed forms, random words, and matrices that go together or not."""

import numpy as np
import pytest

from studies.base_pair_stability import agreement


def test_kappa_on_balanced_truth_is_twice_the_accuracy_minus_one():
    truth = np.repeat([1, -1], 13)  # the animals: 13 and 13, so every kappa is k/13
    values = truth[:, None] * np.where(np.arange(26) % 13 < 4, -1, 1)[:, None]
    assert agreement.agreement_with_truth(values, truth) == pytest.approx([2 * 18 / 26 - 1])


def symmetric(seed, p=9):
    values = np.random.default_rng(seed).standard_normal((p, p))
    return values + values.T


def test_mantel_finds_matrices_that_go_together_and_only_those():
    together = agreement.mantel(
        symmetric(1), symmetric(1) + 0.3 * symmetric(2), permutations=499, rng=0
    )
    assert together.correlation > 0.9
    assert together.p_value == 1 / 500
    p_values = [
        agreement.mantel(symmetric(s), symmetric(s + 500), permutations=99, rng=0).p_value
        for s in range(100)
    ]
    assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.10


def test_kappa_from_angle_matches_random_words():
    rng = np.random.default_rng(0)
    words = rng.standard_normal((200_000, 3))
    pair = np.array([[1, 0, 0], [0.6, 0.8, 0]])
    found = agreement.pairwise_kappa(words @ pair[:1].T, words @ pair[1:].T)[0]
    assert found == pytest.approx(float(agreement.kappa_from_angle(0.6)), abs=0.01)
    assert agreement.kappa_from_angle(1 + 1e-9) == 1  # of two equal vectors, rounded
    assert agreement.kappa_from_angle([1, 0, -1]) == pytest.approx([1, 0, -1])
