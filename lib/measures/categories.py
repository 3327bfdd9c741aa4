"""New word categories from clusters of words: the most male and most female words of each.

Scores are (n, r): one column for each way of measuring the n words (another set of attribute words,
another half of it). Sign as in WEAT: positive is nearer the first attribute set, male in the
papers. Chaloner & Maldonado (2019), Section 5.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unmasked, vectors

Rows = NDArray[np.int64]

FEWEST = 5  # words on each side that make a category


def clusters(vectors: ArrayLike, count: int, seed: int = 0) -> Rows:
    """The cluster of each of n words: k-means++ on the vectors as they are, one start.

    Parameters
    ----------
    vectors : array_like, shape (n, d)
        Vectors of the words.
    count : int
        How many clusters.
    seed : int
        Of the start.

    Returns
    -------
    numpy.ndarray of int, shape (n,)
        From 0 to count - 1.

    Examples
    --------
    >>> labels = clusters([[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.1]], count=2)
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """
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
    """Cluster by cluster the rows of the words with the highest and the lowest scores.

    Parameters
    ----------
    scores : array_like, shape (n, r)
        Scores of the words.
    labels : array_like, shape (n,)
        Cluster of each word; clusters that give fewer than 5 words a side are left out.
    most : int
        Words a side, m; half the cluster where that is less.
    overlap : bool
        As the paper has it: m words a side also where a cluster has fewer than 2 m, so that some
        words are on both sides.

    Yields
    ------
    cluster : int
        Its label.
    highest, lowest : numpy.ndarray of int, shape (m, r)
        Rows of the words, the most extreme first.

    Examples
    --------
    >>> scores = np.arange(12.0)[:, None]
    >>> cluster, highest, lowest = next(categories(scores, np.zeros(12), most=5))
    >>> highest[:, 0], lowest[:, 0]
    (array([11, 10,  9,  8,  7]), array([0, 1, 2, 3, 4]))
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
    """Effect size of each category: its words chosen by one score, compared by another.

    Parameters
    ----------
    selection, test : array_like, shape (n, r)
        Column j of one chooses for column j of the other; the same array twice is the paper's
        circular procedure.
    labels, most, overlap
        As in `categories`.

    Returns
    -------
    numpy.ndarray, shape (c, r, 2)
        For each category d (sample deviation) and z, the statistic over its deviation over all
        equal splits of the words, which is exact where no word is on both sides; over so many
        splits it is close to normal.

    Raises
    ------
    ValueError
        Where shapes disagree or no cluster is large enough.

    Examples
    --------
    >>> scores = np.arange(12.0)[:, None]
    >>> category_effects(scores, scores, np.zeros(12), most=5).round(2).tolist()
    [[[1.76, 2.78]]]
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
    """Mean effect size of a category of noise: normal random numbers, sorted and cut at both ends.

    What the circular procedure gives in a cluster of so many words when there is nothing to find.

    Parameters
    ----------
    size : int
        Words in the cluster.
    most : int
        Words a side, on both sides where the cluster has fewer than twice as many.
    draws : int
        Clusters of noise.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    float
        Below 2; it rises with the size.

    Raises
    ------
    ValueError
        For a cluster of fewer than 10 words.

    Examples
    --------
    >>> round(effect_of_sorting(40, rng=0), 1), round(effect_of_sorting(1000, rng=0), 1)
    (1.6, 2.0)
    """
    scores = np.random.default_rng(rng).standard_normal((size, draws))
    effects = category_effects(scores, scores, np.zeros(size), most, overlap=True)
    return float(effects[..., 0].mean())


def contrast_scores(unit: ArrayLike, pairs: ArrayLike) -> NDArray[np.floating]:
    """Associations of all words with the first and the second words of sets of pairs.

    Parameters
    ----------
    unit : array_like, shape (n, d)
        Vectors of all words, of length 1.
    pairs : array_like of int, shape (r, k, 2)
        For each of r sets, rows of the words of k pairs.

    Returns
    -------
    numpy.ndarray, shape (n, r)
        Mean cosine with the first words minus that with the second: positive is nearer the first.

    Raises
    ------
    ValueError
        For vectors that are none, or pairs of another shape or of rows that are not there.

    Examples
    --------
    >>> contrast_scores(np.eye(3), [[[0, 1]]]).tolist()
    [[1.0], [-1.0], [0.0]]
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
    """`category_effects` where one random half of the pairs chooses and the other half tests.

    Parameters
    ----------
    unit : array_like, shape (n, d)
        Vectors of all words, of length 1.
    pairs : array_like of int, shape (r, k, 2)
        As in `contrast_scores`; each set is cut by itself, k is two or more.
    labels : array_like, shape (n,)
        As in `categories`.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray, shape (c, r, 2)
        d and z of each category, tested by pairs that had no part in choosing it.

    Examples
    --------
    >>> unit = np.eye(4)[np.arange(40) % 4]
    >>> held_out_effects(unit, [[[0, 1], [4, 5]]], np.zeros(40), rng=0).shape
    (1, 1, 2)
    """
    places = unmasked("pairs", pairs)
    columns = np.tile(np.arange(places.shape[1]), (len(places), 1))
    order = np.random.default_rng(rng).permuted(columns, axis=1)
    mixed = np.take_along_axis(places, order[..., None], axis=1)
    half = places.shape[1] // 2
    selection, test = mixed[:, :half], mixed[:, half:]
    return category_effects(contrast_scores(unit, selection), contrast_scores(unit, test), labels)
