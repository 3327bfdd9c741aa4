"""Word-level bias measures on arrays: no words, no plots, no p-values.

Shapes: n words, d dimensions, p base pairs, c classes. Female first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, vectors
from lib.measures import nearest

Array = NDArray[np.floating]


def direct_bias(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Direct bias: the difference of a word's cosines with the two words of each base pair.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female, male : array_like of shape (p, d)
        Vectors of the pairs, row j of one facing row j of the other.

    Returns
    -------
    ndarray of shape (n, p)
        In [-2, 2]; positive leans female.

    Raises
    ------
    ValueError
        When shapes disagree or a vector has no direction (zero length, NaN).

    Notes
    -----
    One pair at a time, as in Section 2.1 of [1]_, after [2]_. The difference vector is not rescaled
    to unit length, so with one pair this is also the word association of [3]_ with singleton
    attribute sets.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), "Robustness and reliability of gender bias assessment
       in word embeddings: the role of base pairs".
    .. [2] Bolukbasi et al. (2016), "Man is to computer programmer as woman is to homemaker?".
    .. [3] Caliskan, Bryson & Narayanan (2017).

    Examples
    --------
    >>> direct_bias([[3, 4]], female=[[1, 0]], male=[[0, 2]])
    array([[-0.2]])
    """
    words, female, male = _words_and_pairs(words, female, male)
    contrast = _contrast(female, male).astype(words.dtype)
    return _unit_words(words) @ contrast.T


def ripa(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Relational inner product association of each word with each base pair.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words, lengths kept.
    female, male : array_like of shape (p, d)
        Vectors of the pairs, lengths kept, row j of one facing row j of the other.

    Returns
    -------
    ndarray of shape (n, p)
        Positive leans female; bounded by the length of the word's vector.

    Raises
    ------
    ValueError
        When shapes disagree or the two words of a pair share one vector.

    References
    ----------
    .. [1] Ethayarajh, Duvenaud & Hirst (2019), "Understanding undesirable word embedding
       associations", Definition 2, one pair at a time.

    Examples
    --------
    >>> ripa([[2, 1]], female=[[3, 0]], male=[[0, 4]])
    array([[0.4]])
    """
    words, female, male = _words_and_pairs(words, female, male)
    return words @ unit_rows("female - male", female - male).T.astype(words.dtype)


def neighbourhood_bias(
    words: ArrayLike,
    female: ArrayLike,
    male: ArrayLike,
    neutral: ArrayLike,
    k: int = 100,
    neighbours: NDArray[np.integer] | None = None,
    exclude: ArrayLike | None = None,
) -> Array:
    """Neighbourhood bias metric: female- minus male-leaning share of the k nearest neutral words.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female, male : array_like of shape (p, d)
        Vectors of the pairs, row j of one facing row j of the other.
    neutral : array_like of shape (m, d)
        Vectors of the neutral words.
    k : int
        How many neighbours are looked at; without use when `neighbours` are given.
    neighbours : ndarray of int of shape (n, k), optional
        Rows of `neutral` from `lib.measures.neighbours`, to use one search several times.
    exclude : array_like of int of shape (n,), optional
        The row of each word in `neutral`, -1 for none; without use when `neighbours` are given.

    Returns
    -------
    ndarray of shape (n, p)
        In [-1, 1]; positive leans female.

    Raises
    ------
    ValueError
        As `neighbours` and `direct_bias` do, or when given neighbours do not fit.

    Notes
    -----
    A neutral word leans by the sign of its direct bias with the same pair; a direct bias of exactly
    0 counts as male, as published. One search serves all pairs.

    References
    ----------
    .. [1] Gonen & Goldberg (2019), "Lipstick on a pig"; one pair at a time as in Zhang, Sneyd &
       Stevenson (2020), Section 2.1.

    Examples
    --------
    >>> neutral = [[3, 1], [2, 1], [1, 3]]  # two lean to [1, 0], one to [0, 1]
    >>> neighbourhood_bias([[1, 1]], [[1, 0]], [[0, 1]], neutral, k=3).round(2)
    array([[0.33]])
    """
    words, female, male = _words_and_pairs(words, female, male)
    neutral = vectors("neutral", neutral, dimensions=words.shape[1])
    contrast = _contrast(female, male).astype(neutral.dtype)
    leans_female = neutral @ contrast.T > 0  # a sign needs no unit length
    if neighbours is None:
        neighbours = nearest.neighbours(words, neutral, k, exclude=exclude)
    rows = np.asarray(neighbours)
    if rows.ndim != 2 or len(rows) != len(words):
        raise ValueError(
            f"neighbours: expected ({len(words)}, k), a row for each word, got {rows.shape}"
        )
    if rows.size and not 0 <= rows.min() <= rows.max() < len(neutral):
        raise ValueError(
            f"neighbours: expected row numbers below {len(neutral)}, "
            f"got {rows.min()} to {rows.max()}"
        )
    shares = [leans[rows].mean(axis=1) for leans in leans_female.T]
    return 2 * np.stack(shares, axis=1) - 1


def axis_projection(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Projection of each word on the axis from the mean male to the mean female vector.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words, lengths kept.
    female : array_like of shape (a, d)
        Vectors of the female words.
    male : array_like of shape (b, d)
        Vectors of the male words.

    Returns
    -------
    ndarray of shape (n,)
        Positive leans female; the mean over a theme is the paper's average axis projection.

    Raises
    ------
    ValueError
        When shapes disagree or the two lists have one mean.

    References
    ----------
    .. [1] Friedman et al. (2019), "Relating word embedding gender biases to gender gaps",
       equation 1.

    Examples
    --------
    >>> axis_projection([[2, 5]], female=[[4, 0], [2, 0]], male=[[-1, 0]])
    array([2.])
    """
    words, female, male = _in_one_space(words, female=female, male=male)
    axis = female.mean(axis=0, keepdims=True) - male.mean(axis=0, keepdims=True)
    return (words @ unit_rows("mean female - mean male", axis).T.astype(words.dtype))[:, 0]


def relative_norm_difference(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """How much nearer a word lies to the mean female vector, ``|w - male| - |w - female|``.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female : array_like of shape (a, d)
        Vectors of the female words.
    male : array_like of shape (b, d)
        Vectors of the male words.

    Returns
    -------
    ndarray of shape (n,)
        Positive leans female.

    Raises
    ------
    ValueError
        When shapes disagree.

    References
    ----------
    .. [1] Garg et al. (2018), "Word embeddings quantify 100 years of gender and ethnic
       stereotypes"; order as in Friedman et al. (2019), Figure 5.

    Examples
    --------
    >>> relative_norm_difference([[1, 0]], female=[[2, 0]], male=[[-2, 0]])
    array([2.])
    """
    to_female, to_male = _distances(words, female, male)
    return to_male - to_female


def relative_norm_ratio(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Distance to the mean male over distance to the mean female vector.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female : array_like of shape (a, d)
        Vectors of the female words.
    male : array_like of shape (b, d)
        Vectors of the male words.

    Returns
    -------
    ndarray of shape (n,)
        ``|w - male| / |w - female|``, above 0; above 1 leans female.

    Raises
    ------
    ValueError
        When shapes disagree or a word lies on the mean female vector.

    References
    ----------
    .. [1] Friedman et al. (2019), "Relating word embedding gender biases to gender gaps",
       Figure 5.

    Examples
    --------
    >>> relative_norm_ratio([[1, 0]], female=[[2, 0]], male=[[-2, 0]])
    array([3.])
    """
    to_female, to_male = _distances(words, female, male)
    if not to_female.all():
        raise ValueError(
            f"words: row {int(np.argmin(to_female))} equals the mean female vector, "
            "so its ratio is infinite"
        )
    return to_male / to_female


def gender_polarity(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Cosine of each word with the difference of two words (she - he in the paper).

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female, male : array_like of shape (d,)
        Vectors of the two words.

    Returns
    -------
    ndarray of shape (n,)
        In [-1, 1]; positive leans female.

    Raises
    ------
    ValueError
        When shapes disagree or the two vectors are one.

    References
    ----------
    .. [1] Lu, Sujichantararat & Lohanimit (2021), "BOLD and beyond", equation 1, after Dhamala et
       al. (2021).

    Examples
    --------
    >>> gender_polarity([[3, 4]], female=[1, 0], male=[-1, 0])
    array([0.6])
    """
    words, female, male = _words_and_pairs(words, np.atleast_2d(female), np.atleast_2d(male))
    direction = unit_rows("female - male", female - male).astype(words.dtype)
    return (_unit_words(words) @ direction.T)[:, 0]


def one_vs_one(words: ArrayLike, classes: ArrayLike) -> Array:
    """Mean absolute cosine of each word with the differences of all pairs of class words.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    classes : array_like of shape (c, d)
        Vectors of two or more class words.

    Returns
    -------
    ndarray of shape (n,)
        In [0, 1]; it has no sign: more is more association.

    Raises
    ------
    ValueError
        When shapes disagree, there are fewer than two classes, or two class words share one vector.

    References
    ----------
    .. [1] Lu, Sujichantararat & Lohanimit (2021), "BOLD and beyond", equation 4 (ordered pairs; the
       unordered give the same mean).

    Examples
    --------
    >>> one_vs_one([[3, 4]], classes=[[1, 0], [-1, 0]])
    array([0.6])
    """
    words, classes = _words_and_classes(words, classes)
    first, second = np.triu_indices(len(classes), k=1)
    directions = unit_rows("difference of classes", classes[first] - classes[second])
    scores: Array = np.abs(_unit_words(words) @ directions.T.astype(words.dtype)).mean(axis=1)
    return scores


def one_vs_rest(words: ArrayLike, classes: ArrayLike) -> Array:
    """Largest cosine of each word with a class word minus the mean of the other class words.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    classes : array_like of shape (c, d)
        Vectors of two or more class words.

    Returns
    -------
    ndarray of shape (n,)
        In [-1, 1], a signed maximum.

    Raises
    ------
    ValueError
        When shapes disagree, there are fewer than two classes, or a class word is the mean of the
        others.

    References
    ----------
    .. [1] Lu, Sujichantararat & Lohanimit (2021), "BOLD and beyond", equation 7.

    Examples
    --------
    >>> one_vs_rest([[3, 4]], classes=[[1, 0], [-1, 0]])
    array([0.6])
    """
    words, classes = _words_and_classes(words, classes)
    against_rest = unit_rows("class minus the rest", classes - classes.mean(axis=0))
    scores: Array = (_unit_words(words) @ against_rest.T.astype(words.dtype)).max(axis=1)
    return scores


def mean_average_cosine(words: ArrayLike, attribute_sets: Sequence[ArrayLike]) -> Array:
    """Mean cosine distance of each word to each set of attribute words.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    attribute_sets : sequence of array_like of shape (a_j, d)
        Vectors of the attribute words, set by set.

    Returns
    -------
    ndarray of shape (n, s)
        In [0, 2]; 1 is no association. MAC is the mean of what comes back.

    Raises
    ------
    ValueError
        When shapes disagree or there is no attribute set.

    References
    ----------
    .. [1] Manzini et al. (2019), "Black is to criminal as Caucasian is to police", equation 2.

    Examples
    --------
    >>> mean_average_cosine([[1, 0]], [[[0, 2]], [[3, 0], [0, 1]]])
    array([[1. , 0.5]])
    """
    if not len(attribute_sets):
        raise ValueError("attribute_sets: expected at least one array of vectors, got none")
    spaces = [_in_one_space(words, attributes=attributes) for attributes in attribute_sets]
    return np.stack(
        [1 - (_unit_words(w) @ unit_rows("attributes", a).T).mean(axis=1) for w, a in spaces],
        axis=1,
    )


def _in_one_space(words: ArrayLike, **others: ArrayLike) -> list[Array]:
    """Checked vectors of one number of dimensions; only of words there may be none."""
    checked = vectors("words", words, at_least=0)
    d = checked.shape[1]
    return [checked, *(vectors(name, rows, dimensions=d) for name, rows in others.items())]


def _words_and_pairs(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> list[Array]:
    """Words as given and pairs in double precision, as many female as male words."""
    words, female, male = _in_one_space(words, female=female, male=male)
    if len(female) != len(male):
        raise ValueError(
            "expected as many female as male vectors, a pair a row, "
            f"got {len(female)} and {len(male)}"
        )
    return [words, female.astype(np.float64), male.astype(np.float64)]


def _words_and_classes(words: ArrayLike, classes: ArrayLike) -> list[Array]:
    """Words as given and two or more classes in double precision."""
    words, classes = _in_one_space(words, classes=classes)
    if len(classes) < 2:
        raise ValueError(f"classes: expected at least two class words, got {len(classes)}")
    return [words, classes.astype(np.float64)]


def _unit_words(words: Array) -> Array:
    return unit_rows("words", words, at_least=0)


def _contrast(female: Array, male: Array) -> Array:
    """The difference of the two words of each pair, both at unit length."""
    return unit_rows("female", female) - unit_rows("male", male)


def _distances(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> list[Array]:
    """Distances of the words (n,) to the mean female and to the mean male vector."""
    words, female, male = _in_one_space(words, female=female, male=male)
    return [np.linalg.norm(words - side.mean(axis=0), axis=1) for side in (female, male)]
