"""How far a mean score depends on the words, templates and pairs asked: variance components."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

FACETS = ("word", "template", "pair")
Axes = tuple[int, ...]


def variance_components(scores: ArrayLike) -> pd.Series[float]:
    """Variance of a score by word, template, pair of targets and their interactions.

    Parameters
    ----------
    scores : array_like, shape (n, t, p)
        Every word asked in every template with every pair, two or more of each.

    Returns
    -------
    pandas.Series
        Seven components, which sum to the expected variance of a single score: word, template,
        pair, word × template, word × pair, template × pair, and word × template × pair, which holds
        the error too. Estimates below 0 are set to 0.

    Raises
    ------
    ValueError
        For other shapes and for numbers that are not finite.

    References
    ----------
    Cronbach et al. (1972); expected mean squares of the crossed random design, Brennan (2001),
    chapter 3.

    Examples
    --------
    >>> scores = np.broadcast_to(np.array([0.0, 2.0, 4.0])[:, None, None], (3, 4, 2))
    >>> float(variance_components(scores)["word"])
    4.0
    """
    cube = real_numbers("scores", scores)
    if cube.ndim != 3 or min(cube.shape) < 2:
        raise ValueError(
            "scores: expected (words, templates, pairs), two or more of each, "
            f"got shape {cube.shape}"
        )
    if not np.isfinite(cube).all():
        raise ValueError(
            "scores: expected finite numbers, got NaN or infinity; "
            "leave that word, template or pair out"
        )
    subsets = [subset for size in (1, 2, 3) for subset in combinations(range(3), size)]
    components: dict[Axes, float] = {}
    for subset in sorted(subsets, key=len, reverse=True):
        noise = sum(
            value * _cells(cube, larger)
            for larger, value in components.items()
            if set(subset) < set(larger)
        )
        components[subset] = (_mean_square(cube, subset) - noise) / _cells(cube, subset)
    return pd.Series(
        {
            " × ".join(FACETS[axis] for axis in subset): max(components[subset], 0.0)
            for subset in subsets
        }
    )


def generalisability(components: pd.Series[float], templates: int, pairs: int) -> float:
    """Share of the variance of a word's mean score that would stay with other templates and pairs.

    This is the generalisability coefficient for the order of words, which no component without the
    word can change.

    Parameters
    ----------
    components : pandas.Series
        From `variance_components`.
    templates, pairs : int
        How many the mean is over.

    Returns
    -------
    float
        A share from 0 to 1, NaN when nothing varies.

    Raises
    ------
    ValueError
        For counts below 1.

    References
    ----------
    Cronbach et al. (1972); Brennan (2001), equation 4.15 for two random facets.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.standard_normal((30, 1, 1)) + 0.5 * rng.standard_normal((30, 5, 4))
    >>> components = variance_components(scores)
    >>> bool(generalisability(components, 1, 1) < generalisability(components, 5, 4))
    True
    """
    if templates < 1 or pairs < 1:
        raise ValueError(f"expected 1 or more templates and pairs, got {templates!r} and {pairs!r}")
    error = (
        components["word × template"] / templates
        + components["word × pair"] / pairs
        + components["word × template × pair"] / (templates * pairs)
    )
    whole = components["word"] + error
    return float(components["word"] / whole) if whole > 0 else float("nan")


def _cells(scores: NDArray[np.float64], subset: Axes) -> int:
    """How many scores each mean over everything but these axes is made of."""
    return int(np.prod([size for axis, size in enumerate(scores.shape) if axis not in subset]))


def _mean_square(scores: NDArray[np.float64], subset: Axes) -> float:
    """Mean square of the interaction of these axes."""
    effect = np.zeros([size if axis in subset else 1 for axis, size in enumerate(scores.shape)])
    for size in range(len(subset) + 1):
        for part in combinations(subset, size):
            others = tuple(axis for axis in range(3) if axis not in part)
            effect = effect + (-1) ** (len(subset) - size) * scores.mean(axis=others, keepdims=True)
    freedom = np.prod([scores.shape[axis] - 1 for axis in subset])
    return float((effect**2).sum() * _cells(scores, subset) / freedom)
