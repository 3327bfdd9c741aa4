"""Analogies beside their controls: the same questions along other axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unmasked, vectors
from lib.measures.analogies import solve_analogies


def answers_along(
    axes: ArrayLike, questions: ArrayLike, vocabulary: ArrayLike
) -> NDArray[np.int64]:
    """Answers to "a is to x as b is to ?" for every axis (a, b) and every x, by 3CosAdd.

    Parameters
    ----------
    axes : array_like of int of shape (p, 2)
        Rows of a and b in the vocabulary: man and woman, or day and night as a control.
    questions : array_like of int of shape (n,)
        Rows of x.
    vocabulary : array_like of shape (m, d)
        Vectors of the words that may answer; never a, b or x themselves.

    Returns
    -------
    ndarray of int of shape (p, n)
        Rows of the vocabulary.

    Raises
    ------
    ValueError
        As `lib.measures.analogies.solve_analogies`, and for axes that are no pairs of rows.

    References
    ----------
    Zhang, Sneyd & Stevenson (2020), equation 1.

    Examples
    --------
    >>> words = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1]])
    >>> answers_along([[0, 1], [1, 0]], [2], words)
    array([[3],
           [3]])
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
