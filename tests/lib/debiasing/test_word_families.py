"""Families of words are never divided between teaching and asking."""

import numpy as np
import pytest

from lib.debiasing.word_families import told_apart, word_families
from lib.lexicons import word_list


@pytest.mark.parametrize(
    "words, families",
    [
        (["woman", "women", "chairwoman", "chairwomen"], 1),
        (["lady", "ladies", "landlady"], 1),
        (["wife", "wives", "housewife"], 1),
        (["actress", "actresses", "princess"], 2),
        (["mother", "grandmother", "motherhood", "aunt"], 2),
        (["ms", "mrs", "miss"], 3),
        ([], 0),
    ],
)
def test_forms_and_compounds_are_one_family(words, families):
    assert len(set(word_families(words))) == families


@pytest.mark.parametrize("side", ["female", "male"])
def test_every_word_of_the_lists_is_in_a_family(side):
    words = word_list(f"gender_specific/{side}")
    families = word_families(words)
    assert len(families) == len(words) > len(set(families)) > 20


def test_families_do_not_depend_on_order():
    words = list(word_list("gender_specific/female"))
    forward, backward = word_families(words), word_families(words[::-1])
    assert forward == backward[::-1]


def test_copies_of_words_are_recognised_only_when_they_are_divided():
    """Equal vectors in twos, with sides that follow no rule: four in five can be looked up."""
    rng = np.random.default_rng(0)
    words = np.repeat(rng.standard_normal((40, 300)), 2, axis=0)
    sides = np.repeat([0, 1] * 20, 2)
    families = [str(number // 2) for number in range(80)]
    assert told_apart(words, sides).mean() > 0.75
    assert 0.3 < told_apart(words, sides, families).mean() < 0.7


ERRORS = {
    "few families": (lambda: told_apart(np.eye(6), [0, 1] * 3), "5 or more of each side, got 3"),
    "few sides": (lambda: told_apart(np.eye(6), [0, 1]), "a side and a family for each of 6"),
    "one side": (lambda: told_apart(np.eye(6), [1] * 6), "got 0"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_bad_input_is_named(name):
    call, message = ERRORS[name]
    with pytest.raises(ValueError, match=message):
        call()
