"""Sentences that do not say whom the pronoun means: each noun in the same places, with the same pronouns."""

import re

from studies.before_you_measure.undecided import undecided_sentences


def test_every_noun_has_the_same_sentences_but_for_itself():
    table = undecided_sentences(["nurse", "pilot"])
    texts = {
        noun: [text.lower().replace(noun, "…") for text in part["Text"]]
        for noun, part in table.groupby("occupation")
    }
    assert texts["nurse"] == texts["pilot"] and len(set(texts["nurse"])) == 12


def test_sentences_differ_in_the_pronoun_alone():
    table = undecided_sentences(["judge"])
    she, he = (table[table["pronouns"] == name]["Text"] for name in ("she", "he"))
    forms = r"\b(she|her|he|him|his)\b"
    assert [re.sub(forms, "…", t) for t in she] == [re.sub(forms, "…", t) for t in he]
