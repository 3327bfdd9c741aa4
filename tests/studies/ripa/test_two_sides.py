"""One text and its vectors: the same words and pairs on both sides, in the whole and in halves."""

import numpy as np
import pytest

from lib.measures import ripa
from studies.ripa.halves import alike
from studies.ripa.two_sides import read_two_sides

PAIRS = [("she", "he"), ("woman", "man"), ("mother", "father")]
WORDS = ["nurse", "teacher", "engineer", "queen", "king"]


@pytest.fixture(scope="module")
def corpus():
    return read_two_sides()


def test_both_sides_lean_alike(corpus):
    text = corpus.counted(WORDS, PAIRS).leans("prior")
    products = corpus.products(WORDS, PAIRS)
    assert text.shape == products.shape == (5, 3)
    assert alike(text, products) > 0.5 and text[3].mean() > text[4].mean()
    assert {"she", "he", "queen", "king", "day"} <= corpus.columns


def test_ripa_has_a_layer_for_each_training(corpus):
    run = corpus.trainings.repeats("a")[0]
    vectors = [corpus.trainings.vectors(words, run) for words in (WORDS, *zip(*PAIRS))]
    found = corpus.ripa(WORDS, PAIRS, "a")
    assert found.shape[1:] == (5, 3) and np.array_equal(found[0], ripa(*vectors))
    sides = corpus.halves(WORDS, PAIRS, "prior")
    assert list(sides) == ["text a", "text b", "vectors a", "vectors b"]
    assert sides["vectors a"] == pytest.approx(found.mean(axis=0))


def test_a_word_too_rare_for_one_half_has_no_vectors_there(corpus):
    assert corpus.in_both_halves("nurse") and not corpus.in_both_halves("blogger")
    assert not corpus.in_both_halves("no such word")


def test_lengths_are_those_of_differences(corpus):
    assert corpus.lengths(PAIRS).shape == (3,) and (corpus.lengths(PAIRS) > 0).all()
