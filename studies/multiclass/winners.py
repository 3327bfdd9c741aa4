"""Which class a word leans to most under one-vs-rest, and how often that is the right one where the right one is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, unmasked, vectors

Places = NDArray[np.int64]
BLOCK = 100  # draws at a time


def winners(words: ArrayLike, classes: ArrayLike) -> Places:
    """The place (n,) of the class, of classes (c, d), that each word (n, d) leans to most: the one whose cosine is its one-vs-rest score."""
    return drawn_winners(words, unmasked("classes", classes)[None])[0]


def drawn_winners(words: ArrayLike, classes: ArrayLike) -> Places:
    """The places (draws, n) of `winners` with many sets of class words (draws, c, d) at once: a null, word by word."""
    rows, sets = unit_rows("words", vectors("words", words)), unmasked("classes", classes)
    if sets.ndim != 3 or sets.shape[1] < 2 or sets.shape[2] != rows.shape[1]:
        raise ValueError(
            f"classes: expected (draws, c, {rows.shape[1]}) with two classes or more, "
            f"got {sets.shape}"
        )
    won = np.empty((len(sets), len(rows)), np.int64)
    for start in range(0, len(sets), BLOCK):
        block = sets[start : start + BLOCK].astype(float)
        away = block - block.mean(axis=1, keepdims=True)  # along class minus mean of the others
        lengths = np.linalg.norm(away, axis=2, keepdims=True)
        if not lengths.all():
            raise ValueError("classes: expected different vectors in a set, got equal ones")
        leans = rows @ (away / lengths).reshape(-1, rows.shape[1]).T
        won[start : start + BLOCK] = leans.reshape(len(rows), len(block), -1).argmax(axis=2).T
    return won


def share_right(won: ArrayLike, own: ArrayLike) -> NDArray[np.float64]:
    """The share of words whose winner (n,) or (draws, n) is their own class (n,), as the mean over classes, so that long lists count no more than short ones."""
    places, right = np.asarray(won), np.asarray(own)
    if right.ndim != 1 or not len(right) or places.shape[-1:] != right.shape:
        raise ValueError(f"expected a class for each word, got {places.shape} and {right.shape}")
    hits = places == right
    by_class = [hits[..., right == place].mean(axis=-1) for place in np.unique(right)]
    return np.asarray(np.mean(by_class, axis=0), float)
