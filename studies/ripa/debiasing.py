"""What debiasing leaves: the theorem of Section 4, the rule of Section 6.3 that spares words, and a list of words to spare.

Shapes: n words, d dimensions, p pairs, k analogies of two words each.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.debiasing.projection import principal_directions
from lib.sources import fetch

Array = NDArray[np.floating]


def contrast_left(
    words: ArrayLike, cleaned: ArrayLike, contrasts: ArrayLike
) -> tuple[float, float]:
    """How much of the mean ``|w·x − w·y|`` over words (n, d) and contrasts x − y (p, d) is left: its share, and the largest.

    The Debiasing Theorem, with M = W Wᵀ (contrasts of word vectors) or W Cᵀ (of context vectors).
    """
    before, after = (np.abs(np.asarray(w) @ np.asarray(contrasts).T) for w in (words, cleaned))
    return float(after.mean() / before.mean()), float(after.max())


def spared_by_rule(words: ArrayLike, gendered: ArrayLike, biased: ArrayLike) -> NDArray[np.bool_]:
    """Which words, (n, d) or (k, 2, d), keep their gender: those nearer the direction of gender than that of stereotypes.

    Directions (d,), or (k, d) for analogies: first principal directions of the differences of base pairs and of stereotyped
    pairs.
    """
    return np.abs(_along(words, gendered)) >= np.abs(_along(words, biased))


def strengths(analogies: ArrayLike, direction: ArrayLike, spared: ArrayLike = True) -> Array:
    """How far the words of each analogy (k, 2, d) lie apart along a unit direction, taken out where not spared: Figure 1."""
    kept = _along(analogies, direction) * np.asarray(spared)
    return np.asarray(np.abs(kept[..., 0] - kept[..., 1]))


def directions_without(differences: ArrayLike, places: Sequence[int]) -> Array:
    """The first principal direction of differences (m, d), once for each place without the row at it; -1 leaves none out."""
    differences = np.asarray(differences)
    directions = {}
    for place in set(places):
        others = np.delete(differences, place, axis=0) if place >= 0 else differences
        directions[place] = principal_directions(others, centred=False)[0]
    return np.array([directions[place] for place in places])


def _along(words: ArrayLike, directions: ArrayLike) -> Array:
    """Components of words along one direction, or along one for each analogy."""
    words, directions = np.asarray(words), np.asarray(directions)
    if directions.ndim == 1:
        return np.asarray(words @ directions)
    return np.asarray(np.einsum("kwd,kd->kw", words, directions))


def read_gender_specific_seed() -> list[str]:
    """The 218 words from which the gender-specific words of Bolukbasi et al. (2016) were grown, as published."""
    words: list[str] = json.loads(
        fetch("bolukbasi_gender_specific_seed").read_text(encoding="utf-8")
    )
    return words
