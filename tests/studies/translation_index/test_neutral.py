"""Neutral outputs: what they are, and what is left without those that speak of nobody."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from lib.translation.tgbi import gender_classes
from studies.translation_index.neutral import (
    neutral_kinds,
    outputs_about_a_person,
)

HE, SHE, THEY = "He is kind.", "She is kind.", "They are kind."


def test_neutral_outputs_are_told_apart():
    outputs = [
        "The person is kind.",
        "They're kind.",
        "It's hot.",
        "I am kind.",
        "Kind.",
        "걔는 강해",
        "Ella",
    ]
    found = neutral_kinds(outputs, [*"abcde", "걔는 강해", "Ella"])
    assert found == Counter(
        {"copied": 2, "the person": 1, "they": 1, "it": 1, "other pronoun": 1, "no pronoun": 1}
    )
    assert not neutral_kinds([])


@given(st.lists(st.sampled_from([HE, SHE, THEY, "It is.", ""]), min_size=1, max_size=20))
def test_what_is_left_out_of_outputs_is_neutral(sentences):
    kept = outputs_about_a_person({"all": sentences})["all"]
    left = Counter(sentences) - Counter(kept)
    assert not left or set(gender_classes(list(left)).tolist()) == {2}
