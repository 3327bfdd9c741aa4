"""A test beside chance: what could not be measured says why, and lists that mean nothing rarely stand out."""

import numpy as np
import pytest

from lib.association import weat
from lib.embeddings import Embedding
from studies.domains.beside_chance import FEWEST, as_found, chances, measured

WORDS = [f"w{number}" for number in range(FEWEST)]


@pytest.fixture(scope="module")
def space():
    rows = np.random.default_rng(0).standard_normal((FEWEST, 20))
    return Embedding([*WORDS[:-1], "Paris"], rows, ranked=True)


def lists(first=0, size=4):
    return [WORDS[start : start + size] for start in range(first, first + 4 * size, size)]


def test_a_word_is_found_as_written_or_in_lower_case_and_once():
    e = Embedding(["nasa", "Paris"], np.eye(2))
    assert as_found(e, ["NASA", "Paris", "nasa", "Rome"]) == {"nasa": 0, "Paris": 1}


def test_the_result_is_that_of_weat(space):
    found = measured(space, lists())
    d = weat(*(space.rows(part).vectors for part in lists())).effect_size
    assert found.result.effect_size == d and found.reason == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({0: []}, "no words"),
        ({1: ["w4", "Rome"]}, "1 of 2"),
        ({1: ["w0", "w5"]}, "w0 stands in both lists"),
        ({2: ["w8", "w9"], 3: ["w8", "w9"]}, "associations that differ"),
    ],
)
def test_what_cannot_be_measured_says_why(space, changed, said):
    asked = [changed.get(number, part) for number, part in enumerate(lists())]
    found = measured(space, asked)
    assert found.result is None and said in found.reason


def test_chance_spares_the_words_of_the_tests_and_a_word_list_has_none(space):
    asked = {name: measured(space, lists(first)).lists for name, first in (("a", 0), ("b", 40))}
    asked = {name: (*four[:2], *asked["a"][2:]) for name, four in asked.items()}
    about = dict(limit=FEWEST, draws=200, groups=50, seeds=[0, 1, 2])
    null = chances(space, asked, set(WORDS[:60]), **about)
    assert [*null] == ["a", "b"] and len(null["a"].groups) == 50
    low, high, _, _ = null["a"].bands()
    assert low < 0 < high
    of_words, of_groups = null["a"].pvalues(9.0)
    assert of_words == pytest.approx(1 / 201) and of_groups == pytest.approx(1 / 51)
    assert max(null["b"].pvalues(0.0)) == 1
    assert chances(space.first(FEWEST - 1), asked, set(), **about) == {}
