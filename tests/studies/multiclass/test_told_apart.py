"""Families of words are never divided between teaching and asking."""

import numpy as np

from studies.multiclass.told_apart import told_apart


def test_copies_of_words_are_recognised_only_when_they_are_divided():
    """Equal vectors in twos, with sides that follow no rule: four in five can be looked up."""
    rng = np.random.default_rng(0)
    words = np.repeat(rng.standard_normal((40, 300)), 2, axis=0)
    sides = np.repeat([0, 1] * 20, 2)
    families = [str(number // 2) for number in range(80)]
    assert told_apart(words, sides).mean() > 0.75
    assert 0.3 < told_apart(words, sides, families).mean() < 0.7
