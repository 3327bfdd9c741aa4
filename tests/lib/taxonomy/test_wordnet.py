"""Senses of nouns: verdicts of the paper, NLTK as peer, the rules of detachment."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.wsd import lesk as nltk_lesk

from lib.lexicons import load_lexicon
from lib.sources import fetch
from lib.taxonomy.wordnet import (
    base_forms,
    detached,
    gendered_terms,
    irregular_plurals,
    is_person,
    lesk,
    noun_senses,
    senses,
)

PAPER = load_lexicon("hitti2019")
SEVERAL = sorted(noun for noun, found in noun_senses().items() if len(found) > 2)


@pytest.mark.parametrize(
    ("word", "gendered"),
    [(word, True) for word in PAPER["definition_gendered"]]
    + [(word, False) for word in PAPER["definition_not_gendered"]],
)
def test_the_verdicts_of_table_2_come_out(word, gendered):
    assert bool(lesk([word], word).gendered()) is gendered


@given(st.sampled_from(SEVERAL), st.data())
def test_lesk_agrees_with_nltk_on_any_words(noun, data):
    words = sorted({word for sense in senses(noun) for word in sense.words})
    context = data.draw(st.lists(st.sampled_from(words), max_size=12))
    assert lesk(context, noun) == nltk_lesk(context, noun, "n", synsets=senses(noun))


def test_ties_go_to_the_first_sense_or_to_the_last_name():
    found = senses("gentleman")
    assert [sense.name() for sense in found] == ["gentleman.n.01", "valet.n.01"]
    assert lesk([], "gentleman").name() == "gentleman.n.01"
    assert lesk([], "gentleman", ties="name").name() == "valet.n.01"
    overlap = sorted(set(found[1].words) - set(found[0].words))
    assert lesk(overlap, "gentleman").name() == "valet.n.01"


@pytest.mark.parametrize(
    ("form", "nouns"),
    [
        ("women", ("woman",)),
        ("children", ("child",)),
        ("waitresses", ("waitress",)),
        ("boss", ("boss",)),
        ("xyzzy", ()),
    ],
)
def test_base_forms(form, nouns):
    assert base_forms(form) == nouns


@given(st.text(alphabet="abcdefghimnosxyz", max_size=12))
def test_a_base_form_is_the_word_itself_or_shorter_by_an_ending_or_listed(word):
    allowed = {word, *detached(word), *irregular_plurals().get(word, ())}
    assert set(base_forms(word)) <= allowed & noun_senses().keys()


def test_gendered_terms_are_those_of_table_1():
    assert len(gendered_terms()) == 30
    assert {"he", "herself", "male", "girl", "niece"} <= gendered_terms()
    assert not {"king", "lady", "they"} & gendered_terms()


def test_persons_are_told_by_the_first_two_senses():
    assert is_person("teachers") and is_person("Landlord") and is_person("queen")
    assert [sense.file for sense in senses("queen")[:2]] == ["animal", "person"]
    assert not is_person("table") and not is_person("hive")


@pytest.mark.sample("gendered_words_wordnet")
def test_labels_of_an_independent_list_of_persons():
    """Monsen's list labels 6,923 person nouns by definitions and by hand."""
    rows = json.loads(fetch("gendered_words_wordnet").read_text(encoding="utf-8"))
    agree = {"n": 0, "gendered": 0}
    total = dict(agree)
    for row in rows:
        people = [sense for sense in senses(row["word"]) if sense.file == "person"]
        if row["gender"] not in "nmf" or not people:
            continue
        kind = "n" if row["gender"] == "n" else "gendered"
        total[kind] += 1
        agree[kind] += bool(people[0].gendered()) is (kind == "gendered")
    assert total == {"n": 4874, "gendered": 951}
    assert agree == {"n": 4747, "gendered": 768}
