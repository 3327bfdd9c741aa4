"""Random words in place of given ones, matched in frequency, and how alike random words are: the draws behind null baselines."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, unmasked, vectors

Rows = NDArray[np.int64]

SMALLEST_REACH = 25  # rows either way that a matched word may come from, near the top of the list
MAX_REDRAWS = 1000


BATCH = 10_000  # draws at a time


def random_words(
    positions: ArrayLike,
    count: int,
    draws: int,
    *,
    matched: bool = True,
    rng: np.random.Generator | int | None = None,
) -> Rows:
    """Random words in place of given ones, no word twice in a draw.

    Parameters
    ----------
    positions : array_like of int, shape (n,)
        Rows of the given words in a vocabulary, never drawn; -1 for a word it lacks.
    count : int
        Words in the vocabulary.
    draws : int
        How many times n words are drawn.
    matched : bool
        Draw each word from the rows within a factor of 1.25 of the word it stands for (25 rows at
        least either way), for a vocabulary in order of frequency; otherwise from all rows.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray of int, shape (draws, n)
        Rows of the vocabulary; column j stands for word j.

    Raises
    ------
    ValueError
        Where positions are no rows of the vocabulary, or it has too few words to draw.

    Examples
    --------
    >>> random_words([0, 1, 400], count=1000, draws=2, rng=0)
    array([[ 22,  17, 403],
           [  8,   9, 308]])
    """
    generator, positions = np.random.default_rng(rng), unmasked("positions", positions)
    if positions.ndim != 1:
        raise ValueError(f"positions: expected (n,) rows, got shape {positions.shape}")
    free, first, last = _windows(positions, count, len(positions), matched)
    draw = generator.integers(first, last, size=(draws, len(positions)))
    for _ in range(MAX_REDRAWS):
        repeated = _repeats(draw)
        if not repeated.any():
            return free[draw]
        draw = np.where(repeated, generator.integers(first, last, size=draw.shape), draw)
    raise _too_few(len(positions), len(free))


def random_pairs(
    positions: ArrayLike,
    count: int,
    draws: int,
    *,
    matched: bool = True,
    rng: np.random.Generator | int | None = None,
) -> Rows:
    """Random pairs of words in place of given pairs; the two words of a pair differ.

    Parameters
    ----------
    positions : array_like of int, shape (p, 2)
        Rows of the given pairs in a vocabulary, never drawn.
    count, draws, matched, rng
        As in `random_words`.

    Returns
    -------
    numpy.ndarray of int, shape (draws, p, 2)
        Rows of the vocabulary; a word may stand in two pairs of a draw.

    Raises
    ------
    ValueError
        As `random_words`.

    Examples
    --------
    >>> random_pairs([[0, 1]], count=1000, draws=2, rng=0).tolist()
    [[[22, 17]], [[14, 8]]]
    """
    generator, positions = np.random.default_rng(rng), unmasked("positions", positions)
    if positions.ndim != 2 or positions.shape[1] != 2:
        raise ValueError(f"positions: expected (p, 2) rows, got shape {positions.shape}")
    free, first, last = _windows(positions, count, 2, matched)
    draw = generator.integers(first, last, size=(draws, *positions.shape))
    while (same := draw[..., 0] == draw[..., 1]).any():
        again = generator.integers(first[:, 1], last[:, 1], size=same.shape)
        draw[..., 1] = np.where(same, again, draw[..., 1])
    return free[draw]


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


def _windows(positions: Rows, count: int, different: int, matched: bool) -> tuple[Rows, Rows, Rows]:
    """Rows that may be drawn, and for each position where its share of them begins and ends."""
    if not positions.size or not -1 <= positions.min() <= positions.max() < count:
        raise ValueError(
            f"positions: expected rows of a vocabulary of {count}, got {positions.tolist()}"
        )
    free = np.setdiff1d(np.arange(count), positions)
    reach = np.where(positions < 0, count, np.maximum(positions // 4, SMALLEST_REACH))
    reach = reach if matched else np.full(positions.shape, count)
    first = np.searchsorted(free, positions - reach)
    last = np.searchsorted(free, positions + reach + 1)
    if len(free) < different or (last - first < min(different, 2)).any():
        raise _too_few(different, len(free))
    return free, first, last


def _repeats(draw: Rows) -> NDArray[np.bool_]:
    """Which entries of a row stand earlier in the same row."""
    order = np.argsort(draw, axis=1, kind="stable")
    repeated = np.zeros(draw.shape, bool)
    equal = np.diff(np.take_along_axis(draw, order, axis=1)) == 0
    np.put_along_axis(repeated, order[:, 1:], equal, axis=1)
    return repeated


def _too_few(different: int, free: int) -> ValueError:
    return ValueError(
        f"expected {different} different words to draw, got {free} beside the given ones, or too "
        "few near them; use a larger vocabulary, or matched=False"
    )
