"""Two steps, single, controls: what each changes."""

import numpy as np
import pytest

from lib.translation.reinflection.identify import (
    by_reader,
    fit_classifier,
    load_classifier,
    load_rewriter,
)
from lib.translation.reinflection.sentences import kinds_of_sentence, own_sentences
from lib.translation.reinflection.systems import flip_endings, random_letters, two_step

OWN = own_sentences()


def test_two_steps_with_true_labels_and_true_targets_are_right_and_touch_nothing_else():
    for gender in ("masculine", "feminine"):
        written = two_step(OWN["sentence"], OWN["given"], OWN[gender], gender)
        assert written == OWN[gender].tolist()
        copied = two_step(OWN["sentence"], ["neither"] * len(OWN), OWN[gender], gender)
        assert copied == OWN["sentence"].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["neither"], ["a"], "neuter"), "gender: expected"),
        ((["a"], ["B"], ["a"], "feminine"), "label: expected"),
        ((["a"], ["neither"], ["a", "b"], "feminine"), "1 sentences, 1 labels and 2 rewritten"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        two_step(*arguments)


def test_flipped_endings_are_those_of_all_words_of_two_letters_or_more():
    assert flip_endings("Los niños van a la casa.", "feminine") == "Las niñas van a la casa."
    assert flip_endings("La casa, ¿no?", "masculine") == "Lo caso, ¿no?"


def test_random_letters_change_as_many_letters_and_never_one_for_itself():
    given, written = ["Estoy solo y cansado.", "Ya voy."], ["Estoy sola y cansada.", "Ya voy."]
    changed = random_letters(given, written, rng=np.random.default_rng(0))
    assert [sum(a != b for a, b in zip(*pair)) for pair in zip(given, changed)] == [2, 0]


def test_adjectives_of_the_test_are_in_no_sentence_of_a_kind_alone_and_labels_are_known():
    assert set(OWN["given"]) == {"masculine", "feminine", "neither"}
    assert (
        OWN.loc[OWN["given"] == "neither", "masculine"]
        == OWN.loc[OWN["given"] == "neither", "feminine"]
    ).all()
    assert set(kinds_of_sentence()["given"]) == {"masculine", "feminine", "neither"}


def test_the_reader_and_the_shipped_classifier_label_sentences():
    texts = ["Estoy muy cansada.", "Estoy muy cansado.", "Mañana llueve."]
    assert (
        by_reader(texts) == load_classifier().label(texts) == ["feminine", "masculine", "neither"]
    )
    assert load_classifier().label([]) == []


def test_a_classifier_needs_all_three_labels():
    with pytest.raises(ValueError, match="expected the labels masculine, feminine, neither"):
        fit_classifier(["a", "b"], ["feminine", "neither"])


def test_the_shipped_character_model_writes_both_genders_and_copies_letters_it_does_not_know():
    rewriter = load_rewriter()
    assert rewriter.rewrite(["Estoy cansado.", "Estoy sola."], "feminine") == [
        "Estoy cansada.",
        "Estoy sola.",
    ]
    assert rewriter.rewrite(["Estoy sola."], "masculine") == ["Estoy solo."]
    assert rewriter.rewrite([], "feminine") == []
