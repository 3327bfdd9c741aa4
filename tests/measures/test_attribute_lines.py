"""Attributes line by line: against whole tests, intervals that hold the same statistic, and bad input."""

import numpy as np
import pytest

from lib.association import effect_size_interval, weat
from lib.measures.attribute_lines import effect_interval, line_effects

RNG = np.random.default_rng(0)
X, Y, A, B = RNG.standard_normal((4, 8, 6))
EVERY = np.arange(8)


def test_a_line_is_a_whole_test_with_one_word_on_each_side():
    numbers, effects = line_effects(X, Y, A[:3], B[:2], ([7, 2, 4], [4, 7]))
    assert numbers.tolist() == [4, 7]
    whole = [weat(X, Y, A[[a]], B[[b]], n_resamples=10).effect_size for a, b in ((2, 0), (0, 1))]
    assert effects == pytest.approx(whole)


def test_with_all_words_in_pairs_the_interval_is_that_of_pairs():
    ours = effect_interval(X, Y, A, B, (EVERY, EVERY), n_resamples=300, rng=0)
    paired = effect_size_interval(X, Y, A, B, paired=True, n_resamples=300, rng=0)
    assert ours == pytest.approx(paired)


def test_the_interval_is_around_the_effect_of_all_words_also_of_those_without_a_partner():
    shift = 3 * RNG.standard_normal(6)
    lone = np.concatenate([A, [shift]])
    lines = (np.arange(9), EVERY)
    low, high = effect_interval(X + shift, Y - shift, lone, B, lines, n_resamples=300, rng=0)
    assert low < weat(X + shift, Y - shift, lone, B).effect_size < high


def test_one_deviant_pair_widens_the_interval():
    side = RNG.standard_normal(6)
    x, y = X / 3 + side, Y / 3 - side
    a, b = A / 3 + 0.5 * side, B / 3 - 0.5 * side
    turned_a, turned_b = a.copy(), b.copy()
    turned_a[0], turned_b[0] = -8 * side, 8 * side
    how = dict(n_resamples=300, rng=0)
    narrow = effect_interval(x, y, a, b, (EVERY, EVERY), **how)
    wide = effect_interval(x, y, turned_a, turned_b, (EVERY, EVERY), **how)
    assert np.ptp(wide) > np.ptp(narrow)


BAD = {
    "a line twice": (
        lambda: line_effects(X, Y, A[:2], B[:2], ([1, 1], [0, 1])),
        ["different line", "2 words of A", "[1, 1]"],
    ),
    "too few lines": (
        lambda: effect_interval(X, Y, A[:2], B[:2], ([0, 1], [0])),
        ["2 words of B", "[0]"],
    ),
    "two targets": (
        lambda: effect_interval(X[:2], Y, A, B, (EVERY, EVERY)),
        ["three", "2"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses):
    refuses(*BAD[case])
