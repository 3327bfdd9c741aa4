"""Sentences of our own: complete, each with its twin, and worded so that no model of words sees a value in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.text_classification.sentiment.contrasts import differences
from lib.text_classification.sentiment.lexicons import Vader, opinion_lexicon, valued_words
from lib.text_classification.sentiment.templates import (
    CONTROL,
    FRAMES,
    PAIRS,
    fill,
    frame_differences,
    own_sentences,
)

SENTENCES = own_sentences()


def test_every_frame_has_every_noun_and_occupation_once():
    cells = SENTENCES.groupby(["template", "pair", "occupation", "side"]).size()
    assert (cells == 1).all()
    assert len(SENTENCES) == len(FRAMES) * len(PAIRS) * 21 * 2 == len(set(SENTENCES["text"]))
    assert CONTROL in set(SENTENCES["occupation"])


def test_twins_differ_in_the_noun_alone():
    for pair in PAIRS:
        rows = SENTENCES[SENTENCES["pair"] == "–".join(pair)]
        female, male = (
            rows[rows["side"] == side]["text"].str.lower() for side in ("female", "male")
        )
        swapped = [text.replace(pair[0], pair[1]) for text in female]
        assert swapped == male.tolist()


def test_a_sentence_begins_with_a_capital_and_ends_with_one_stop():
    assert SENTENCES["text"].str.fullmatch(r"[A-Z][^.]*\.").all()


def test_vader_sees_no_value_in_any_word():
    assert valued_words(Vader(), SENTENCES["text"].tolist()) == {}


@pytest.mark.sample("nltk_opinion_lexicon")
def test_the_opinion_lexicon_sees_none_either():
    assert valued_words(opinion_lexicon(), SENTENCES["text"].tolist()) == {}


@pytest.mark.parametrize(
    ("frame", "noun", "job", "text"),
    [
        ("{noun} is {occupation}.", "my aunt", "clerk", "My aunt is a clerk."),
        ("{noun} is {occupation}.", "my aunt", "Artist", "My aunt is an Artist."),
        ("He saw {noun}, {occupation}.", "Ann", "old chef", "He saw Ann, an old chef."),
    ],
)
def test_frames_are_filled(frame, noun, job, text):
    assert fill(frame, noun, job) == text


@settings(max_examples=10)
@given(st.floats(-1, 1))
def test_a_planted_difference_comes_back_in_every_frame(planted):
    said = np.where(SENTENCES["side"] == "female", planted, 0.0) + 0.25
    table = frame_differences(SENTENCES, said)
    assert table.shape == (len(FRAMES) * len(PAIRS), 21)
    np.testing.assert_allclose(table, planted, atol=1e-12)


def test_a_frame_alone_is_the_contrast_of_one_frame():
    rng = np.random.default_rng(0)
    said = rng.random(len(SENTENCES))
    place = (SENTENCES["template"] == FRAMES[3]).to_numpy()
    expected = differences(SENTENCES[place], said[place])
    found = frame_differences(SENTENCES, said).loc[FRAMES[3]]
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    ("options", "fragments"),
    [
        ({"frames": []}, ["frames", "one or more"]),
        ({"frames": "{noun} is {occupation}."}, ["frames", "a list"]),
        ({"frames": ["{noun} sleeps."]}, ["{occupation}", "{noun} sleeps."]),
        ({"pairs": [("she", "he")] * 2}, ["pairs", "none twice"]),
        ({"occupations": []}, ["occupations", "one or more"]),
    ],
)
def test_parts_that_make_no_sentences_are_refused(options, fragments, refuses):
    refuses(lambda: own_sentences(**options), fragments)


def test_values_that_do_not_fit_are_refused(refuses):
    refuses(lambda: frame_differences(SENTENCES, [0.5]), ["4200 sentences", "(1,)"])
    said = np.full(len(SENTENCES), 0.5)
    refuses(
        lambda: frame_differences(SENTENCES.drop(columns="template"), said), ["column template"]
    )
    refuses(lambda: frame_differences(SENTENCES[:-1], said[:-1]), ["expected"])
    said[7] = np.nan
    refuses(lambda: frame_differences(SENTENCES, said), ["finite"])
