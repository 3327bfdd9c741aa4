"""What the Spanish identifier and rewriter learn from, and a training of a few steps."""

import numpy as np
import pytest

from lib.translation.evaluation_sets import first_person_set
from scripts.train.reinflection import (
    Sentences,
    Settings,
    draw,
    labelled,
    read,
    save,
    train_characters,
    training_sentences,
)
from scripts.train.translator.direct_speech import Marked, holds

ILL = Marked("I'm ill.", "Estoy malo.", "Estoy mala.", "m", "mal")
TWO = Marked(
    "I'm tired and alone.", "Estoy cansado y solo.", "Estoy cansada y sola.", "m", "cansad"
)
SENTENCES = Sentences({"mal": [ILL], "cansad": [TWO]}, ["Ya voy.", "La casa es blanca."])


def test_a_batch_asks_for_both_genders_and_plain_sentences_stay():
    rows = draw(SENTENCES, Settings(batch=200), rng=np.random.default_rng(0))
    assert {asked for asked, _, _ in rows} == {"masculine", "feminine"}
    ends = {"masculine": "o", "feminine": "a"}
    for asked, sentence, wanted in rows:
        if sentence in SENTENCES.plain:
            assert wanted == sentence
        else:
            assert wanted.split()[1].rstrip(".")[-1] == ends[asked]
    plain = sum(sentence in SENTENCES.plain for _, sentence, _ in rows) / len(rows)
    assert 0.35 < plain < 0.65


def test_the_identifier_learns_from_both_forms_and_from_other_adjectives():
    found = dict(labelled(SENTENCES, 2, rng=np.random.default_rng(0)))
    assert found["Estoy malo."] == "masculine" and found["Estoy mala."] == "feminine"
    assert found["Ya voy."] == "neither" and "Estoy cansados." not in found


def test_a_training_of_a_few_steps_is_the_same_twice_and_is_read_as_it_was_written(tmp_path):
    settings = Settings(steps=3, batch=4, embedding=8, hidden=8)
    first, second = (train_characters(SENTENCES, settings) for _ in range(2))
    for name, weight in first.state_dict().items():
        assert (weight == second.state_dict()[name]).all()
    save(tmp_path / "seed0.safetensors", first, settings, 1.5)
    stored, metadata = read(tmp_path / "seed0.safetensors")
    assert metadata["letters"] == first.letters and metadata["cpu"] == "1.5"
    for name, weight in first.state_dict().items():
        assert (weight.half() == stored.state_dict()[name]).all()


@pytest.mark.sample
@pytest.mark.slow
def test_no_training_sentence_has_an_adjective_of_the_test():
    found, tested = training_sentences(), set(first_person_set()["form"])
    assert not tested & {f"{stem}o" for stem in found.marked}
    assert not any(holds(text, tested) for text in found.plain)
