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
from scipy.special import gammaln

from lib.checks import real_numbers, unit_rows, unmasked, vectors

Array = NDArray[np.floating]


def explained_variance(differences: ArrayLike, *, centred: bool = False) -> Array:
    """Share of the squared length of difference vectors along each of their principal components.

    Parameters
    ----------
    differences : array_like of shape (m, d)
        One row a swap of a word for another.
    centred : bool
        Subtract the mean difference first, which removes what all swaps share. Uncentred, the sign
        of a row does not matter, and this is Bolukbasi's PCA of both words of each pair less their
        midpoint.

    Returns
    -------
    ndarray of shape (min(m, d),)
        Shares from 0 to 1, the largest first, of sum 1.

    Raises
    ------
    ValueError
        Where the differences are not (m, d) or have no length.

    References
    ----------
    Bolukbasi et al. (2016), Figure 6; in context Basta, Costa-jussà & Casas (2019), Figure 1.

    Examples
    --------
    >>> explained_variance([[2, 0], [-1, 0], [0, 1]]).round(3).tolist()
    [0.833, 0.167]
    """
    rows = vectors("differences", differences)
    if centred:
        rows = rows - rows.mean(axis=0)
    lengths: Array = np.linalg.svd(rows, compute_uv=False) ** 2
    if not lengths[0] > 0:
        raise ValueError(
            "differences: expected vectors with a length, got zeros only; swap words for other words"
        )
    return np.asarray(lengths / lengths.sum())


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


def random_absolute_cosine(dimensions: ArrayLike) -> Array:
    """The mean size of the cosine of two random directions, by the number of dimensions.

    Parameters
    ----------
    dimensions : array_like
        d, 1 or more, one number or an array of them.

    Returns
    -------
    ndarray
        Of the same shape, in (0, 1]: close to √(2/πd); d = 1 gives 1.

    Raises
    ------
    ValueError
        For fewer than one dimension.

    Notes
    -----
    Γ(d/2) / (√π Γ((d+1)/2)): the mean size of a coordinate of a point on the sphere.

    Examples
    --------
    >>> random_absolute_cosine([1, 3]).round(3).tolist()
    [1.0, 0.5]
    """
    d = real_numbers("dimensions", dimensions)
    if not (d >= 1).all():
        raise ValueError(f"dimensions: expected 1 or more, got {dimensions!r}")
    return np.asarray(np.exp(gammaln(d / 2) - gammaln((d + 1) / 2)) / np.sqrt(np.pi))


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


def neighbour_correlation(scores: ArrayLike, neighbours: ArrayLike) -> Array:
    """Correlation of each word's score with the share of positive scores among its neighbours.

    Parameters
    ----------
    scores : array_like of shape (n,) or (n, p)
        One way of scoring or p of them; positive counts as one side, 0 and below as the other.
    neighbours : array_like of shape (n, k)
        Rows of the same words, as `lib.measures.neighbours` finds them.

    Returns
    -------
    ndarray of shape () or (p,)
        In [-1, 1]. Any smooth score correlates: compare with other directions.

    Raises
    ------
    ValueError
        Where shapes disagree, a row number is out of range, or scores or shares do not vary.

    References
    ----------
    Gonen & Goldberg (2019), Section 4; Basta, Costa-jussà & Casas (2019), Section 5.

    Examples
    --------
    >>> neighbour_correlation([2.0, 1.0, -1.0, -2.0], [[1], [0], [3], [2]]).round(3).item()
    0.949
    """
    scores, neighbours = real_numbers("scores", scores), unmasked("neighbours", neighbours)
    if neighbours.ndim != 2 or scores.ndim not in (1, 2) or len(scores) != len(neighbours):
        raise ValueError(
            "expected scores (n,) or (n, p) and neighbours (n, k), "
            f"got {scores.shape} and {neighbours.shape}"
        )
    are_rows = neighbours.dtype.kind in "iu" and neighbours.min() >= 0
    if not are_rows or neighbours.max() >= len(scores):
        raise ValueError(
            f"neighbours: expected row numbers below {len(scores)}, got some that are not; "
            "search the same words"
        )
    shares = np.mean(scores[neighbours] > 0, axis=1)
    sides = scores - scores.mean(axis=0), shares - shares.mean(axis=0)
    spread = np.prod([np.linalg.norm(side, axis=0) for side in sides], axis=0)
    if not np.all(spread > 0):
        raise ValueError(
            "scores: expected scores, and neighbours, of both sides; "
            "got only one, so nothing can correlate"
        )
    return np.asarray((sides[0] * sides[1]).sum(axis=0) / spread)


def beside_null(values: ArrayLike, null: ArrayLike) -> dict[str, float]:
    """A value, measured once or in several draws, beside that of random pairs treated alike.

    Parameters
    ----------
    values : array_like of shape (r,) or ()
        The draws.
    null : array_like of shape (m,)
        Two or more.

    Returns
    -------
    dict of str to float
        "value" the mean of the draws, "low" and "high" the least and the largest; "null low",
        "null", "null high" the central 95 % and the median of the null; "below" the share of the
        null below the value, half of what equals it; "distance" from the null's mean in its
        standard deviations, "distance low" and "distance high" those of the least and the largest
        draw; all three nan when the null does not spread.

    Raises
    ------
    ValueError
        Where there is no value, or fewer than two of the null.

    Examples
    --------
    >>> beside_null(3, [0, 1, 2, 3, 4])["below"]
    0.7
    """
    values = np.atleast_1d(real_numbers("values", values))
    null = real_numbers("null", null).ravel()
    if not values.size or null.size < 2:
        raise ValueError(
            f"expected a value and two or more of the null, got {values.size} and {null.size}"
        )
    spread = null.std(ddof=1) if np.ptp(null) else np.nan
    low, median, high = np.quantile(null, [0.025, 0.5, 0.975])
    mean, least, largest = values.mean(), values.min(), values.max()
    numbers = {
        "value": mean,
        "low": least,
        "high": largest,
        "null low": low,
        "null": median,
        "null high": high,
        "below": np.mean(null < mean) + np.mean(null == mean) / 2,
        "distance": (mean - null.mean()) / spread,
        "distance low": (least - null.mean()) / spread,
        "distance high": (largest - null.mean()) / spread,
    }
    return {name: float(number) for name, number in numbers.items()}


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
