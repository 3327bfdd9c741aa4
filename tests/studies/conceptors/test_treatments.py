"""After treatments: random lists in place of a list, words that a conceptor has not seen, and how many effects became smaller."""

from typing import NamedTuple

import numpy as np

from lib.debiasing.treatments import beside_random_lists, conceptor_negation, effect_sizes
from studies.conceptors.treatments import (
    effects_of_random_lists,
)

RNG = np.random.default_rng(0)


class Part(NamedTuple):
    words: tuple[str, ...]
    vectors: np.ndarray


def part(rows, first=0):
    return Part(tuple(f"w{number}" for number in range(first, first + len(rows))), rows)


VOCABULARY = RNG.standard_normal((300, 12)) + 0.3
TESTS = {"test": [part(RNG.standard_normal((5, 12))) for _ in range(4)]}


def test_each_list_gives_the_effect_after_its_own_conceptor():
    lists = RNG.integers(0, 300, (3, 6))
    effects = effects_of_random_lists(TESTS, VOCABULARY, lists, 4.0)
    for rows, effect in zip(lists, effects["test"]):
        Z = VOCABULARY[rows]
        change = conceptor_negation(Z, 4.0 / np.sqrt((Z**2).sum(axis=1).mean()))
        assert np.isclose(effect, effect_sizes(TESTS, change)["test"])


def test_a_list_of_the_words_that_are_tested_is_noticed_beside_random_lists():
    """The positive control: a contrast that the list names goes, and random lists leave it."""
    lean = np.eye(12)[0] * 4
    noise = RNG.standard_normal((32, 12))
    sides = [noise[8 * k : 8 * k + 8] + (1 if k % 2 == 0 else -1) * lean for k in range(4)]
    tests = {"planted": [part(side) for side in sides]}
    after = effect_sizes(tests, conceptor_negation(np.stack([lean, -lean]), 8.0))["planted"]
    lists = [RNG.choice(300, 2, replace=False) for _ in range(99)]
    null = effects_of_random_lists(tests, VOCABULARY, lists, 32.0)["planted"]
    assert beside_random_lists(after, null)["p"] <= 0.05
