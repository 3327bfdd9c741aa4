"""Analogies along many axes: those of the solver, and bad axes."""

import numpy as np
import pytest

from lib.measures.analogies import solve_analogies
from lib.measures.analogy_controls import answers_along

SPACE = np.random.default_rng(0).standard_normal((60, 8))


def test_each_axis_answers_as_the_solver_does():
    axes, rows = [[0, 1], [1, 0], [2, 3]], np.arange(10, 20)
    found = answers_along(axes, rows, SPACE)
    for answers, (first, second) in zip(found, axes):
        asked = [[row, first, second] for row in rows]
        expected = solve_analogies(SPACE[first], SPACE[second], SPACE[rows], SPACE, asked)
        assert answers.tolist() == expected.tolist()


def test_a_word_near_its_question_is_the_answer_along_every_axis():
    space = SPACE.copy()
    space[50] = 20 * space[10] + 0.01 * SPACE[51]
    axes = [[row, row + 1] for row in range(0, 8, 2)]
    close = space / np.linalg.norm(space, axis=1, keepdims=True)
    small = close.copy()
    small[1:8:2] = small[0:8:2] + 0.01 * small[1:8:2]  # a and b all but the same
    assert (answers_along(axes, [10], small) == 50).all()


def test_axes_are_pairs_of_rows():
    with pytest.raises(ValueError, match=r"axes: expected \(p, 2\)"):
        answers_along([0, 1], [2], SPACE)
