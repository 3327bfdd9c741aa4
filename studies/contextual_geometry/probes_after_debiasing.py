"""Probes of words from which a direction has been taken out, with the labels they had before."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers
from lib.debiasing.projection import pair_direction, project_out
from lib.measures import neighbours
from lib.measures.geometry import classification_accuracy, clustering_accuracy
from studies.contextual_geometry.context_probes import extremes
from studies.contextual_geometry.geometry import neighbour_correlation

PROBES = ("clustering", "classification", "neighbours")


def probe_without(
    probe: str,
    words: ArrayLike,
    leans: ArrayLike,
    direction: ArrayLike,
    *,
    size: int = 0,
    k: int = 100,
    rng: int = 0,
) -> float:
    """Clustering, classification (share right) or neighbours (correlation) after a direction is taken out of the words (n, d).

    The third column of the paper's comparison. What names the contrast by definition should not be among the words; `leans`
    (n,) are those before; `size` words a side, k neighbours.

    Hard debiasing of words that are not spared is this projection and a scaling to length 1, which all three probes do
    themselves. Direct bias toward the direction is 0 afterwards by construction.
    """
    one_of("probe", probe, PROBES)
    changed, scores = project_out(words, direction), real_numbers("leans", leans)
    if probe == "neighbours":
        near = neighbours(changed, changed, k, exclude=np.arange(len(changed)))
        return float(neighbour_correlation(scores, near))
    rows, labels = extremes(scores, size)
    accuracy = clustering_accuracy if probe == "clustering" else classification_accuracy
    return float(accuracy(changed[rows], labels, rng=rng))


def leans_and_directions(
    first: ArrayLike, second: ArrayLike, words: ArrayLike, which: int
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """The leans (n,) of words by one pair of (p, d) and (p, d), and the direction (d,) that all pairs share."""
    a, b = real_numbers("first", first), real_numbers("second", second)
    leans = real_numbers("words", words) @ (a[which] - b[which])
    return leans, pair_direction(a, b)
