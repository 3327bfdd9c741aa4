"""New word categories from clusters of words: the most male and most female words of each (Section 5).

Scores are (n, r): one column for each way of measuring the n words (another set of attribute words, another half of it).
Sign as in WEAT: positive is nearer the first attribute set, male in the papers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unmasked, vectors

Rows = NDArray[np.int64]
FEWEST = 5  # words on each side that make a category


def clusters(vectors: ArrayLike, count: int, seed: int = 0) -> Rows:
    """The cluster of each of n words, from 0: k-means++ on the vectors (n, d) as they are, one start."""
    from sklearn.cluster import KMeans

    labels: Rows = (
        KMeans(count, init="k-means++", n_init=1, random_state=seed)
        .fit(unmasked("vectors", vectors))
        .labels_
    )
    return labels


def categories(
    scores: ArrayLike, labels: ArrayLike, most: int = 20, *, overlap: bool = False
) -> Iterator[tuple[int, Rows, Rows]]:
    """Of each cluster its label and the rows (m, r) of its words with the highest and with the lowest scores, extremes first.

    m is `most`, or half the cluster where that is less; with `overlap`, as the paper has it, m words a side also then, so
    that some are on both sides. Clusters of fewer than 10 words are left out.
    """
    scores, labels = unmasked("scores", scores), unmasked("labels", labels)
    for cluster in np.unique(labels):
        rows = np.flatnonzero(labels == cluster)
        side = min(most, len(rows) if overlap else len(rows) // 2)
        if len(rows) >= 2 * FEWEST:
            ordered = rows[np.argsort(-scores[rows], axis=0, kind="stable")]
            yield int(cluster), ordered[:side], ordered[::-1][:side]


def category_effects(
    selection: ArrayLike,
    test: ArrayLike,
    labels: ArrayLike,
    most: int = 20,
    *,
    overlap: bool = False,
) -> NDArray[np.float64]:
    """d and z of each category (c, r, 2): its words chosen by one score (n, r), compared by another (the same: circular).

    d has the sample deviation; z is the statistic over its deviation over all equal splits of the words, which is exact
    where no word is on both sides; over so many splits it is close to normal.
    """
    selection, test = unmasked("selection", selection), unmasked("test", test)
    shapes = selection.shape, test.shape, np.shape(labels)
    if selection.ndim != 2 or shapes != (selection.shape, selection.shape, (len(selection),)):
        raise ValueError(
            f"expected two arrays (n, r) and labels (n,), got {', '.join(map(str, shapes))}"
        )
    effects = []
    for _, high, low in categories(selection, labels, most, overlap=overlap):
        x, y = np.take_along_axis(test, high, axis=0), np.take_along_axis(test, low, axis=0)
        d = (x.mean(axis=0) - y.mean(axis=0)) / np.concatenate([x, y]).std(axis=0, ddof=1)
        effects.append(np.stack([d, d * np.sqrt(len(high) / 2)], axis=-1))
    if not effects:
        raise ValueError(
            f"labels: expected a cluster of {2 * FEWEST} words or more, got none; "
            "make fewer clusters"
        )
    return np.array(effects)


def effect_of_sorting(
    size: int,
    most: int = 20,
    *,
    draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> float:
    """Mean effect size of a category of noise: normal random numbers, sorted and cut at both ends; it rises with the size.

    What the circular procedure gives in a cluster of so many words when there is nothing to find.
    """
    scores = np.random.default_rng(rng).standard_normal((size, draws))
    effects = category_effects(scores, scores, np.zeros(size), most, overlap=True)
    return float(effects[..., 0].mean())


def contrast_scores(unit: ArrayLike, pairs: ArrayLike) -> NDArray[np.floating]:
    """Mean cosine (n, r) of all words with the first words of r sets of pairs minus that with the second.

    `unit` (n, d) has rows of length 1; `pairs` (r, k, 2) are rows of the words of k pairs; positive is nearer the first.
    """
    rows, places = vectors("unit", unit), unmasked("pairs", pairs)
    shaped = places.ndim == 3 and places.shape[2] == 2 and places.size and places.dtype.kind in "iu"
    if not shaped or places.min() < 0 or places.max() >= len(rows):
        raise ValueError(
            f"pairs: expected rows of {len(rows)} words, whole numbers of shape (sets, pairs, 2), a pair or more; "
            f"got shape {places.shape} of {places.dtype}"
        )
    first, second = rows[places[..., 0]].mean(axis=1), rows[places[..., 1]].mean(axis=1)
    return np.asarray(rows @ (first - second).T)


def held_out_effects(
    unit: ArrayLike,
    pairs: ArrayLike,
    labels: ArrayLike,
    *,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.float64]:
    """`category_effects` (c, r, 2) where one random half of each set of pairs (r, k, 2) chooses and the other half tests."""
    places = unmasked("pairs", pairs)
    columns = np.tile(np.arange(places.shape[1]), (len(places), 1))
    order = np.random.default_rng(rng).permuted(columns, axis=1)
    mixed = np.take_along_axis(places, order[..., None], axis=1)
    half = places.shape[1] // 2
    selection, test = mixed[:, :half], mixed[:, half:]
    return category_effects(contrast_scores(unit, selection), contrast_scores(unit, test), labels)
