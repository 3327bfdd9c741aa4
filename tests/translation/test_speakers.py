"""Sentences said by someone: every reference reads as its gender, what was held out stays so, prefixes come off."""

import pytest

from lib.lexicons import pair_list
from lib.translation import load_translator
from lib.translation.gender_spanish import audience_marking, speaker_marking
from lib.translation.prefixes import CONDITIONS, strip_prefix
from lib.translation.speakers import (
    CONTROL,
    EVERY,
    condition_name,
    feminine,
    first_person_set,
    hand_checked,
    held_out_pairs,
    listener_set,
    told,
)
from lib.translation.tatoeba import letters, split_pairs

OWN, LISTENERS = first_person_set(), listener_set()


def test_every_reference_reads_as_the_gender_it_is_for():
    assert len({spoken.english for spoken in OWN}) == len(OWN) >= 200
    for spoken in OWN:
        for gender in ("masculine", "feminine"):
            assert speaker_marking(getattr(spoken, gender))[:2] == (gender, "singular")


def test_listeners_read_as_one_or_several():
    said = {
        "him": ("masculine", "singular"),
        "her": ("feminine", "singular"),
        "them": ("masculine", "plural"),
        "women": ("feminine", "plural"),
    }
    for one in LISTENERS:
        assert {name: audience_marking(getattr(one, name))[:2] for name in said} == said


def test_plain_sentences_mark_no_one():
    plain = [spanish for _, spanish in pair_list("first_person/plain_pairs")]
    assert len(plain) >= 40
    assert {
        read(text).gender for text in plain for read in (speaker_marking, audience_marking)
    } == {"unmarked"}


def test_there_are_the_paper_s_conditions_a_control_and_they():
    assert len(CONDITIONS) == 11 and set(EVERY) == {*CONDITIONS, CONTROL, ("they", "none")}
    assert [condition_name(*pair) for pair in (("none", "none"), CONTROL, ("she", "them"))] == [
        "no prefix",
        "Someone said:",
        "She said to them:",
    ]


def test_a_prefix_comes_off_and_lost_ones_are_counted():
    kept = load_translator(
        lambda texts: [text.replace("She said:", "Ella dijo:") for text in texts]
    )
    lost = load_translator(lambda texts: [strip_prefix(text) for text in texts])
    sentences = ["Estoy cansada.", "Soy feliz: así es."]
    for translator, number in ((kept, 2), (lost, 0)):
        found = told(translator, sentences, "she")
        assert found.texts == sentences and found.kept == number and found.given == "She said: "
    counted = told(kept, sentences, "she").markings()
    assert (counted.marked, counted.feminine_share, counted.genders["unmarked"]) == (1, 1, 1)
    plain = told(kept, ["Ella dijo: no."])
    assert plain.texts == ["Ella dijo: no."] and plain.given == "" and plain.prefixes == [None]


def test_bad_input_is_refused(refuses):
    refuses(lambda: feminine("feliz"), ["-o", "'feliz'"])
    refuses(lambda: told(load_translator(list), ["x"], "it"), ["speaker", "she", "'it'"])


def test_importing_loads_no_heavy_library(loaded_by):
    assert (
        loaded_by(
            "lib.translation.speakers, lib.translation.quality",
            ("torch", "transformers", "sacrebleu", "statsmodels"),
        )
        == []
    )


@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_no_sentence_was_trained_on_and_every_adjective_is_held_out():
    split = split_pairs()
    trained = {letters(english) for english, _ in split.training}
    own, plain = held_out_pairs()
    mine = [*OWN, *LISTENERS, *own]
    assert len(own) > 100 and len(plain) > 1000
    assert not [one.english for one in mine if letters(one.english) in trained]
    assert not [
        english
        for english, _ in (*pair_list("first_person/plain_pairs"), *plain)
        if letters(english) in trained
    ]
    assert {spoken.form for spoken in (*OWN, *own)} <= set(split.held_out)
    assert all(speaker_marking(one.feminine).gender in ("feminine", "ambiguous") for one in own)


def test_the_reader_of_spanish_agrees_with_labels_by_hand():
    checked = hand_checked()
    assert len(checked) == 200 and not checked.duplicated(["reader", "text"]).any()
    assert (
        set(checked["gender"]) == {"feminine", "masculine", "unmarked"}
        and checked["gender"].value_counts().min() > 40
    )
    assert checked["agrees"].mean() >= 0.97
