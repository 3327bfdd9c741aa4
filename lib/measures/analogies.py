"""Word analogies, and how alike random words are, with which an analogy has to be compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, unmasked, vectors
from lib.measures.nearest import neighbours

BATCH = 10_000  # draws at a time


def solve_analogies(
    first: ArrayLike, second: ArrayLike, third: ArrayLike, vocabulary: ArrayLike, exclude: ArrayLike
) -> NDArray[np.int64]:
    """Answers to "first is to third as second is to ?": nearest to third - first + second
    (3CosAdd).

    Parameters
    ----------
    first, second, third : array_like of shape (n, d)
        Vectors of the question words, one question a row; (d,) serves all questions.
    vocabulary : array_like of shape (m, d)
        Vectors of the words that may answer.
    exclude : array_like of int of shape (n, e)
        Rows of the vocabulary that may not be the answer, -1 for none.

    Returns
    -------
    ndarray of int of shape (n,)
        Rows of the vocabulary. Vectors are scaled to length 1 before they are added.

    Raises
    ------
    ValueError
        When shapes disagree or a vector has no direction.

    References
    ----------
    .. [1] Levy & Goldberg (2014), 3CosAdd, as in Zhang, Sneyd & Stevenson (2020), equation 1.

    Examples
    --------
    >>> words = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1]])
    >>> solve_analogies(words[0], words[1], words[2], words, exclude=[[0, 1, 2]])
    array([3])
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


def random_cosines(
    vocabulary: ArrayLike,
    draws: int = 100_000,
    *,
    differences: bool = False,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.floating]:
    """Cosines of random pairs of words, or of the differences of random pairs of words.

    Parameters
    ----------
    vocabulary : array_like of shape (m, d)
        Vectors of the words to draw from.
    draws : int
        How many cosines.
    differences : bool
        False for cos(a, b), True for cos(a - b, c - d); all words of a draw are different.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (draws,)
        In [-1, 1].

    Raises
    ------
    ValueError
        For fewer words than one draw takes.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), footnotes 5 and 6.

    Examples
    --------
    >>> random_cosines([[1, 0], [0, 1]], draws=3, rng=0)
    array([0., 0., 0.])
    """
    width = 4 if differences else 2
    vocabulary = vectors("vocabulary", vocabulary, at_least=width)
    generator = np.random.default_rng(rng)
    cosines = []
    for start in range(0, draws, BATCH):
        size = min(BATCH, draws - start)
        rows = generator.integers(len(vocabulary), size=(size, width))
        while (repeated := (np.diff(np.sort(rows, axis=1), axis=1) == 0).any(axis=1)).any():
            rows[repeated] = generator.integers(len(vocabulary), size=(repeated.sum(), width))
        words = vocabulary[rows]
        if differences:
            words = np.stack([words[:, 0] - words[:, 1], words[:, 2] - words[:, 3]], axis=1)
        left, right = words[:, 0], words[:, 1]
        cosines.append((unit_rows("vocabulary", left) * unit_rows("vocabulary", right)).sum(axis=1))
    return np.concatenate(cosines)
