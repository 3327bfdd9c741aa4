"""Sentences of our own: complete, each with its twin, and worded so that no model of words sees a value in them."""

import pytest

from lib.text_classification.sentiment.lexicons import Vader, opinion_lexicon, valued_words
from lib.text_classification.sentiment.templates import CONTROL, FRAMES, PAIRS, own_sentences

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
