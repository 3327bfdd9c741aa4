"""Analogies: closed forms, the textbook analogy, and those along other axes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.embeddings import load_embedding
from studies.base_pair_stability import analogies


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


SPACE = np.random.default_rng(0).standard_normal((60, 8))


def test_each_axis_answers_as_the_solver_does():
    axes, rows = [[0, 1], [1, 0], [2, 3]], np.arange(10, 20)
    found = analogies.answers_along(axes, rows, SPACE)
    for answers, (first, second) in zip(found, axes):
        asked = [[row, first, second] for row in rows]
        expected = analogies.solve_analogies(SPACE[first], SPACE[second], SPACE[rows], SPACE, asked)
        assert answers.tolist() == expected.tolist()


def test_a_word_near_its_question_is_the_answer_along_every_axis():
    space = SPACE.copy()
    space[50] = 20 * space[10] + 0.01 * SPACE[51]
    axes = [[row, row + 1] for row in range(0, 8, 2)]
    close = space / np.linalg.norm(space, axis=1, keepdims=True)
    small = close.copy()
    small[1:8:2] = small[0:8:2] + 0.01 * small[1:8:2]  # a and b all but the same
    assert (analogies.answers_along(axes, [10], small) == 50).all()
