"""Lists of words as models: their values, what they see, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from lib.text_classification.sentiment.lexicons import Vader, WordList, opinion_lexicon, words_of

LIST = WordList("a list", "here", {"good": 1.0, "fine": 1.0, "dull": -1.0})
WORDS = st.lists(st.sampled_from(["good", "fine", "dull", "day", "the"]), min_size=1)


def test_vader_is_the_package_on_another_scale():
    texts = ["She is not a bad nurse!", "GREAT film", "A clerk."]
    compound = [SentimentIntensityAnalyzer().polarity_scores(text)["compound"] for text in texts]
    np.testing.assert_allclose(Vader().positive(texts), (1 + np.array(compound)) / 2)
    assert Vader().positive(texts)[2] == 0.5


@given(WORDS)
def test_a_list_gives_the_share_of_positive_words(words):
    positive = sum(word in ("good", "fine") for word in words)
    negative = words.count("dull")
    share = positive / (positive + negative) if positive + negative else 0.5
    assert LIST.positive([" ".join(words)])[0] == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's a well-known, OLD film…", ["it's", "a", "well-known", "old", "film"]),
        ("naïve – 2 plus_ones", ["naïve", "2", "plus", "ones"]),
        ("?!", []),
    ],
)
def test_words_of_a_text(text, words):
    assert words_of(text) == words


@pytest.mark.sample("nltk_opinion_lexicon")
def test_the_opinion_lexicon_has_the_sizes_of_its_authors():
    """2,006 and 4,783 entries, three of them on both lists."""
    values = list(opinion_lexicon().values.values())
    assert (values.count(1.0), values.count(-1.0)) == (2003, 4780)
    assert opinion_lexicon().positive(["a dreadful bore", "a clerk", "superb"]).tolist() == [
        0,
        0.5,
        1,
    ]
