"""Word-level bias measures on arrays: no words, no plots, no p-values.

Shapes: n words, d dimensions, p base pairs, c classes. Word-level scores are female first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]


def direct_bias(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Direct bias of each word with each base pair: the difference of its cosines with the two words of the pair.

    words : (n, d); female, male : (p, d) vectors of the pairs, row j of one facing row j of the other.
    Returns (n, p) in [-2, 2]; positive leans female. The difference vector is not rescaled to unit length, so with one
    pair this is also the word association of Caliskan et al. with singleton attribute sets.
    Raises ValueError when shapes disagree or a vector has no direction (zero length, NaN).
    Zhang, Sneyd & Stevenson (2020), Section 2.1, after Bolukbasi et al. (2016), one pair at a time.
    """
    words, female, male = _pairs_in_one_space(words, female, male)
    return _unit(words) @ _contrast(female, male).T.astype(words.dtype)


def ripa(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Relational inner product association of each word with each base pair.

    words : (n, d) raw word vectors; female, male : (p, d) raw vectors of the pairs, row j of one facing row j of the other.
    Returns (n, p); positive leans female; bounded by the length of the word's vector.
    Raises ValueError when shapes disagree or the two words of a pair share one vector.
    Ethayarajh, Duvenaud & Hirst (2019), Definition 2, one pair at a time.
    """
    words, female, male = _pairs_in_one_space(words, female, male)
    return words @ _unit(female - male, "female - male").T.astype(words.dtype)


def neighbours(
    words: ArrayLike,
    neutral: ArrayLike,
    k: int = 100,
    *,
    metric: str = "cosine",
    exclude: ArrayLike | None = None,
    memory: int = 2**30,
) -> NDArray[np.int64]:
    """The k nearest neutral words of each word, nearest first, ties by index.

    words : (n, d); neutral : (m, d); metric : "cosine" or "dot" (inner product of the vectors as given);
    exclude : (n,) index of the word's own row in neutral, -1 for none; memory : bytes that the scores may take at a time.
    Returns (n, k) row numbers of neutral.
    Raises ValueError when shapes disagree, the metric is unknown, or k exceeds the neutral words that are left.
    One float32 matrix product per block of words, as in the search behind Gonen & Goldberg's (2019) measure.
    """
    words, neutral = _same_space(words=words, neutral=neutral)
    excluded = _own_rows(exclude, len(words), len(neutral))
    available = len(neutral) - int((excluded >= 0).any())
    if not 1 <= k <= available:
        raise ValueError(
            f"k: expected 1 to {available} (the neutral words left to search), got {k}; lower k or add words"
        )
    if metric not in ("cosine", "dot"):
        raise ValueError(f'metric: expected "cosine" or "dot", got {metric!r}')
    if metric == "cosine":
        words, neutral = _unit(words), _unit(neutral, "neutral")
    blocks = _nearest_by_block(words, neutral, k, excluded, memory)
    return np.concatenate(list(blocks)) if len(words) else np.empty((0, k), np.int64)


def neighbourhood_bias(
    words: ArrayLike,
    female: ArrayLike,
    male: ArrayLike,
    neutral: ArrayLike,
    k: int = 100,
    neighbours: NDArray[np.integer] | None = None,
    exclude: ArrayLike | None = None,
) -> Array:
    """Neighbourhood bias metric: female-leaning minus male-leaning share among the k nearest neutral words.

    words : (n, d); female, male : (p, d); neutral : (m, d); neighbours : (n, k) from `neighbours`, to reuse one search;
    exclude : (n,) index of the word's own row in neutral, -1 for none (ignored when neighbours are given).
    Returns (n, p) in [-1, 1]; positive leans female. A neutral word leans by the sign of its direct bias with the same
    pair; a direct bias of exactly 0 counts as male, as published. One search serves all pairs.
    Raises ValueError as `neighbours` and `direct_bias` do, or when given neighbours do not fit.
    Gonen & Goldberg (2019); one pair at a time as in Zhang, Sneyd & Stevenson (2020), Section 2.1.
    """
    words, neutral = _same_space(words=words, neutral=neutral)
    _, female, male = _pairs_in_one_space(neutral, female, male)
    female_leaning = (
        neutral @ _contrast(female, male).T.astype(neutral.dtype) > 0
    )  # a sign needs no unit length
    if neighbours is None:
        found = _search(words, neutral, k, exclude=exclude)
    else:
        found = np.asarray(neighbours)
        if found.ndim != 2 or len(found) != len(words):
            raise ValueError(
                f"neighbours: expected ({len(words)}, k), a row for each word, got {found.shape}"
            )
        if found.size and not 0 <= found.min() <= found.max() < len(neutral):
            raise ValueError(
                f"neighbours: expected row numbers below {len(neutral)}, got {found.min()} to {found.max()}"
            )
    shares = [leaning[found].mean(axis=1) for leaning in female_leaning.T]
    return 2 * np.stack(shares, axis=1) - 1


_search = neighbours


def axis_projection(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Projection of each word on the axis from the mean male to the mean female vector.

    words : (n, d); female : (a, d) and male : (b, d) raw vectors of two word lists, of any two sizes.
    Returns (n,); positive leans female; their mean over a theme is the paper's average axis projection.
    Raises ValueError when shapes disagree or the two lists have one mean.
    Friedman et al. (2019), equation 1.
    """
    words, female, male = _same_space(words=words, female=female, male=male)
    axis = female.mean(axis=0, keepdims=True) - male.mean(axis=0, keepdims=True)
    return (words @ _unit(axis, "mean female - mean male").T.astype(words.dtype))[:, 0]


def relative_norm_difference(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """How much nearer each word lies to the mean female than to the mean male vector, ``|w - male| - |w - female|``.

    words : (n, d); female : (a, d); male : (b, d). Returns (n,); positive leans female.
    Raises ValueError when shapes disagree.
    Garg et al. (2018); order as in Friedman et al. (2019), Figure 5.
    """
    to_female, to_male = _distances(words, female, male)
    return to_male - to_female


def relative_norm_ratio(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Distance to the mean male over distance to the mean female vector, ``|w - male| / |w - female|``.

    words : (n, d); female : (a, d); male : (b, d). Returns (n,) above 0; above 1 leans female.
    Raises ValueError when shapes disagree or a word lies on the mean female vector.
    Friedman et al. (2019), Figure 5.
    """
    to_female, to_male = _distances(words, female, male)
    if not to_female.all():
        raise ValueError(
            f"words: row {int(np.argmin(to_female))} equals the mean female vector, so its ratio is infinite"
        )
    return to_male / to_female


def gender_polarity(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Cosine of each word with the difference of two words (she - he in the paper).

    words : (n, d); female, male : (d,). Returns (n,) in [-1, 1]; positive leans female.
    Raises ValueError when shapes disagree or the two vectors are one.
    Lu, Sujichantararat & Lohanimit (2021), equation 1, after Dhamala et al. (2021).
    """
    words, female, male = _pairs_in_one_space(words, np.atleast_2d(female), np.atleast_2d(male))
    return (_unit(words) @ _unit(female - male, "female - male").T.astype(words.dtype))[:, 0]


def one_vs_one(words: ArrayLike, classes: ArrayLike) -> Array:
    """Mean absolute cosine of each word with the differences of all pairs of class words.

    words : (n, d); classes : (c, d), c >= 2. Returns (n,) in [0, 1]; it has no sign: more is more association.
    Raises ValueError when shapes disagree, there are fewer than two classes, or two class words share one vector.
    Lu, Sujichantararat & Lohanimit (2021), equation 4 (ordered pairs; the unordered give the same mean).
    """
    words, classes = _classes_in_one_space(words, classes)
    first, second = np.triu_indices(len(classes), k=1)
    differences = _unit(classes[first] - classes[second], "difference of classes")
    return np.abs(_unit(words) @ differences.T.astype(words.dtype)).mean(axis=1)


def one_vs_rest(words: ArrayLike, classes: ArrayLike) -> Array:
    """Largest cosine of each word with a class word minus the mean of the other class words (signed maximum).

    words : (n, d); classes : (c, d), c >= 2. Returns (n,) in [-1, 1].
    Raises ValueError when shapes disagree, there are fewer than two classes, or a class word is the mean of the others.
    Lu, Sujichantararat & Lohanimit (2021), equation 7.
    """
    words, classes = _classes_in_one_space(words, classes)
    against_rest = _unit(classes - classes.mean(axis=0), "class minus the rest")
    return (_unit(words) @ against_rest.T.astype(words.dtype)).max(axis=1)


def mean_average_cosine(words: ArrayLike, attribute_sets: Sequence[ArrayLike]) -> Array:
    """Mean cosine distance of each word to each set of attribute words; MAC is the mean of what comes back.

    words : (n, d); attribute_sets : s arrays (a_j, d). Returns (n, s) in [0, 2]; 1 is no association.
    Raises ValueError when shapes disagree or there is no attribute set.
    Manzini et al. (2019), equation 2.
    """
    if not len(attribute_sets):
        raise ValueError(
            "attribute_sets: expected at least one array of attribute vectors, got none"
        )
    spaces = [_same_space(words=words, attributes=attributes) for attributes in attribute_sets]
    return np.stack(
        [1 - (_unit(w) @ _unit(a, "attributes").T).mean(axis=1) for w, a in spaces], axis=1
    )


def _same_space(**arrays: ArrayLike) -> list[Array]:
    checked = []
    for name, values in arrays.items():
        array = np.asarray(values)
        if array.ndim != 2:
            raise ValueError(
                f"{name}: expected a 2-d array, one vector a row, got {array.ndim}-d of shape {array.shape}"
            )
        if array.shape[0] == 0 and name != "words":
            raise ValueError(f"{name}: expected at least one vector, got none")
        checked.append(
            array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)
        )
    widths = {name: array.shape[1] for name, array in zip(arrays, checked)}
    if len(set(widths.values())) > 1:
        raise ValueError(
            f"expected vectors of one space, got dimensions {widths}; load all of them from one embedding"
        )
    return checked


def _pairs_in_one_space(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> list[Array]:
    words, female, male = _same_space(words=words, female=female, male=male)
    if len(female) != len(male):
        raise ValueError(
            f"expected as many female as male vectors, a pair a row, got {len(female)} and {len(male)}"
        )
    return [words, female.astype(np.float64), male.astype(np.float64)]


def _classes_in_one_space(words: ArrayLike, classes: ArrayLike) -> list[Array]:
    words, classes = _same_space(words=words, classes=classes)
    if len(classes) < 2:
        raise ValueError(f"classes: expected at least two class words, got {len(classes)}")
    return [words, classes.astype(np.float64)]


def _unit(rows: Array, name: str = "words") -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    flawed = ~(np.isfinite(lengths) & (lengths > 0))[:, 0]
    if flawed.any():
        row = int(np.argmax(flawed))
        what = "zero length" if lengths[row, 0] == 0 else "NaN or infinite values"
        raise ValueError(
            f"{name}: expected vectors with a direction, got {what} in row {row}; leave that word or pair out"
        )
    return rows / lengths


def _contrast(female: Array, male: Array) -> Array:
    return _unit(female, "female") - _unit(male, "male")


def _distances(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> tuple[Array, Array]:
    words, female, male = _same_space(words=words, female=female, male=male)
    return tuple(np.linalg.norm(words - side.mean(axis=0), axis=1) for side in (female, male))


def _own_rows(exclude: ArrayLike | None, n: int, m: int) -> NDArray[np.int64]:
    own = np.full(n, -1) if exclude is None else np.asarray(exclude)
    if (
        own.shape != (n,)
        or own.dtype.kind not in "iu"
        or (n and not -1 <= own.min() <= own.max() < m)
    ):
        raise ValueError(
            f"exclude: expected ({n},) row numbers of neutral below {m}, -1 for none, got {own!r}"
        )
    return own.astype(np.int64)


def _nearest_by_block(
    words: Array, neutral: Array, k: int, own: NDArray, memory: int
) -> Iterator[NDArray[np.int64]]:
    import torch

    keys = torch.from_numpy(np.ascontiguousarray(neutral, np.float32)).T
    more = min(k + 1, len(neutral))
    step = max(1, min(1024, memory // (8 * len(neutral))))
    for start in range(0, len(words), step):
        scores = (
            torch.from_numpy(np.ascontiguousarray(words[start : start + step], np.float32)) @ keys
        )
        skip = own[start : start + step]
        rows = np.flatnonzero(skip >= 0)
        scores[rows, skip[rows]] = -torch.inf
        best, found = (array.numpy() for array in scores.topk(more, dim=1))
        tied = np.flatnonzero((best[:, 1:] == best[:, :-1]).any(axis=1))
        found[tied] = np.argsort(-scores[tied].numpy(), axis=1, kind="stable")[:, :more]
        yield found[:, :k]
