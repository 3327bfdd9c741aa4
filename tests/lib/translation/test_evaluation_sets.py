"""Evaluation sets: every reference reads as its gender, what was held out stays so."""

import pytest

from lib.datasets.tatoeba import letters
from lib.training.translator.split import split_pairs
from lib.translation.evaluation_sets import (
    feminine,
    first_person_set,
    hand_checked,
    held_out_pairs,
    listener_set,
    plain_set,
)
from lib.translation.gender_spanish import audience_marking, speaker_marking

OWN, LISTENERS = first_person_set(), listener_set()


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


def test_bad_input_is_refused(refuses):
    refuses(lambda: feminine("feliz"), ["-o", "'feliz'"])


def test_importing_loads_no_heavy_library(loaded_by):
    assert (
        loaded_by(
            "lib.translation.evaluation_sets",
            ("torch", "transformers", "sacrebleu", "statsmodels"),
        )
        == []
    )


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
