"""Files that hold some of the same vectors: what one of them lacks may be drawn from the other."""

from __future__ import annotations

import numpy as np

from lib.embeddings import Embedding

FEWEST = 20  # words in both files, below which equal vectors prove nothing


def same_vectors(first: Embedding, second: Embedding) -> bool:
    """Whether two files are rows of the same vectors: every word in both, 20 or more of them, has one vector, to the bit."""
    if first.vectors.shape[1] != second.vectors.shape[1]:
        return False
    both = [word for word in first.words if word in second]
    return len(both) >= FEWEST and bool(
        np.array_equal(first.rows(both).vectors, second.rows(both).vectors)
    )
