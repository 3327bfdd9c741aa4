"""Word analogies, and how alike random words are: what an answer to "a is to x as b is to ?" has to be compared with."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.measures.word_bias import Array, neighbours


def solve(
    first: ArrayLike, second: ArrayLike, third: ArrayLike, vocabulary: ArrayLike, exclude: ArrayLike
) -> NDArray[np.int64]:
    """Answers to "first is to third as second is to ?" by 3CosAdd: the word nearest to third - first + second.

    first, second, third : (n, d) vectors of the question words, one question a row ((d,) serves all questions);
    vocabulary : (m, d); exclude : (n, e) rows of the vocabulary that may not be the answer, -1 for none.
    Returns (n,) rows of vocabulary. Vectors are scaled to length 1 before they are added.
    Raises ValueError when shapes disagree or a vector has no direction.
    Levy & Goldberg (2014), 3CosAdd, as in Zhang, Sneyd & Stevenson (2020), equation 1.
    """
    third, exclude = np.atleast_2d(third), np.atleast_2d(exclude)
    if len(exclude) != len(third):
        raise ValueError(
            f"exclude: expected a row for each of {len(third)} questions, got {len(exclude)}"
        )
    first, second, third = (_lengths_of_one(vectors) for vectors in (first, second, third))
    nearest = neighbours(
        third - first + second, vocabulary, min(exclude.shape[1] + 1, len(vocabulary))
    )
    allowed = ~(nearest[:, :, None] == exclude[:, None, :]).any(axis=2)
    if not allowed.any(axis=1).all():
        raise ValueError(
            f"vocabulary: expected more words than are excluded, got {len(vocabulary)} and {exclude.shape[1]}"
        )
    return nearest[np.arange(len(nearest)), allowed.argmax(axis=1)]


def random_cosines(
    vocabulary: ArrayLike, draws: int = 100_000, *, differences: bool = False, rng=None
) -> Array:
    """Cosines of random pairs of words, or of the differences of random pairs of words.

    vocabulary : (m, d); draws : how many; differences : False for cos(a, b), True for cos(a - b, c - d), all words of a
    draw different. Returns (draws,) in [-1, 1].
    Raises ValueError for fewer words than one draw takes.
    Zhang, Sneyd & Stevenson (2020), footnotes 5 and 6.
    """
    vocabulary, generator, many = (
        np.asarray(vocabulary),
        np.random.default_rng(rng),
        4 if differences else 2,
    )
    if len(vocabulary) < many:
        raise ValueError(
            f"vocabulary: expected at least {many} words to draw from, got {len(vocabulary)}"
        )
    found = []
    for start in range(0, draws, 10_000):
        size = min(10_000, draws - start)
        rows = generator.integers(len(vocabulary), size=(size, many))
        while (twice := (np.diff(np.sort(rows, axis=1), axis=1) == 0).any(axis=1)).any():
            rows[twice] = generator.integers(len(vocabulary), size=(twice.sum(), many))
        sides = vocabulary[rows[:, : many // 2]], vocabulary[rows[:, many // 2 :]]
        left, right = (side[:, 0] - side[:, 1] if differences else side[:, 0] for side in sides)
        found.append((_lengths_of_one(left) * _lengths_of_one(right)).sum(axis=1))
    return np.concatenate(found)


def _lengths_of_one(vectors: ArrayLike) -> Array:
    vectors = np.asarray(vectors)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if not (lengths > 0).all():
        raise ValueError(
            "expected vectors with a direction, got one of zero length or with NaN; leave that word out"
        )
    return vectors / lengths
