"""Attributes line by line: against whole tests, and intervals that hold the same statistic."""

import numpy as np
import pytest

from lib.association import effect_size_interval, weat
from studies.domains.attribute_lines import effect_interval, line_effects

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
