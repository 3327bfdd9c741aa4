"""The released lists of gendered words as their files have them."""

import pytest

from lib.lexicons import load_lexicon
from studies.contextual_geometry import gonen2019


@pytest.mark.sample("lipstick_female_word_file", "lipstick_male_word_file")
def test_both_lists_hold_words_of_either_side_and_a_few_stand_on_the_other():
    words = gonen2019.read_gendered_words()
    assert {side: len(listed) for side, listed in words.items()} == {"female": 223, "male": 223}
    assert "actress" in words["female"] and "actor" in words["male"]
    ours = load_lexicon("gender_specific").lists
    swapped = {*words["female"]} & {*ours["male"]} | {*words["male"]} & {*ours["female"]}
    assert {"landlords", "brides"} <= swapped and len(swapped) < 10
