"""What the parameters take, and what they refuse and why."""

import pandas as pd
import pytest

from lib.language_models.causal_scores import CausalLanguageModel
from studies.language_models import options

SHARES = pd.Series({"welder": 0.04, "judge": 0.3, "tailor": 0.5, "teacher": 0.7, "nurse": 0.9})


def test_a_served_model_is_refused_and_sent_to_the_chapter_that_takes_it():
    with pytest.raises(ValueError, match="asked_to_choose takes it"):
        options.scored_model("model", "instructed:http://localhost:8000")
    assert options.scored_model("model", "smollm2") == "smollm2"


def test_words_of_one_s_own_stand_in_place_of_occupations_with_or_without_a_share():
    own = ("nurse", "astrologer", "welder")
    words, shares = options.chosen_words(own, SHARES, lambda word: word != "welder")
    assert words == ["nurse", "astrologer"] and shares.isna().tolist() == [False, True]


def test_a_number_of_occupations_spans_few_to_many_women():
    words, _ = options.chosen_words(3, SHARES, lambda word: True)
    assert words == ["welder", "tailor", "nurse"]
    assert len(options.chosen_words(99, SHARES, lambda word: word != "judge")[0]) == 4


def test_random_nouns_have_as_many_pieces_as_the_word_that_they_stand_for(tiny_causal_model):
    model = CausalLanguageModel(str(tiny_causal_model), "cpu")
    assert options.as_long_as("she", ["nurse", "doctor", "he nurse"], model) == ["nurse", "doctor"]
    assert options.as_long_as("she", ["he nurse", "he doctor"], model) == ["he nurse", "he doctor"]
