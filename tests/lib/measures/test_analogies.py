"""Analogies and random cosines: closed forms, the textbook analogy, properties, and what bad input says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.embeddings import load_embedding
from lib.measures import analogies


def test_the_answer_is_the_word_at_the_end_of_the_parallelogram():
    words = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1], [0.2, 0.2, 1]])
    assert analogies.solve_analogies(words[0], words[1], words[2], words, [[0, 1, 2]]).tolist() == [
        3
    ]


def test_question_words_may_not_be_the_answer_unless_they_are_allowed():
    words = np.array([[1.0, 0.1], [1.0, 0.0], [0.0, 1.0]])
    question = words[0], words[0], words[1]
    assert analogies.solve_analogies(*question, words, [[-1]]).tolist() == [1]
    assert analogies.solve_analogies(*question, words, [[1]]).tolist() == [0]


def test_minilm_says_apples():
    e = load_embedding("minilm")
    rows = [e.words.index(word) for word in ("man", "woman", "apple")]
    found = analogies.solve_analogies(*e.vectors[rows], e.vectors, [rows])
    assert e.words[found[0]] == "apples"


@settings(max_examples=30)
@given(st.integers(0, 9999))
def test_the_answer_has_the_largest_cosine_of_all_allowed_words(seed):
    rng = np.random.default_rng(seed)
    words = rng.standard_normal((30, 5))
    unit = words / np.linalg.norm(words, axis=1, keepdims=True)
    a, b, x = rng.integers(0, 30, 3)
    cosines = unit @ (unit[x] - unit[a] + unit[b])
    cosines[[a, b, x]] = -np.inf
    assert (
        analogies.solve_analogies(words[a], words[b], words[x], words, [[a, b, x]])[0]
        == cosines.argmax()
    )


def test_random_cosines_of_random_directions_have_the_known_spread():
    vocabulary = np.random.default_rng(0).standard_normal((4000, 50))
    for differences in (False, True):
        found = analogies.random_cosines(vocabulary, 25_000, differences=differences, rng=1)
        assert found.shape == (25_000,)
        assert abs(found.mean()) < 0.005
        assert found.std() == pytest.approx(1 / np.sqrt(50), rel=0.03)


def test_random_cosines_never_pair_a_word_with_itself():
    assert np.allclose(analogies.random_cosines(np.eye(2), 500, rng=0), 0)


BAD = {
    "a vector of zero length": (
        lambda: analogies.solve_analogies(np.zeros(2), np.ones(2), np.ones(2), np.eye(2), [[-1]]),
        ["direction", "leave"],
    ),
    "exclusions of other questions": (
        lambda: analogies.solve_analogies(
            np.ones(2), np.ones(2), np.ones((2, 2)), np.eye(2), [[-1]]
        ),
        ["exclude", "2 questions"],
    ),
    "everything excluded": (
        lambda: analogies.solve_analogies(*np.eye(3)[:, :2][[0, 1, 0]], np.eye(2), [[0, 1]]),
        ["more words than are excluded"],
    ),
    "one word to draw from": (
        lambda: analogies.random_cosines(np.ones((1, 2))),
        ["at least 2", "1"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses):
    refuses(*BAD[case])
