"""Attributes line by line: against whole tests, and intervals that hold the same statistic."""

import numpy as np
import pytest
from scipy import stats

from lib.association import effect_size_interval, weat
from studies.domains.attribute_lines import effect_interval, line_effects, order_interval

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


def in_order(lines=EVERY, noise=0.5, n=60):
    """Words whose fact follows their association with lines of attributes, and the lines."""
    rng = np.random.default_rng(3)
    words, side = rng.standard_normal((n, 20)), rng.standard_normal(20)
    a, b = noise * rng.standard_normal((2, len(lines), 20)) + np.array([[side], [-side]])
    return words, a, b, words @ side


def test_the_interval_of_an_order_holds_the_order_with_all_lines():
    words, a, b, facts = in_order(noise=4)
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (words, a, b)]
    rho = stats.spearmanr(unit[0] @ (unit[1].mean(axis=0) - unit[2].mean(axis=0)), facts).statistic
    low, high = order_interval(words, a, b, (EVERY, EVERY), facts, rng=0)
    assert low < rho < high


def test_an_order_is_less_certain_where_lines_differ_than_where_they_are_one_line():
    words, a, b, facts = in_order(noise=4)
    alike = np.tile(a.mean(axis=0), (8, 1)), np.tile(b.mean(axis=0), (8, 1))
    one_line = order_interval(words, *alike, (EVERY, EVERY), facts, rng=0)
    assert np.ptp(order_interval(words, a, b, (EVERY, EVERY), facts, rng=0)) > np.ptp(one_line)


def test_an_order_keeps_attributes_without_a_partner_and_is_nan_where_nothing_differs():
    words, a, b, facts = in_order()
    low, high = order_interval(words, a[:3], b[:5], ([0, 1, 7], range(5)), facts, rng=0)
    assert 0 < low < high <= 1
    ends = order_interval(words, a, b, (EVERY, EVERY), np.ones(len(words)), rng=0)
    assert np.isnan(ends).all()
