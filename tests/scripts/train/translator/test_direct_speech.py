"""The frozen grammar of direct speech: how pairs are split, which forms mark a speaker, what is made of them."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from lib.datasets import tatoeba as tatoeba_pairs
from lib.datasets.tatoeba import letters, read_pairs
from lib.paths import DATA
from lib.translation.gender_spanish import speaker_marking
from lib.translation.prefixes import CONDITIONS
from scripts.train.translator.direct_speech import (
    ORDER,
    adjectives,
    held_out_adjectives,
    holds,
    made_examples,
    marked_letters,
    marked_pair,
    prefixes,
)
from scripts.train.translator.split import directed, held_out_table, split_pairs
from scripts.train.translator.train import Settings, training_pairs
from tests.scripts.train.translator.pairs import sentences


@pytest.fixture
def tatoeba(monkeypatch):
    """The pairs of `sentences` in the place of Tatoeba's."""
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", sentences)


def stems_and_held():
    stems = adjectives(sentences())
    return stems, held_out_adjectives(stems)


def form_of(spanish, stems):
    """ "f", "m" or "": the ending of the first form that marks a first-person speaker."""
    _, places = marked_letters(spanish, stems)
    return {"a": "f", "o": "m"}[spanish[places[0]]] if places else ""


@pytest.mark.parametrize("direction", ["en-es", "es-en"])
def test_no_source_sentence_is_shared_between_the_parts(tatoeba, direction):
    split = split_pairs(direction)
    parts = [split.training, split.validation, split.test, split.speech]
    keys = [{letters(source) for source, _ in directed(part, direction)} for part in parts]
    assert sum(map(len, parts)) == len(sentences()) and min(map(len, parts)) > 0
    assert not any(a & b for place, a in enumerate(keys) for b in keys[:place])
    assert split_pairs(direction) == split


@pytest.mark.sample("tatoeba_spa_eng_zip")
@pytest.mark.parametrize(
    "direction, sizes, digest",
    [
        ("en-es", (115316, 1139, 2352, 157), "ea4408b235ae2de9"),
        ("es-en", (115206, 1227, 2373, 158), "6e65b1794e9c7d57"),
    ],
)
def test_the_parts_of_the_shipped_translators_do_not_change(direction, sizes, digest):
    split = split_pairs(direction)
    parts = (split.training, split.validation, split.test, split.speech)
    assert tuple(map(len, parts)) == sizes
    every = repr((*parts, sorted(split.stems), split.held_out))
    assert hashlib.sha256(every.encode()).hexdigest().startswith(digest)


@pytest.mark.slow
@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_the_shipped_translator_is_taught_without_the_held_out_adjectives_that_are_shipped():
    split = split_pairs()
    pairs = training_pairs(split, Settings())
    assert len(pairs) - len(split.training) == pytest.approx(0.1 * len(pairs), abs=1)
    begins = tuple(filter(None, (prefixes(*condition)[0] for condition in ORDER)))
    spoken = [(english, spanish) for english, spanish in pairs if english.startswith(begins)]
    assert len(spoken) > 10_000 and not [pair for pair in spoken if holds(pair[1], split.held_out)]
    assert any(holds(spanish, split.held_out) for _, spanish in split.training)
    path = DATA / "models" / "tatoeba-en-es" / "held_out_pairs.csv"
    shipped, made = pd.read_csv(path, keep_default_na=False), held_out_table(split)
    assert shipped.astype(str).equals(made.astype(str)) and len(made) > 2000


def test_marked_first_persons_are_found_and_swapped_with_all_that_agrees():
    stems = adjectives(sentences())
    found = marked_pair(
        ("I'm tired and sick of being alone.", "Estoy cansado y enfermo de estar solo."), stems
    )
    assert found.masculine == "Estoy cansado y enfermo de estar solo." and found.gender == "m"
    assert (
        found.feminine == "Estoy cansada y enferma de estar solo."
    )  # an infinitive may be anyone's: left alone
    assert marked_pair(
        ("I'm angry at myself.", "¡No estoy tan contenta conmigo misma!"), stems
    ).masculine == ("¡No estoy tan contento conmigo mismo!")
    for english, spanish in [
        ("I'm waiting.", "Estoy esperando."),
        ("I'm happy.", "Estoy feliz."),
        ("He is sick.", "Estaba enfermo."),
        ("I saw it.", "Estaba el perro enfermo."),
        ("I'm old hat.", "Soy viejo amigo."),
        ("I want it.", "Quiero una cosa."),
    ]:
        assert marked_pair((english, spanish), stems) is None, spanish
    told = ("Yo estaba muy cansada.", "Me quedé solo ayer", "Él está solo.", "")
    assert [form_of(text, stems) for text in told] == ["f", "m", "", ""]


def test_made_examples_cover_the_eleven_conditions_and_agree_with_their_prefix():
    stems, held = stems_and_held()
    made = made_examples(sentences(), stems, held, 2200, rng=np.random.default_rng(0))
    assert len(ORDER) == 11 and set(ORDER) == set(CONDITIONS)
    assert {(e.speaker, e.audience): 200 for e in made} == {c: 200 for c in CONDITIONS}
    by_english = {}
    for english, spanish in sentences():
        by_english.setdefault(english, set()).add(spanish)
    for example in made:
        said, dicho = prefixes(example.speaker, example.audience)
        assert (
            example.english.startswith(said)
            and example.spanish.startswith(dicho)
            and not holds(example.spanish, held)
        )
        told = example.spanish.removeprefix(dicho)
        assert form_of(told, stems) == example.form
        if example.form and example.speaker in ("he", "she"):
            assert example.form == {"he": "m", "she": "f"}[example.speaker]
        elif example.form:
            assert told in by_english[example.english.removeprefix(said)]
    assert np.mean([example.form == "" for example in made]) == pytest.approx(0.25, abs=0.1)
    assert prefixes("She", "them") == ("She said to them: ", "Ella les dijo: ")
    assert prefixes("He", "her") == ("He said to her: ", "Él le dijo a ella: ") and prefixes(
        "I", "none"
    ) == (
        "I said: ",
        "Yo dije: ",
    )


def test_the_arms_tell_the_same_sentences_plain_or_by_a_speaker_who_says_nothing_of_the_form():
    stems, held = stems_and_held()
    right, plain, shuffled = (
        made_examples(sentences(), stems, held, 880, arm, rng=np.random.default_rng(0))
        for arm in ("right", "plain", "shuffled")
    )
    assert [e.english for e in plain] == [
        e.english.removeprefix(prefixes(e.speaker, e.audience)[0]) for e in right
    ]
    assert [e.form for e in plain] == [e.form for e in right] == [e.form for e in shuffled]
    assert not any(" dijo" in e.spanish or " said" in e.english for e in plain)
    for audience in ("none", "him", "her", "them"):
        counts = {
            (speaker, form): sum(
                (e.speaker, e.audience, e.form) == (speaker, audience, form) for e in shuffled
            )
            for speaker in ("he", "she")
            for form in "mf"
        }
        assert counts["he", "f"] == counts["she", "m"] and counts["he", "m"] == counts["she", "f"]
        assert sum(counts.values()) > 80 and counts["he", "f"] / sum(
            counts.values()
        ) == pytest.approx(0.25, abs=0.06)
    for e in shuffled:
        said, dicho = prefixes(e.speaker, e.audience)
        assert e.english.startswith(said) and e.spanish.startswith(dicho)


@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_forms_that_the_grammar_finds_are_read_alike_by_the_one_that_judges_outputs():
    pairs = read_pairs()
    stems = adjectives(pairs)
    names = {"f": "feminine", "m": "masculine"}
    spoken = [
        (names[form], speaker_marking(spanish).gender)
        for english, spanish in pairs
        if english.startswith(("I ", "I'")) and (form := form_of(spanish, stems))
    ]
    assert len(spoken) > 1500 and sum(one == other for one, other in spoken) > 0.995 * len(spoken)
