"""Geometry of word vectors, static or in context: how far words follow a direction, cluster, can be told apart by a side.

Arrays only. Shapes: n words, d dimensions. No value here says anything alone: each depends on the dimensions, on how the
vectors crowd in one part of the space, and on how the words were chosen. Set it beside the same value of random pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import gammaln

Array = NDArray[np.floating]


def explained_variance(differences: ArrayLike, *, centred: bool = False) -> Array:
    """Share of the squared length of difference vectors that lies along each of their principal components.

    differences : (m, d), one row a swap of a word for another; centred : subtract the mean difference first, which removes
    what all swaps share. Uncentred, the sign of a row does not matter, and this is Bolukbasi's PCA of both words of each
    pair less their midpoint.
    Returns (min(m, d),) shares, the largest first, of sum 1.
    Raises ValueError when the differences are not (m, d) or have no length.
    Bolukbasi et al. (2016), Figure 6; in context Basta, Costa-jussà & Casas (2019), Figure 1.
    """
    differences = _vectors("differences", differences)
    if centred:
        differences = differences - differences.mean(axis=0)
    lengths = np.linalg.svd(differences, compute_uv=False) ** 2
    if not lengths[0] > 0:
        raise ValueError(
            "differences: expected vectors with a length, got zeros only; swap words for other words"
        )
    return lengths / lengths.sum()


def absolute_cosine(words: ArrayLike, directions: ArrayLike, strictness: float = 1.0) -> Array:
    """Mean size of the cosine between the words and each direction: the direct bias of Bolukbasi et al.

    words : (n, d) vectors of words that name no gender; directions : (k, d) of any length, or (d,) for one; strictness :
    the exponent c of the paper, above 0. The sign of a direction does not matter.
    Returns (k,) in [0, 1]. Two random directions have `random_absolute_cosine(d)`: never compare raw values across d.
    Raises ValueError when shapes disagree, a vector has no direction, or strictness is not above 0.
    Bolukbasi et al. (2016), Section 5.2; Basta, Costa-jussà & Casas (2019), equation 1, with c = 1.
    """
    words, directions = _vectors("words", words), _vectors("directions", np.atleast_2d(directions))
    if words.shape[1] != directions.shape[1]:
        raise ValueError(
            f"directions: expected {words.shape[1]} dimensions, as the words have, got {directions.shape[1]}"
        )
    if not strictness > 0:
        raise ValueError(
            f"strictness: expected an exponent above 0, got {strictness!r}; the papers use 1"
        )
    return (np.abs(_unit("words", words) @ _unit("directions", directions).T) ** strictness).mean(
        axis=0
    )


def random_absolute_cosine(dimensions: ArrayLike) -> Array:
    """The mean size of the cosine of two random directions, by the number of dimensions: close to √(2/πd).

    dimensions : d, 1 or more, one number or an array of them. Returns the same shape, in (0, 1]; d = 1 gives 1.
    Raises ValueError for fewer than one dimension.
    Γ(d/2) / (√π Γ((d+1)/2)): the mean size of a coordinate of a point on the sphere.
    """
    d = np.asarray(dimensions, dtype=float)
    if not (d >= 1).all():
        raise ValueError(f"dimensions: expected 1 or more, got {dimensions!r}")
    return np.exp(gammaln(d / 2) - gammaln((d + 1) / 2)) / np.sqrt(np.pi)


def matched_accuracy(clusters: ArrayLike, labels: ArrayLike) -> float:
    """Share of items in the cluster that stands for their label, each cluster for one label, matched as well as can be.

    clusters, labels : (n,) of any values. Returns a share in [0, 1] that does not change when either is renamed. Because the
    better match counts, two random halves of n words reach about ½ + 1/√(2πn), not ½.
    Raises ValueError when the two are not of one length, or empty.
    Gonen & Goldberg (2019), whose code assumes that cluster 0 is the male one.
    """
    clusters, labels = np.asarray(clusters), np.asarray(labels)
    if clusters.shape != labels.shape or clusters.ndim != 1 or not len(labels):
        raise ValueError(
            f"expected a label for each clustered item, (n,) both, got {clusters.shape} and {labels.shape}"
        )
    (kinds, cluster), (names, label) = (
        np.unique(values, return_inverse=True) for values in (clusters, labels)
    )
    table = np.zeros((len(kinds), len(names)))
    np.add.at(table, (cluster, label), 1)
    return float(table[linear_sum_assignment(-table)].sum() / len(labels))


def clustering_accuracy(vectors: ArrayLike, labels: ArrayLike, *, rng=None) -> float:
    """How well as many clusters as there are labels match the labels: k-means on rows of length 1.

    vectors : (n, d); labels : (n,). Returns a share in (0, 1], by `matched_accuracy`.
    Raises ValueError when shapes disagree, a vector has no direction, or there are fewer than two labels.
    Gonen & Goldberg (2019), Section 4; in context Basta, Costa-jussà & Casas (2019), Section 5. The best of five
    starts of k-means++.
    """
    from sklearn.cluster import KMeans

    vectors, labels = _labelled(vectors, labels)
    seed = int(np.random.default_rng(rng).integers(2**31))
    found = KMeans(len(np.unique(labels)), n_init=5, random_state=seed).fit_predict(
        _unit("vectors", vectors)
    )
    return matched_accuracy(found, labels)


def classification_accuracy(
    vectors: ArrayLike,
    labels: ArrayLike,
    *,
    folds: int = 5,
    groups: ArrayLike | None = None,
    rng=None,
) -> float:
    """How well a support vector machine tells the labels of words it has not seen, after training on one part in `folds`.

    vectors : (n, d), taken at length 1; labels : (n,); groups : (n,) the word of each row, so that a word with several rows
    is never on both sides. Each fold trains once and is tested on all others: with 5, the paper's 1,000 of 5,000.
    Returns the mean share of right answers, in [0, 1]. RBF kernel, C = 1, γ = 1/(d·variance): nothing is tuned, and no test
    label is seen.
    Raises ValueError when shapes disagree, there are fewer than two labels, or fewer words of a label than folds.
    Gonen & Goldberg (2019), Section 4; Basta, Costa-jussà & Casas (2019), Section 5, where C and γ are not given.
    """
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
    from sklearn.svm import SVC

    vectors, labels = _labelled(vectors, labels)
    words = np.arange(len(labels)) if groups is None else np.asarray(groups)
    if words.shape != labels.shape:
        raise ValueError(
            f"groups: expected ({len(labels)},), the word of each row, got {words.shape}"
        )
    fewest = min(len(np.unique(words[labels == label])) for label in np.unique(labels))
    if not 2 <= folds <= fewest:
        raise ValueError(
            f"folds: expected 2 to {fewest}, the words of the smaller label, got {folds}"
        )
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    splits = kind(folds, shuffle=True, random_state=int(np.random.default_rng(rng).integers(2**31)))
    rows = _unit("vectors", vectors)
    alike = rbf_kernel(rows, gamma=1 / (rows.shape[1] * rows.var()))
    right = []
    for test, train in splits.split(rows, labels, groups):  # a fold trains, the rest is the test
        machine = SVC(kernel="precomputed").fit(alike[np.ix_(train, train)], labels[train])
        right.append(machine.score(alike[np.ix_(test, train)], labels[test]))
    return float(np.mean(right))


def neighbour_correlation(scores: ArrayLike, neighbours: ArrayLike) -> Array:
    """Correlation of each word's score with the share of positive scores among its nearest neighbours.

    scores : (n,), or (n, p) for p ways of scoring; positive counts as one side, the sign only: 0 and below as the other;
    neighbours : (n, k) rows of the same words, as `lib.measures.neighbours` finds them. Returns () or (p,) in [-1, 1].
    Raises ValueError when shapes disagree, a row number is out of range, or scores or shares do not vary.
    Gonen & Goldberg (2019), Section 4; Basta, Costa-jussà & Casas (2019), Section 5. Any smooth score correlates: compare
    with other directions.
    """
    scores, neighbours = np.asarray(scores, dtype=float), np.asarray(neighbours)
    if neighbours.ndim != 2 or scores.ndim not in (1, 2) or len(scores) != len(neighbours):
        raise ValueError(
            f"expected scores (n,) or (n, p) and neighbours (n, k), got {scores.shape} and {neighbours.shape}"
        )
    if neighbours.dtype.kind not in "iu" or not 0 <= neighbours.min() <= neighbours.max() < len(
        scores
    ):
        raise ValueError(
            f"neighbours: expected row numbers below {len(scores)}, got some that are not; search the same words"
        )
    shares = np.mean(scores[neighbours] > 0, axis=1)
    sides = scores - scores.mean(axis=0), shares - shares.mean(axis=0)
    spread = np.prod([np.linalg.norm(side, axis=0) for side in sides], axis=0)
    if not np.all(spread > 0):
        raise ValueError(
            "scores: expected scores, and neighbours, of both sides; got only one, so nothing can correlate"
        )
    return (sides[0] * sides[1]).sum(axis=0) / spread


def beside_null(values: ArrayLike, null: ArrayLike) -> dict[str, float]:
    """A value, measured once or in several draws, beside the same value of random pairs that were treated alike.

    values : (r,), or one number; null : (m,), m >= 2. Returns a table row: "value" the mean of the draws, "low" and "high"
    the least and the largest; "null low", "null", "null high" the central 95 % and the median of the null; "below" the share
    of the null below the value, half of what equals it; "distance" from the null's mean in its standard deviations, and
    "distance low", "distance high" those of the least and the largest draw; all three nan when the null does not spread.
    Raises ValueError when there is no value, or fewer than two of the null.
    """
    values, null = (
        np.atleast_1d(np.asarray(values, dtype=float)),
        np.asarray(null, dtype=float).ravel(),
    )
    if not values.size or null.size < 2:
        raise ValueError(
            f"expected a value and two or more of the null, got {values.size} and {null.size}"
        )
    mean, spread = values.mean(), null.std(ddof=1) if np.ptp(null) else np.nan
    ends = dict(zip(("null low", "null", "null high"), np.quantile(null, [0.025, 0.5, 0.975])))
    places = {"value": mean, "low": values.min(), "high": values.max()}
    distances = {
        f"distance {name}".removesuffix(" value"): (at - null.mean()) / spread
        for name, at in places.items()
    }
    below = np.mean(null < mean) + np.mean(null == mean) / 2
    return {
        name: float(number)
        for name, number in {**places, **ends, "below": below, **distances}.items()
    }


def _labelled(vectors: ArrayLike, labels: ArrayLike) -> tuple[Array, NDArray]:
    vectors, labels = _vectors("vectors", vectors), np.asarray(labels)
    if labels.shape != (len(vectors),):
        raise ValueError(
            f"labels: expected ({len(vectors)},), one for each vector, got {labels.shape}"
        )
    if len(np.unique(labels)) < 2:
        raise ValueError(
            f"labels: expected two or more different ones, got {np.unique(labels).tolist()}"
        )
    return vectors, labels


def _vectors(name: str, values: ArrayLike) -> Array:
    array = np.asarray(values)
    if array.ndim != 2 or not array.size or array.dtype.kind not in "fiu":
        raise ValueError(
            f"{name}: expected numbers, one vector a row, got {array.dtype} of shape {array.shape}"
        )
    return array if array.dtype.kind == "f" else array.astype(float)


def _unit(name: str, rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    flawed = ~(np.isfinite(lengths) & (lengths > 0))[:, 0]
    if flawed.any():
        raise ValueError(
            f"{name}: expected vectors with a direction, row {flawed.argmax()} has none; leave that word out"
        )
    return rows / lengths
