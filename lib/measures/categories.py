"""New word categories from clusters of words: the most male and most female words of each, and how much of it is chance.

Scores are (n, r): one column for each way of measuring the n words (another set of attribute words, another half of it).
Sign as in WEAT: positive is nearer the first attribute set, male in the papers. Chaloner & Maldonado (2019), Section 5.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEWEST = 5  # words on each side that make a category


def clusters(vectors: ArrayLike, count: int, seed: int = 0) -> NDArray[np.int64]:
    """The cluster of each of n words: k-means++ on the (n, d) vectors as they are, one start. Returns (n,)."""
    from sklearn.cluster import KMeans

    return KMeans(count, init="k-means++", n_init=1, random_state=seed).fit(vectors).labels_


def categories(
    scores: ArrayLike, labels: ArrayLike, most: int = 20
) -> Iterator[tuple[int, NDArray, NDArray]]:
    """Cluster by cluster the rows of the words with the highest and the lowest scores.

    scores : (n, r); labels : (n,). Yields the cluster and two (m, r) arrays of rows, the most extreme first; m is `most`,
    or half the cluster where that is less. Clusters that give fewer than 5 words a side are left out.
    """
    scores, labels = np.asarray(scores), np.asarray(labels)
    for cluster in np.unique(labels):
        rows = np.flatnonzero(labels == cluster)
        side = min(most, len(rows) // 2)
        if side >= FEWEST:
            ordered = rows[np.argsort(-scores[rows], axis=0, kind="stable")]
            yield int(cluster), ordered[:side], ordered[::-1][:side]


def category_effects(
    selection: ArrayLike, test: ArrayLike, labels: ArrayLike, most: int = 20
) -> NDArray[np.float64]:
    """Effect size of each category: its words chosen by one score, compared by another. Returns (c, r, 2).

    selection, test : (n, r), column j of one chooses for column j of the other; the same array twice is the paper's circular
    procedure. The last axis holds d (sample deviation) and z, the statistic over its deviation over all equal splits of
    the words, which is exact; over so many splits it is close to normal.
    """
    selection, test = np.asarray(selection), np.asarray(test)
    shapes = selection.shape, test.shape, np.shape(labels)
    if selection.ndim != 2 or shapes != (selection.shape, selection.shape, (len(selection),)):
        raise ValueError(
            f"expected two arrays (n, r) and labels (n,), got {', '.join(map(str, shapes))}"
        )
    found = []
    for _, high, low in categories(selection, labels, most):
        x, y = np.take_along_axis(test, high, axis=0), np.take_along_axis(test, low, axis=0)
        d = (x.mean(axis=0) - y.mean(axis=0)) / np.concatenate([x, y]).std(axis=0, ddof=1)
        found.append(np.stack([d, d * np.sqrt(len(high) / 2)], axis=-1))
    if not found:
        raise ValueError(
            f"labels: expected a cluster of {2 * FEWEST} words or more, got none; make fewer clusters"
        )
    return np.array(found)
