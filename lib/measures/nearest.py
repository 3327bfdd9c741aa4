"""The nearest words of each word, in exact order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, unit_rows, vectors

Array = NDArray[np.floating]
BLOCK = 1024  # words searched at a time at most


def neighbours(
    words: ArrayLike,
    neutral: ArrayLike,
    k: int = 100,
    *,
    metric: str = "cosine",
    exclude: ArrayLike | None = None,
    memory: int = 2**30,
) -> NDArray[np.int64]:
    """The k nearest neutral words of each word, nearest first, ties by index.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    neutral : array_like of shape (m, d)
        Vectors of the words to search.
    k : int
        How many neighbours, 1 to m.
    metric : {"cosine", "dot"}
        Nearness: the cosine, or the inner product of the vectors as given.
    exclude : array_like of int of shape (n,), optional
        The row of each word in `neutral`, which is no neighbour of its own; -1 for none.
    memory : int
        Bytes that scores may take at a time.

    Returns
    -------
    ndarray of int of shape (n, k)
        Row numbers of `neutral`.

    Raises
    ------
    ValueError
        When shapes disagree, the metric is unknown, or k exceeds the neutral words that are left.

    Notes
    -----
    One float32 matrix product per block of words, as in the search behind [1]_.

    References
    ----------
    .. [1] Gonen & Goldberg (2019), "Lipstick on a pig".

    Examples
    --------
    >>> neutral = [[0, 1], [1, 1], [3, 0]]
    >>> neighbours([[1, 0]], neutral, 2)
    array([[2, 1]])
    >>> neighbours([[1, 0]], neutral, 2, exclude=[2])
    array([[1, 0]])
    """
    words = vectors("words", words, at_least=0)
    neutral = vectors("neutral", neutral, dimensions=words.shape[1])
    own = _own_rows(exclude, len(words), len(neutral))
    available = len(neutral) - int((own >= 0).any())
    if not 1 <= k <= available:
        raise ValueError(
            f"k: expected 1 to {available} (the neutral words left to search), got {k}; "
            "lower k or add words"
        )
    one_of("metric", metric, ("cosine", "dot"))
    if metric == "cosine":
        words, neutral = unit_rows("words", words, at_least=0), unit_rows("neutral", neutral)
    blocks = list(_nearest_by_block(words, neutral, k, own, memory))
    return np.concatenate(blocks) if blocks else np.empty((0, k), np.int64)


def _own_rows(exclude: ArrayLike | None, n: int, m: int) -> NDArray[np.int64]:
    """The checked rows of the words among the neutral words, -1 for none."""
    own = np.full(n, -1) if exclude is None else np.asarray(exclude)
    integers = own.shape == (n,) and own.dtype.kind in "iu"
    if not integers or (n and not -1 <= own.min() <= own.max() < m):
        raise ValueError(
            f"exclude: expected ({n},) row numbers of neutral below {m}, -1 for none, got {own!r}"
        )
    return own.astype(np.int64)


def _nearest_by_block(
    words: Array, neutral: Array, k: int, own: NDArray[np.int64], memory: int
) -> Iterator[NDArray[np.int64]]:
    """Row numbers (b, k) of the nearest neutral words, a block of words at a time."""
    import torch

    keys = torch.from_numpy(np.ascontiguousarray(neutral, np.float32)).T
    step = max(1, min(BLOCK, memory // (8 * len(neutral))))
    for start in range(0, len(words), step):
        block = np.ascontiguousarray(words[start : start + step], np.float32)
        scores = torch.from_numpy(block) @ keys
        own_rows = own[start : start + step]
        known = np.flatnonzero(own_rows >= 0)
        scores[known, own_rows[known]] = -torch.inf
        # one more than asked for, to see whether the last place is tied: topk orders no ties
        best, nearest = (part.numpy() for part in scores.topk(min(k + 1, len(neutral)), dim=1))
        tied = np.flatnonzero((best[:, 1:] == best[:, :-1]).any(axis=1))
        ordered = np.argsort(-scores[tied].numpy(), axis=1, kind="stable")
        nearest[tied] = ordered[:, : nearest.shape[1]]
        yield nearest[:, :k]
