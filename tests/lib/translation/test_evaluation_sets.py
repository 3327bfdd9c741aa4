"""Evaluation sets: every reference reads as its gender, what was held out stays so, words of one form."""

import re
from collections import Counter

import pytest

from lib.datasets.tatoeba import letters
from lib.lexicons import load_lexicon
from lib.translation.evaluation_sets import (
    first_person_set,
    hand_checked,
    held_out_pairs,
    listener_set,
    plain_set,
)
from lib.translation.gender_spanish import audience_marking, gender_of, speaker_marking
from scripts.train.translator.split import split_pairs
from studies.translation_index.cho2019 import PARTITIONS
from studies.translation_index.cho2019 import SETS as PAPER_SETS
from studies.translation_index.pronoun_drop import LISTS, pronoun_drop_set

OWN, LISTENERS = first_person_set(), listener_set()
SPANISH = pronoun_drop_set()
# Words of one form that the reader of endings would take for one of two.
ONE_FORM = set(
    [
        "egoísta",
        "sinvergüenza",
        "aguafiestas",
        "bocazas",
        "canalla",
        "caradura",
        "oboísta",
        "cineasta",
        "sargento",
        "copiloto",
        "cosmonauta",
        "guardaespaldas",
        "lavaplatos",
        "cuentacuentos",
        "fisioterapeuta",
        "terapeuta",
        "psicoterapeuta",
        "logopeda",
        "osteópata",
        "homeópata",
    ]
)


def test_every_reference_reads_as_the_gender_it_is_for():
    assert OWN["english"].nunique() == len(OWN) >= 200
    for gender in ("masculine", "feminine"):
        assert {speaker_marking(text)[:2] for text in OWN[gender]} == {(gender, "singular")}


def test_listeners_read_as_one_or_several():
    expected = {
        "him": ("masculine", "singular"),
        "her": ("feminine", "singular"),
        "them": ("masculine", "plural"),
        "women": ("feminine", "plural"),
    }
    for name, marking in expected.items():
        assert {audience_marking(text)[:2] for text in LISTENERS[name]} == {marking}


def test_plain_sentences_mark_no_one():
    plain = plain_set()["spanish"]
    assert len(plain) >= 40
    assert {
        read(text).gender for text in plain for read in (speaker_marking, audience_marking)
    } == {"unmarked"}


@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_no_sentence_was_trained_on_and_every_adjective_is_held_out():
    split = split_pairs()
    trained = {letters(english) for english, _ in split.training}
    own, plain = held_out_pairs()
    assert len(own) > 100 and len(plain) > 1000
    for sentences in (OWN, LISTENERS, own, plain, plain_set()):
        assert not {letters(english) for english in sentences["english"]} & trained
    assert {*OWN["form"], *own["form"]} <= set(split.held_out)
    assert all(
        speaker_marking(text).gender in ("feminine", "ambiguous") for text in own["feminine"]
    )


def test_the_reader_of_spanish_agrees_with_labels_by_hand():
    checked = hand_checked()
    assert len(checked) == 200 and not checked.duplicated(["reader", "text"]).any()
    assert (
        set(checked["gender"]) == {"feminine", "masculine", "unmarked"}
        and checked["gender"].value_counts().min() > 40
    )
    assert checked["agrees"].mean() >= 0.97


def test_the_set_has_more_than_300_items_in_seven_sets_that_stand_for_the_paper_s():
    stands_for = dict(load_lexicon("pronoun_drop")["sets"])
    assert len(SPANISH.predicates) > 300 and len(set(SPANISH.predicates)) == len(SPANISH.predicates)
    assert list(SPANISH.sentences) == list(SPANISH.items) == list(stands_for)
    assert list(stands_for.values()) == list(PAPER_SETS)
    assert min(len(set(SPANISH.items[kind])) for kind in LISTS) > 100


def test_each_item_has_four_sentences_in_every_way_to_divide_them():
    ours = {theirs: ours for ours, theirs in load_lexicon("pronoun_drop")["sets"]}
    for names in PARTITIONS.values():
        names = [ours[name] for name in names]
        held = Counter(item for name in names for item in SPANISH.items[name])
        assert set(held) == set(range(len(SPANISH.predicates))) and set(held.values()) == {4}
        assert len({sentence for name in names for sentence in SPANISH.sentences[name]}) == 4 * len(
            held
        )


def test_adjectives_and_nouns_have_one_form():
    words = [
        predicate.split()[1] for predicate in SPANISH.predicates if predicate.startswith("es ")
    ]
    assert {word for word in words if gender_of(word)} == ONE_FORM & set(words) == ONE_FORM


def test_no_sentence_names_a_person_or_speaks_to_one():
    said = {sentence for sentences in SPANISH.sentences.values() for sentence in sentences}
    pronoun = re.compile(
        r"\b(?:él|ell[ao]s?|ustedes|usted|tú|tus?|te|yo|nosotr[oa]s|alguien|persona)\b",
        re.IGNORECASE,
    )
    assert not [sentence for sentence in said if pronoun.search(sentence)]
    assert {audience_marking(sentence).number for sentence in said} == {"unmarked"}
