"""Random lists in place of a list: their effects, the place of the list among them, and bad input."""

import numpy as np
import pytest

from lib.debiasing.random_lists import beside_random_lists, effects_of_random_lists
from lib.debiasing.treatments import conceptor_negation, effect_sizes

RNG = np.random.default_rng(0)


class Part:
    def __init__(self, rows):
        self.vectors = rows
        self.words = tuple(f"w{number}" for number in range(len(rows)))


VOCABULARY = RNG.standard_normal((300, 12)) + 0.3
TESTS = {"test": [Part(RNG.standard_normal((5, 12))) for _ in range(4)]}


def test_each_list_gives_the_effect_after_its_own_conceptor():
    lists = RNG.integers(0, 300, (3, 6))
    effects = effects_of_random_lists(TESTS, VOCABULARY, lists, 4.0)
    for rows, effect in zip(lists, effects["test"]):
        Z = VOCABULARY[rows]
        change = conceptor_negation(Z, 4.0 / np.sqrt((Z**2).sum(axis=1).mean()))
        assert np.isclose(effect, effect_sizes(TESTS, change)["test"])


def test_p_counts_the_lists_that_leave_as_little_whatever_the_sign():
    beside = beside_random_lists(0.3, [-0.2, 0.1, 0.5, -0.9])
    assert beside["p"] == pytest.approx(3 / 5)
    assert beside["low"] <= beside["median"] <= beside["high"]


def test_a_list_of_the_words_that_are_tested_is_noticed_beside_random_lists():
    """The positive control: a contrast that the list names goes, and random lists leave it."""
    lean = np.eye(12)[0] * 4
    noise = RNG.standard_normal((32, 12))
    sides = [noise[8 * k : 8 * k + 8] + (1 if k % 2 == 0 else -1) * lean for k in range(4)]
    tests = {"planted": [Part(side) for side in sides]}
    after = effect_sizes(tests, conceptor_negation(np.stack([lean, -lean]), 8.0))["planted"]
    lists = [RNG.choice(300, 2, replace=False) for _ in range(99)]
    null = effects_of_random_lists(tests, VOCABULARY, lists, 32.0)["planted"]
    assert beside_random_lists(after, null)["p"] <= 0.05


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: effects_of_random_lists({}, VOCABULARY, [[0]], 2), "expected tests and lists"),
        (lambda: effects_of_random_lists(TESTS, VOCABULARY, [], 2), "expected tests and lists"),
        (lambda: effects_of_random_lists(TESTS, VOCABULARY, [[0]], -1), "aperture"),
        (lambda: beside_random_lists(0.1, []), "draws"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
