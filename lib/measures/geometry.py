"""Geometry of word vectors: how far words follow a direction, cluster, or can be told apart.

Shapes: n words, d dimensions. No value here says anything alone: each depends on the dimensions, on
how the vectors crowd in one part of the space, and on how the words were chosen. Set it beside the
same value of random pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.optimize import linear_sum_assignment

from lib.checks import unit_rows, unmasked, vectors

Array = NDArray[np.floating]


def absolute_cosine(words: ArrayLike, directions: ArrayLike, strictness: float = 1.0) -> Array:
    """Mean size of the cosine between the words and each direction: the direct bias of Bolukbasi.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of words that name no gender.
    directions : array_like of shape (k, d) or (d,)
        Of any length; their sign does not matter.
    strictness : float
        The exponent c of the paper, above 0.

    Returns
    -------
    ndarray of shape (k,)
        In [0, 1]. Two random directions have `random_absolute_cosine(d)`: never compare raw values
        across d.

    Raises
    ------
    ValueError
        Where shapes disagree, a vector has no direction, or strictness is not above 0.

    References
    ----------
    Bolukbasi et al. (2016), Section 5.2; Basta, Costa-jussà & Casas (2019), equation 1, with c = 1.

    Examples
    --------
    >>> absolute_cosine([[1, 0], [0, 2], [-3, 0]], [5, 0]).round(3).tolist()
    [0.667]
    """
    words = unit_rows("words", words)
    directions = vectors("directions", np.atleast_2d(directions), dimensions=words.shape[1])
    if not strictness > 0:
        raise ValueError(
            f"strictness: expected an exponent above 0, got {strictness!r}; the papers use 1"
        )
    cosines = np.abs(words @ unit_rows("directions", directions).T)
    return np.asarray((cosines**strictness).mean(axis=0))


def matched_accuracy(clusters: ArrayLike, labels: ArrayLike) -> float:
    """Share of items in the cluster that stands for their label, clusters matched to labels.

    Parameters
    ----------
    clusters, labels : array_like of shape (n,)
        Of any values.

    Returns
    -------
    float
        In [0, 1], with each cluster for one label, matched as well as can be; renaming either
        changes nothing. Because the better match counts, two random halves of n words reach about
        ½ + 1/√(2πn), not ½.

    Raises
    ------
    ValueError
        Where the two are not of one length, or empty.

    References
    ----------
    Gonen & Goldberg (2019), whose code assumes that cluster 0 is the male one.

    Examples
    --------
    >>> matched_accuracy([1, 1, 0, 0], ["f", "f", "m", "f"])
    0.75
    """
    clusters, labels = unmasked("clusters", clusters), unmasked("labels", labels)
    if clusters.shape != labels.shape or clusters.ndim != 1 or not len(labels):
        raise ValueError(
            "expected a label for each clustered item, (n,) both, "
            f"got {clusters.shape} and {labels.shape}"
        )
    counts = stats.contingency.crosstab(clusters, labels).count
    return float(counts[linear_sum_assignment(-counts)].sum() / len(labels))


def clustering_accuracy(
    words: ArrayLike, labels: ArrayLike, *, rng: np.random.Generator | int | None = None
) -> float:
    """How well as many clusters as there are labels match the labels: k-means on unit vectors.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Taken at length 1.
    labels : array_like of shape (n,)
        Two or more kinds.
    rng : Generator or int, optional
        Generator or seed of the starts.

    Returns
    -------
    float
        In (0, 1], by `matched_accuracy`, of the best of five starts of k-means++.

    Raises
    ------
    ValueError
        Where shapes disagree, a vector has no direction, or there are fewer than two labels.

    References
    ----------
    Gonen & Goldberg (2019), Section 4; in context Basta, Costa-jussà & Casas (2019), Section 5.

    Examples
    --------
    >>> clustering_accuracy([[1, 0], [2, 0], [0, 1], [0, 3]], ["f", "f", "m", "m"], rng=0)
    1.0
    """
    from sklearn.cluster import KMeans

    unit, labels = _labelled(words, labels)
    seed = int(np.random.default_rng(rng).integers(2**31))
    k_means = KMeans(len(np.unique(labels)), n_init=5, random_state=seed)
    return matched_accuracy(k_means.fit_predict(unit), labels)


def classification_accuracy(
    words: ArrayLike,
    labels: ArrayLike,
    *,
    folds: int = 5,
    groups: ArrayLike | None = None,
    rng: np.random.Generator | int | None = None,
) -> float:
    """How well a support vector machine tells the labels of words it has not seen.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Taken at length 1.
    labels : array_like of shape (n,)
        Two or more kinds.
    folds : int
        Each fold trains once and is tested on all others: with 5, the paper's 1,000 of 5,000.
    groups : array_like of shape (n,), optional
        The word of each row, so that a word with several rows is never on both sides.
    rng : Generator or int, optional
        Generator or seed of the folds.

    Returns
    -------
    float
        The mean share of right answers, in [0, 1]. RBF kernel, C = 1, γ = 1/(d·variance): nothing
        is tuned, and no test label is seen.

    Raises
    ------
    ValueError
        Where shapes disagree, there are fewer than two labels, or fewer words of a label than
        folds.

    References
    ----------
    Gonen & Goldberg (2019), Section 4; Basta, Costa-jussà & Casas (2019), Section 5, where C and γ
    are not given.

    Examples
    --------
    >>> words = [[1, 0], [2, 0], [1, 0.1], [0, 1], [0, 3], [0.1, 1]]
    >>> classification_accuracy(words, ["f", "f", "f", "m", "m", "m"], folds=3, rng=0)
    1.0
    """
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
    from sklearn.svm import SVC

    unit, labels = _labelled(words, labels)
    owners = np.arange(len(labels)) if groups is None else unmasked("groups", groups)
    if owners.shape != labels.shape:
        raise ValueError(
            f"groups: expected ({len(labels)},), the word of each row, got {owners.shape}"
        )
    fewest = min(len(np.unique(owners[labels == label])) for label in np.unique(labels))
    if not 2 <= folds <= fewest:
        raise ValueError(
            f"folds: expected 2 to {fewest}, the words of the smaller label, got {folds}"
        )
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splits = kind(folds, shuffle=True, random_state=int(np.random.default_rng(rng).integers(2**31)))
    kernel = rbf_kernel(unit, gamma=1 / (unit.shape[1] * unit.var()))
    shares = []
    for test, train in splits.split(unit, labels, groups):  # a fold trains, the rest is the test
        machine = SVC(kernel="precomputed").fit(kernel[np.ix_(train, train)], labels[train])
        shares.append(machine.score(kernel[np.ix_(test, train)], labels[test]))
    return float(np.mean(shares))


def _labelled(words: ArrayLike, labels: ArrayLike) -> tuple[Array, NDArray[np.generic]]:
    """Unit vectors and their labels, of two kinds or more."""
    unit, labels = unit_rows("words", words), np.asarray(labels)
    if labels.shape != (len(unit),):
        raise ValueError(
            f"labels: expected ({len(unit)},), one for each vector, got {labels.shape}"
        )
    if len(np.unique(labels)) < 2:
        raise ValueError(
            f"labels: expected two or more different ones, got {np.unique(labels).tolist()}"
        )
    return unit, labels
