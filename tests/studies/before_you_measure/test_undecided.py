"""Sentences that do not say whom the pronoun means: each noun in the same places, with the same pronouns."""

import re

import pytest

from lib.coreference.resolvers import load_resolver
from lib.coreference.sentences import occupation_leans
from lib.lexicons import load_lexicon
from studies.before_you_measure.undecided import undecided_sentences


def test_every_noun_has_the_same_sentences_but_for_itself():
    table = undecided_sentences(["nurse", "pilot"])
    texts = {
        noun: [text.lower().replace(noun, "…") for text in part["Text"]]
        for noun, part in table.groupby("occupation")
    }
    assert texts["nurse"] == texts["pilot"] and len(set(texts["nurse"])) == 12


def test_offsets_hold_and_the_noun_stands_first_in_half():
    table = undecided_sentences(["nurse"], per_case=2)
    for row in table.itertuples():
        assert row.Text[row[table.columns.get_loc("A-offset") + 1] :].startswith(row.A)
    assert len(table) == 24 and (table["A"] == "nurse").mean() == 0.5
    assert table["case"].value_counts().tolist() == [8, 8, 8]


def test_sentences_differ_in_the_pronoun_alone():
    table = undecided_sentences(["judge"])
    she, he = (table[table["pronouns"] == name]["Text"] for name in ("she", "he"))
    forms = r"\b(she|her|he|him|his)\b"
    assert [re.sub(forms, "…", t) for t in she] == [re.sub(forms, "…", t) for t in he]


@pytest.mark.slow
def test_the_shipped_resolver_hears_the_gender_of_mothers_and_fathers():
    pairs = load_lexicon("two_people")["known_pairs"]
    table = undecided_sentences([noun for pair in pairs for noun in pair])
    leans = occupation_leans(table, load_resolver().probabilities(table, device="cpu"))
    assert all(leans[female] > leans[male] for female, male in pairs)
