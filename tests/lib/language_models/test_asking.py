"""A model asked how texts go on: the arrays are those of one question at a time."""

import numpy as np
import pytest

from lib.language_models.asking import begun_after, filled, of_subjects, of_words, other_start
from lib.language_models.causal_scores import CausalLanguageModel, sentence_log_odds
from lib.lexicons import load_lexicon

WORDS = ["nurse", "queen", "doctor"]


@pytest.fixture(scope="module")
def model(tiny_gguf):
    return CausalLanguageModel(str(tiny_gguf), "cpu")


def test_a_beginning_gets_its_word_and_a_capital():
    assert filled("the {word} said that", word="nurse") == "The nurse said that"
    assert filled("{subject} was hired as the", subject="the woman") == "The woman was hired as the"


def test_each_cell_is_what_one_question_gives(model):
    texts = ["the {word} said that", "I asked the {word} whether"]
    found = of_words(model, WORDS, texts, ["she", "he"])
    alone = model.log_probabilities(["I asked the queen whether he"], ["I asked the queen whether"])
    assert found.shape == (3, 2, 2) and found[1, 1, 1] == pytest.approx(alone[0], abs=1e-4)


def test_odds_behind_a_subject_and_of_its_opening_add_up_to_those_of_whole_texts(model):
    openings, pairs = ["{subject} was hired as the", "{subject} knew the"], [("she", "he")]
    odds, start = of_subjects(model, WORDS, openings, pairs)
    whole = sentence_log_odds(model, ["She was hired as the queen"], ["He was hired as the queen"])
    assert odds.shape == (3, 2, 1) and start.shape == (2, 1)
    assert odds[1, 0, 0] + start[0, 0] == pytest.approx(whole[0], abs=1e-4)


def test_the_other_start_is_that_of_a_model_begun_there(model, tiny_gguf):
    mark = other_start(model)
    assert (model.start, mark) == ("<|endoftext|>", "<|im_start|>")
    moved = begun_after(model, mark)
    there = CausalLanguageModel(str(tiny_gguf), "cpu", start=mark)
    texts = ["she said"]
    assert moved.log_probabilities(texts) == pytest.approx(there.log_probabilities(texts))
    assert moved.source == there.source and model.start == "<|endoftext|>"


def test_our_beginnings_stop_where_a_pronoun_can_stand_and_say_no_gender():
    asked = load_lexicon("language_models")
    gendered = {"she", "he", "her", "his", "him", "woman", "man"}
    for text in asked["beginnings"]:
        assert text.count("{word}") == 1 and not gendered & set(text.lower().split())
    assert len(asked["beginnings"]) == 7
    assert all(text.count("{possessive}") == 1 for text in asked["stated"])
    assert np.shape(asked["subject_pairs"]) == (6, 2)
