"""Forms of a word, and what is built of it, are one family."""

import pytest

from lib.debiasing.word_families import word_families
from lib.lexicons import word_list


@pytest.mark.parametrize(
    "words, families",
    [
        (["woman", "women", "chairwoman", "chairwomen"], 1),
        (["wife", "wives", "housewife"], 1),
        (["actress", "actresses", "princess"], 2),
        (["mother", "grandmother", "motherhood", "aunt"], 2),
        (["ms", "mrs", "miss"], 3),
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
