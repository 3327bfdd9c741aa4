"""Nulls of the multiclass scores: held against each score of its own kind, and level at 5 %."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.embeddings import load_embedding
from lib.lexicons import word_list
from studies.multiclass.scores import (
    MEASURES,
    bias_scores,
    drawn_scores,
    random_class_scores,
    random_directions,
    reached_by,
    scattered_score,
    words_beyond,
)

rng = np.random.default_rng(0)
WORDS = rng.standard_normal((20, 8))


@pytest.mark.parametrize("measure", MEASURES)
def test_many_draws_at_once_are_the_scores_of_each(measure):
    count = 2 if measure == "baseline gender polarity" else 4
    sets = rng.standard_normal((7, count, 8))
    each = [bias_scores(measure, WORDS, classes) for classes in sets]
    assert np.allclose(drawn_scores(measure, WORDS, sets), each)


@pytest.mark.parametrize("measure, count", [("one-vs-one", 2), ("one-vs-rest", 5)])
def test_random_directions_give_what_geometry_says(measure, count):
    words = rng.standard_normal((200, 100))
    null = drawn_scores(measure, words, random_directions(count, 100, 200, rng=1)).mean()
    assert null == pytest.approx(scattered_score(measure, count, 100), rel=0.03)


def test_a_word_is_held_against_its_own_null():
    null = np.array([[0.0, 10.0], [1.0, 11.0], [2.0, 12.0]])
    found = words_beyond([1.5, 11.99], null, central=0.5)
    assert found.low.tolist() == [0.5, 10.5] and found.high.tolist() == [1.5, 11.5]
    assert found.share == 0.5  # the first lies on its end, not beyond
    assert found.p == 0.5  # of three draws one puts half of the words beyond or more


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_the_share_of_draws_is_a_p_value(draws, seed):
    values = np.random.default_rng(seed).permutation(draws + 1)
    ps = [reached_by(value, np.delete(values, place)) for place, value in enumerate(values)]
    assert sorted(ps) == pytest.approx([(k + 1) / (draws + 1) for k in range(draws + 1)])


def test_the_null_of_a_maximum_rejects_five_percent_where_nothing_is_there():
    """The largest of five against the largest of five; against a single one it would be 12 %."""
    words, seeds = rng.standard_normal((60, 50)), np.random.default_rng(3)
    beyond, single = [], []
    for _ in range(100):
        sets = seeds.standard_normal((200, 5, 50))
        scores = drawn_scores("one-vs-rest", words, sets)
        beyond.append(words_beyond(scores[0], scores[1:], central=0.9).share)
        single.append((scores[0] > 1.96 / np.sqrt(50)).mean())
    assert 0.03 < np.mean(beyond) < 0.07
    assert np.mean(single) > 0.09


def test_random_class_words_are_found_in_five_percent_of_tests_on_real_vectors():
    e = load_embedding("minilm")
    jobs = e.rows(word_list("occupations/occupations"), missing="drop").vectors
    plain = e.rows([word for word in e.words if word.isalpha() and len(word) > 2]).vectors
    null = random_class_scores("one-vs-rest", jobs, plain, 5, 4000, rng=0)
    tests = random_class_scores("one-vs-rest", jobs, plain, 5, 1000, rng=1)
    rejected = np.mean([reached_by(value, null) <= 0.05 for value in tests])
    assert 0.03 < rejected < 0.07
