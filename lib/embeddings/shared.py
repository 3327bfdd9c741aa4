"""Files that hold some of the same vectors: what one of them lacks may be drawn from the other."""

from __future__ import annotations

import numpy as np

from lib.embeddings.embedding import Embedding

FEWEST = 20  # words in both files, below which equal vectors prove nothing


def same_vectors(first: Embedding, second: Embedding) -> bool:
    """Whether two files are rows of the same vectors: every word in both has one vector, to the bit.

    Parameters
    ----------
    first, second : Embedding
        The files, with 20 words in common or more.

    Returns
    -------
    bool
        False also where too few words are in both, or vectors have other lengths.

    Examples
    --------
    >>> words = [f"word{number}" for number in range(30)]
    >>> whole = Embedding(words, np.arange(90.0).reshape(30, 3) + 1)
    >>> part = Embedding(words[5:], whole.vectors[5:])
    >>> same_vectors(whole, part), same_vectors(whole, Embedding(words, 2 * whole.vectors))
    (True, False)
    """
    if first.vectors.shape[1] != second.vectors.shape[1]:
        return False
    both = [word for word in first.words if word in second]
    return len(both) >= FEWEST and bool(
        np.array_equal(first.rows(both).vectors, second.rows(both).vectors)
    )
