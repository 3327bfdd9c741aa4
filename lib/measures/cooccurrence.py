"""How often two words stand near each other in a text.

Counts are pairs of positions at most `window` words apart, both directions, so that they are
exactly the pairs on which skip-gram with negative sampling trains when its window does not shrink
and no word is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lib.checks import unmasked


def cooccurrences(
    texts: Iterable[ArrayLike],
    size: int,
    window: int = 5,
    *,
    weighted: bool = False,
    block: int = 2**21,
) -> sparse.csr_matrix:
    """How often each two words stand at most `window` places apart in one text.

    Parameters
    ----------
    texts : iterable of array_like of int
        Word numbers below `size`, text by text; a number below 0 is a place that holds no word. No
        window reaches from one text to the next.
    size : int
        The number of words, m.
    window : int
        The largest distance that counts.
    weighted : bool
        Whether two words d places apart count 1/d, as for GloVe [1]_, and not 1.
    block : int
        How many positions are counted at a time, which bounds the memory; without effect on counts,
        and on weights but for rounding.

    Returns
    -------
    sparse matrix of shape (m, m)
        Symmetric: int64 counts, or float32 weights. A word beside itself counts from both sides.

    Raises
    ------
    ValueError
        For a number that is no word's, and for a window or block below 1.

    References
    ----------
    .. [1] Pennington, Socher & Manning (2014), "GloVe: global vectors for word representation".

    Examples
    --------
    >>> cooccurrences([[0, 1, 2, 1]], size=3, window=1).toarray()
    array([[0, 1, 0],
           [1, 0, 2],
           [0, 2, 0]])
    """
    if window < 1 or block < 1:
        raise ValueError(
            f"expected a window and a block of 1 or more, got window={window}, block={block}"
        )
    kind = np.float32 if weighted else np.int64
    counts = sparse.csr_matrix((size, size), dtype=kind)
    for words, text in _blocks(texts, block):
        if len(words) and words.max() >= size:
            raise ValueError(
                f"expected word numbers from 0 to {size - 1}, got {words.min()} to {words.max()}"
            )
        for apart in range(1, min(window, len(words) - 1) + 1):
            left, right = words[:-apart], words[apart:]
            paired = (text[apart:] == text[:-apart]) & (left >= 0) & (right >= 0)
            weights = np.full(paired.sum(), 1 / apart if weighted else 1, kind)
            pairs = sparse.coo_matrix((weights, (left[paired], right[paired])), shape=(size, size))
            counts = counts + pairs.tocsr()
    return (counts + counts.T).tocsr()


def _blocks(
    texts: Iterable[ArrayLike], block: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Whole texts joined until a block is full, and the number of the text of each position."""
    joined: list[NDArray[np.int64]] = []
    for text in texts:
        joined.append(np.asarray(unmasked("texts", text), np.int64))
        if sum(map(len, joined)) >= block:
            yield _joined(joined)
            joined = []
    if joined:
        yield _joined(joined)


def _joined(texts: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    lengths = [len(text) for text in texts]
    return np.concatenate(texts), np.repeat(np.arange(len(texts)), lengths)
