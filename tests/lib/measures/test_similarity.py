"""Word similarity: correlations before and after, what a change preserves, and what bad input says."""

import numpy as np
import pytest
from scipy import stats

from lib.measures.similarity import (
    preserved_similarity,
    similarity_change,
    similarity_correlation,
)

RNG = np.random.default_rng(0)
FIRST, SECOND, SCORES = RNG.standard_normal((30, 5)), RNG.standard_normal((30, 5)), RNG.random(30)
PAIRS = FIRST, SECOND
VOCABULARY = RNG.standard_normal((200, 8))


def turn(d, seed=2):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]


def test_correlation_is_pearsons_of_cosines():
    cosines = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(FIRST, SECOND)]
    assert similarity_correlation(FIRST, SECOND, SCORES) == pytest.approx(
        stats.pearsonr(cosines, SCORES).statistic
    )


def test_correlation_knows_no_length_of_vectors_and_no_scale_of_scores():
    longer = FIRST * RNG.uniform(0.1, 9, (30, 1))
    plain = similarity_correlation(FIRST, SECOND, SCORES)
    assert similarity_correlation(longer, SECOND, 7 * SCORES + 3) == pytest.approx(plain)


def test_a_change_by_rotation_is_none():
    turned = tuple(side @ turn(5) for side in PAIRS)
    assert similarity_change(PAIRS, turned, SCORES, rng=0) == pytest.approx((0, 0, 0), abs=1e-7)


def test_a_change_is_the_difference_of_two_correlations_inside_its_interval():
    after = tuple(side * [3, 1, 1, 1, 1] for side in PAIRS)
    change, low, high = similarity_change(PAIRS, after, SCORES, rng=0)
    correlations = [similarity_correlation(*sides, SCORES) for sides in (PAIRS, after)]
    assert change == pytest.approx(correlations[1] - correlations[0])
    assert low < change < high


def test_a_rotation_and_new_lengths_preserve_all_similarities():
    after = VOCABULARY @ turn(8) * RNG.uniform(0.5, 2, (200, 1))
    assert preserved_similarity(VOCABULARY, after, rng=0) == pytest.approx((1, 1))


def test_other_vectors_preserve_nothing_but_chance():
    other = np.random.default_rng(9).standard_normal((200, 8))
    preserved = preserved_similarity(VOCABULARY, other, rng=0)
    assert abs(preserved.cosines) < 0.1
    assert preserved.neighbours == pytest.approx(10 / 199, abs=0.03)


def test_the_same_seed_asks_about_the_same_pairs():
    after = VOCABULARY * [3, 1, 1, 1, 1, 1, 1, 1]
    first, second, other = (preserved_similarity(VOCABULARY, after, rng=s) for s in (1, 1, 2))
    assert first == second != other


REFUSED = {
    "too few pairs": (
        lambda: similarity_correlation(FIRST[:2], SECOND[:2], SCORES[:2]),
        ["at least 3", "(2, 5)"],
    ),
    "shapes": (lambda: similarity_correlation(FIRST, SECOND[:3], SCORES), ["one shape", "(3, 5)"]),
    "number of scores": (lambda: similarity_correlation(*PAIRS, SCORES[:3]), ["30", "(3,)"]),
    "equal scores": (lambda: similarity_correlation(*PAIRS, np.ones(30)), ["not all equal"]),
    "scores of other pairs": (
        lambda: similarity_change(PAIRS, PAIRS, SCORES[:3]),
        ["expected 30", "(3,)"],
    ),
    "a vector of zeros": (
        lambda: similarity_correlation(FIRST * 0, SECOND, SCORES),
        ["with a length", "pair 0"],
    ),
    "a word without a direction": (
        lambda: preserved_similarity(VOCABULARY, VOCABULARY * 0),
        ["after", "direction", "row 0"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])
