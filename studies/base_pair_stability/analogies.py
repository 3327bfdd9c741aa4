"""Word analogies by 3CosAdd, and the same questions along other axes as their control."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, unmasked, vectors
from lib.inference.random_words import random_cosines
from lib.measures import neighbours

__all__ = ["answers_along", "random_cosines", "solve_analogies"]


def solve_analogies(
    first: ArrayLike, second: ArrayLike, third: ArrayLike, vocabulary: ArrayLike, exclude: ArrayLike
) -> NDArray[np.int64]:
    """Rows (n,) of the vocabulary (m, d) that answer "first is to third as second is to ?": nearest to third - first + second.

    3CosAdd of Levy & Goldberg (2014), as in equation 1; vectors (n, d), or (d,) for all questions, are scaled to length 1
    first. `exclude` (n, e) are rows that may not be the answer, -1 for none.
    """
    names, questions = ("first", "second", "third"), (first, second, third)
    first, second, third = (
        unit_rows(name, np.atleast_2d(rows)) for name, rows in zip(names, questions)
    )
    vocabulary, exclude = (
        vectors("vocabulary", vocabulary),
        np.atleast_2d(unmasked("exclude", exclude)),
    )
    if len(exclude) != len(third):
        raise ValueError(
            f"exclude: expected a row for each of {len(third)} questions, got {len(exclude)}"
        )
    k = min(exclude.shape[1] + 1, len(vocabulary))
    nearest = neighbours(third - first + second, vocabulary, k)
    allowed = ~(nearest[:, :, None] == exclude[:, None, :]).any(axis=2)
    if not allowed.any(axis=1).all():
        raise ValueError(
            "vocabulary: expected more words than are excluded, "
            f"got {len(vocabulary)} and {exclude.shape[1]}"
        )
    answers: NDArray[np.int64] = nearest[np.arange(len(nearest)), allowed.argmax(axis=1)]
    return answers


def answers_along(
    axes: ArrayLike, questions: ArrayLike, vocabulary: ArrayLike
) -> NDArray[np.int64]:
    """Answers (p, n), rows of the vocabulary (m, d), to "a is to x as b is to ?" for every axis (a, b) and every x.

    `axes` (p, 2) are rows of a and b: man and woman, or day and night as a control; `questions` (n,) rows of x. The answer
    is never a, b or x.
    """
    space, rows = (
        vectors("vocabulary", vocabulary),
        np.asarray(unmasked("questions", questions), np.int64),
    )
    pairs = unmasked("axes", axes)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"axes: expected (p, 2) rows of the vocabulary, got {pairs!r}")
    answers = np.empty((len(pairs), len(rows)), np.int64)
    for number, (first, second) in enumerate(pairs):
        asked = np.column_stack([rows, np.full_like(rows, first), np.full_like(rows, second)])
        answers[number] = solve_analogies(space[first], space[second], space[rows], space, asked)
    return answers
