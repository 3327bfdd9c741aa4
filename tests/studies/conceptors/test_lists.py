"""Lists without the words of a test, random lists of that size, and the quick way to turn a list down."""

import numpy as np
import pytest

from lib.debiasing.apertures import damped
from lib.embeddings import Embedding
from studies.conceptors.lists import (
    RACE,
    gender_lists,
    held_out_effects,
    held_rows,
    list_rows,
    race_names,
    random_lists_of,
    turned_down,
    without_tested,
    words_of_tests,
)

rng = np.random.default_rng(0)
NAMES = [a + b + c for a in "abcdefghijklmnop" for b in "abcdefghijklmnop" for c in "abcdefghij"]
SPACE = Embedding(["he", "she", "her", "Rome", *NAMES], rng.standard_normal((2564, 12)))


@pytest.mark.parametrize("n", [2, 11, 12, 40])
def test_a_list_is_turned_down_as_by_its_directions(n):
    Z, words = rng.standard_normal((n, 12)) + 1, rng.standard_normal((5, 12))
    assert np.allclose(turned_down(Z, 13.0)(words), damped(Z, 13.0)(words))


def test_the_book_s_lists_hold_the_words_that_two_tests_use():
    lists, tests = gender_lists("book"), words_of_tests()
    assert list(lists) == ["Pronouns", "Extended List", "Propernouns", "All"]
    assert {w for t in ("maths vs arts", "science vs arts") for s in tests[t][2:] for w in s} == {
        *lists["Pronouns"]
    }
    assert len(lists["All"]) == len({*lists["All"]}) >= max(map(len, lists.values()))
    assert {w for side in tests[RACE][:2] for w in side} <= {*race_names()}


def test_lists_of_one_s_own_stand_in_place_of_the_longer_ones():
    lists = gender_lists({"mine": ["actor", "actress"]})
    assert list(lists) == ["Pronouns", "mine", "All"] and {"he", "actor"} <= {*lists["All"]}
    with pytest.raises(ValueError, match="lists: expected 'book', 'published'"):
        gender_lists("boek")


def test_words_are_read_in_the_form_that_finds_more():
    assert [part.words for part in held_rows(SPACE, [["He", "SHE"], ["Rome"]])] == [
        ("he", "she"),
        (),
    ]
    assert list_rows(SPACE, ["Rome", "He"]).words == ("Rome",)  # there are capitals


def test_random_lists_hold_no_word_of_the_list_or_of_a_test():
    never = {"aaa", "her", "he", "she"}
    found = random_lists_of(SPACE, ["he", "she"], never, 50, rng=0)
    assert found.rows.shape == (50, 2) and found.words == ("he", "she")
    drawn = {found.vocabulary[row].tobytes() for row in found.rows.ravel()}
    barred = SPACE.rows(["he", "she", "her", "aaa"]).vectors
    assert not drawn & {vector.tobytes() for vector in barred}
    assert random_lists_of(SPACE, ["he"], never, 50) is None  # no list
    few = Embedding(NAMES[:300], np.ones((300, 2)))
    assert random_lists_of(few, ["aaa", "aab"], set(), 5) is None


def test_the_null_has_the_size_of_the_list_without_the_tested_words():
    sets = [SPACE.rows(NAMES[3 * k : 3 * k + 3]) for k in range(3)]
    sets.append(SPACE.rows(["she", "her"]))
    found = random_lists_of(SPACE, ["he", "She", "Rome"], {"her"}, 4, rng=0)
    assert without_tested(found.words, sets) == [0, 2]
    effects = held_out_effects({"test": sets}, found, 4.0)["test"]
    X, Y, A, B = (part.vectors for part in sets)
    for rows, effect in zip(found.rows[:, [0, 2]], effects):
        change = damped(found.vocabulary[rows], 4.0)
        assert np.isclose(effect, _effect(*(change(part) for part in (X, Y, A, B))))
    short = held_out_effects({"test": [SPACE.rows(["he", "Rome"])] * 4}, found, 4.0)
    assert short["test"].isna().all()


def _effect(X, Y, A, B):
    X, Y, A, B = (part / np.linalg.norm(part, axis=1, keepdims=True) for part in (X, Y, A, B))
    x, y = (part @ A.mean(axis=0) - part @ B.mean(axis=0) for part in (X, Y))
    return (x.mean() - y.mean()) / np.concatenate([x, y]).std()
