"""More pairs, fewer words that keep one side: in closed form, as over every choice of pairs."""

from itertools import combinations

import numpy as np
import pytest

from lib.lexicons import base_pairs
from studies.base_pair_stability.by_number import (
    chance_of_both_sides,
    one_of_each_kind,
    share_on_both_sides,
)

SCORES = np.random.default_rng(0).standard_normal((20, 5))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_share_is_that_of_all_choices_of_so_many_pairs(count):
    sides = SCORES > 0
    counted = [
        (sides[:, list(chosen)].any(axis=1) & ~sides[:, list(chosen)].all(axis=1)).mean()
        for chosen in combinations(range(5), count)
    ]
    assert share_on_both_sides(SCORES, [count]) == pytest.approx([np.mean(counted)])


def test_more_pairs_than_there_are_say_nothing_and_zero_is_male():
    assert np.isnan(chance_of_both_sides(SCORES, [6])).all()
    assert chance_of_both_sides([[0, -1], [0, 1]], [2]).tolist() == [[0], [1]]


def test_the_three_forms_of_a_pronoun_are_one_kind():
    pairs = list(base_pairs())
    kept = [pairs[place] for place in one_of_each_kind(pairs)]
    assert ("she", "he") in map(tuple, kept) and len(kept) == len(pairs) - 2
