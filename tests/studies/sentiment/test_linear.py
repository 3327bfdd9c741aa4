"""The bag of words: logits written out, a difference that is the sum of its parts, and random words in place of nouns."""

import numpy as np
import pandas as pd
import pytest

from studies.sentiment.contrasts import differences
from studies.sentiment.linear import (
    decompose,
    noun_scores,
    random_noun_differences,
    train_words,
)

TEXTS = [
    "a good woman in a fine film",
    "the man tells a dull joke",
    "this lady is great fun",
    "a bad film about a boy",
    "the woman and the boy are good",
    "a clerk is a dull man",
    "this girl is bad at her job",
    "a fine baker and a great chef",
] * 3
LABELS = [1, 0, 1, 0, 1, 0, 0, 1] * 3
PAIRS = [("woman", "man"), ("girl", "boy"), ("spinster", "bachelor")]
OCCUPATIONS = ["baker", "chef", "truck driver"]


@pytest.fixture(scope="module")
def model():
    return train_words(TEXTS, LABELS)


def twins(pairs=PAIRS, occupations=OCCUPATIONS):
    rows = [
        (f"This {noun} is a {job}.", "–".join(pair), side, job)
        for pair in pairs
        for job in occupations
        for side, noun in zip(("female", "male"), pair)
    ]
    return pd.DataFrame(rows, columns=["text", "pair", "side", "occupation"])


def by_hand(model, words):
    """Probability of positive for a list of words, each weighted by its tf-idf and the whole of length 1."""
    vectoriser, regression = model[0], model[-1]
    idf = dict(zip(vectoriser.get_feature_names_out(), vectoriser.idf_))
    weight = dict(zip(vectoriser.get_feature_names_out(), regression.coef_[0]))
    known = {word: words.count(word) * idf[word] for word in words if word in idf}
    length = np.sqrt(sum(value**2 for value in known.values()))
    logit = sum(weight[word] * value for word, value in known.items()) / (length or 1)
    return 1 / (1 + np.exp(-logit - regression.intercept_[0]))


@pytest.mark.parametrize("text", ["this woman is a baker", "dull dull film"])
def test_its_probability_is_a_sum_over_words(text, model):
    words = [word for word in text.split() if len(word) > 1]
    assert model.predict_proba([text])[0, 1] == pytest.approx(by_hand(model, words))


def test_the_parts_sum_to_the_mean_difference(model):
    sentences = twins()
    said = model.predict_proba(sentences["text"])[:, 1]
    mean = differences(sentences, said).to_numpy().mean()
    parts = decompose(model, sentences)
    assert parts.difference == pytest.approx(mean, abs=1e-12)
    assert parts.nouns["value"].sum() + parts.shared.sum() == pytest.approx(mean, abs=1e-12)


def test_scores_of_words_are_those_of_their_sentences(model):
    scores = noun_scores(model, OCCUPATIONS)
    for word in ("woman", "man", "dull", "girl"):
        texts = [f"This {word} is a {job}." for job in OCCUPATIONS]
        assert scores[word] == pytest.approx(model.predict_proba(texts)[:, 1].mean())
    texts = [f"This spinster is a {job}." for job in OCCUPATIONS]
    assert scores[""] == pytest.approx(model.predict_proba(texts)[:, 1].mean())


def test_the_difference_beside_the_null_is_that_of_the_sentences(model):
    sentences = twins()
    expected = differences(sentences, model.predict_proba(sentences["text"])[:, 1])
    found, null = random_noun_differences(model, TEXTS, PAIRS, OCCUPATIONS, draws=50, rng=0)
    assert found == pytest.approx(expected.to_numpy().mean())
    assert null.shape == (50,)
    assert null.std() > 0
    again = random_noun_differences(model, TEXTS, PAIRS, OCCUPATIONS, draws=50, rng=0)[1]
    np.testing.assert_array_equal(null, again)
