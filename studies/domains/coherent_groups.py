"""Chaloner and Maldonado (2019): a harder null for WEAT than random words. Groups of words that belong together, about anything at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows

Floats = NDArray[np.float64]
BATCH = 128  # random words whose neighbours are looked for at a time


def coherent_axes(
    vocabulary: ArrayLike,
    sizes: tuple[int, int],
    *,
    draws: int,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Mean of a random word and its nearest neighbours less that of another, (draws, d); `sizes` are those of both groups."""
    words = unit_rows("vocabulary", vocabulary)
    generator = np.random.default_rng(rng)
    first = np.array([generator.choice(len(words), 2, replace=False) for _ in range(draws)]).ravel()
    most = max(sizes)
    means = np.empty((2, len(first), words.shape[1]))
    for start in range(0, len(first), BATCH):
        near = words[first[start : start + BATCH]] @ words.T
        nearest = np.argpartition(-near, most - 1, axis=1)[:, :most]
        order = np.argsort(-np.take_along_axis(near, nearest, axis=1), axis=1)
        nearest = np.take_along_axis(nearest, order, axis=1)  # the word itself is the first
        for side, size in enumerate(sizes):
            means[side, start : start + BATCH] = words[nearest[:, :size]].mean(axis=1)
    return means[0, 0::2] - means[1, 1::2]


def effects_along(axes: ArrayLike, X: ArrayLike, Y: ArrayLike) -> Floats:
    """WEAT's effect size of target lists X and Y with each axis (as of `coherent_axes`) in place of the attributes."""
    lists = [unit_rows(name, side) for name, side in (("X", X), ("Y", Y))]
    scores = np.asarray(axes @ np.concatenate(lists).T, np.float64)
    means = scores[:, : len(lists[0])].mean(axis=1) - scores[:, len(lists[0]) :].mean(axis=1)
    return means / scores.std(axis=1, ddof=1)
