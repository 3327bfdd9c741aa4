"""RNSB, ECT and SAME: scores of a list of words beside groups of people, as users of WEFE know them.

Shapes: n words, d dimensions, k groups. None says anything alone: each has a value for random words,
too, and each docstring names the function that draws them. WEFE's others are `lib.association.weat`
(with ddof=0), and in `lib.measures` `relative_norm_difference` (RND), `mean_average_cosine` (MAC) and
`ripa`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors

Array = NDArray[np.floating]
Floats = NDArray[np.float64]
FLAT = 1e-12  # means of unit vectors that are nearer are one mean, and its rounding


def negative_sentiment(
    words: ArrayLike,
    positive: ArrayLike,
    negative: ArrayLike,
    *,
    C: float = 1.0,
    trained_on: float = 1.0,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Probability that a word is a negative one, by a classifier taught on a sentiment lexicon.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words to score, which should not be in the lexicon.
    positive, negative : array_like of shape (a, d) and (b, d)
        Vectors of the lexicon's words.
    C : float
        Inverse strength of the ridge penalty of the logistic regression, above 0. WEFE has 1; the
        multinomial form of two classes in the authors' code is C = 2.
    trained_on : float
        Share of each list that is drawn to train on, above 0 and at most 1. With 1 nothing is
        drawn; the authors' code has 0.9 and WEFE 0.8, each draw a result: average over many.
    rng : Generator or int, optional
        Random numbers or a seed, if words are drawn.

    Returns
    -------
    ndarray of shape (n,)
        In (0, 1). 0.5 is neutral only where both lists are as long: a longer list draws all words to
        its side. Exchanging the lists gives one minus it.

    Raises
    ------
    ValueError
        Where shapes disagree, numbers are not finite, or C or trained_on is out of range.

    Notes
    -----
    Rotations make no difference, lengths do: the penalty weighs less on longer vectors (twice as long
    is four times C). The solver is deterministic. First see that words which it has not met come out
    right: `lib.measures.known_groups.separation`.

    References
    ----------
    .. [1] Sweeney & Najafian (2019), "A transparent framework for evaluating unintended demographic
       bias in word embeddings", and their code at github.com/ChristopherSweeney/AIFairness, commit
       88f060e.

    Examples
    --------
    >>> found = negative_sentiment([[2, 0], [0, 5], [-2, 0]], [[-1, 0], [-2, 1]], [[1, 0], [2, 1]])
    >>> found.round(2)
    array([0.88, 0.5 , 0.12])
    """
    from sklearn.linear_model import LogisticRegression

    rows = vectors("words", words)
    lists = [
        vectors(name, side, dimensions=rows.shape[1]).astype(np.float64)
        for name, side in (("positive", positive), ("negative", negative))
    ]
    if not (C > 0 and 0 < trained_on <= 1):
        raise ValueError(
            "expected C above 0 and trained_on above 0 and at most 1, "
            f"got C {C!r} and trained_on {trained_on!r}"
        )
    if trained_on < 1:
        generator = np.random.default_rng(rng)
        lists = [
            generator.permutation(side)[: int(np.ceil(trained_on * len(side)))] for side in lists
        ]
    is_negative = np.repeat([0, 1], [len(side) for side in lists])
    model = LogisticRegression(C=C, solver="lbfgs", tol=1e-8, max_iter=10_000)
    model.fit(np.concatenate(lists), is_negative)
    log_odds = rows @ model.coef_[0].astype(rows.dtype) + model.intercept_[0]
    probabilities: Floats = np.exp(-np.logaddexp(0, -log_odds.astype(np.float64)))
    return probabilities


def rnsb(probabilities: ArrayLike) -> float | Floats:
    """RNSB, relative negative sentiment bias: how unevenly negative sentiment is spread over words.

    Parameters
    ----------
    probabilities : array_like of shape (n,) or (draws, n)
        Of `negative_sentiment`, for n words that name groups (*Swedish*, *Mexican*, …): two or more.

    Returns
    -------
    float or ndarray of shape (draws,)
        Kullback-Leibler divergence of the shares p / Σp from 1/n each, in nats, from 0 to log n. 0
        where all words are as negative, however negative that is. It has no sign, and does not say
        which words are the negative ones: the probabilities do. Never compare it across n.

    Raises
    ------
    ValueError
        For fewer than two words, a number outside [0, 1], or nothing but zeros.

    Notes
    -----
    Any words differ, so that it is above 0 for every list. For a null score the vocabulary once and
    take random words near in frequency, ``rnsb(scores[random_words(positions, len(scores), 1000)])``
    with `lib.inference.random_words.random_words`; a large RNSB is one that few of these reach
    (`lib.inference.sums.p_of_draws`).

    WEFE's ``RNSB().run_query(…, estimator_params={"solver": "lbfgs", "max_iter": 10_000},
    holdout=False)`` is the same number. Its defaults draw four fifths of the lexicon, and penalise the
    intercept.

    References
    ----------
    .. [1] Sweeney & Najafian (2019), "A transparent framework for evaluating unintended demographic
       bias in word embeddings", and their code at github.com/ChristopherSweeney/AIFairness, commit
       88f060e.

    Examples
    --------
    >>> float(rnsb([0.2, 0.2, 0.2])), round(float(rnsb([0.9, 0.1])), 3)
    (0.0, 0.368)
    """
    table = real_numbers("probabilities", probabilities)
    if table.ndim not in (1, 2) or table.shape[-1] < 2:
        raise ValueError(
            "probabilities: expected one for each of two words or more, (n,) or (draws, n); "
            f"got shape {table.shape}"
        )
    if not ((table >= 0) & (table <= 1)).all() or not table.any(axis=-1).all():
        raise ValueError(
            "probabilities: expected numbers from 0 to 1, not all 0; "
            f"got {table.min():.6g} to {table.max():.6g}"
        )
    shares = table / table.sum(axis=-1, keepdims=True)
    logs = np.log(shares * table.shape[-1], out=np.zeros_like(shares), where=shares > 0)
    divergence: Floats = np.maximum((shares * logs).sum(axis=-1), 0)
    return divergence if table.ndim == 2 else float(divergence)


def ect(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> float:
    """ECT, embedding coherence test: do two groups put the words in one order of similarity?

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of three words or more, such as occupations; WEFE calls them attributes. Their
        lengths make no difference.
    female, male : array_like of shape (a, d) and (b, d)
        Vectors of the words that name the groups, WEFE's targets. Their means are of the vectors as
        they are, so that long ones count for more: give unit vectors where that should not be.

    Returns
    -------
    float
        Spearman's correlation of the words' cosines with the two means, in [-1, 1]. 1 is full
        coherence: no difference that this test can see. **Less is more bias**, and 0 is not its
        neutral point. Exchanging the groups changes nothing.

    Raises
    ------
    ValueError
        For fewer than three words, shapes that disagree, vectors or means without a direction, or
        words that are all as similar.

    Notes
    -----
    A difference that is the same for all words leaves their order, and is not seen. Two means share
    what all vectors of a space share, so that high values are common. For a null take random words
    near in frequency in place of the words, ``[ect(vocabulary[rows], female, male) for rows in
    random_words(positions, len(vocabulary), 1000)]`` with `lib.inference.random_words.random_words`: a
    low ECT is one that few of these fall below.

    References
    ----------
    .. [1] Dev & Phillips (2019), "Attenuating bias in word vectors", and their code at
       github.com/sunipa/Attenuating-Bias-in-Word-Vec, commit d71b4c3.

    Examples
    --------
    >>> words = [[1, 0], [2, 1], [1, 1], [0, 1]]
    >>> round(ect(words, [[3, 1]], [[2, 1]]), 2), round(ect(words, [[1, 0]], [[0, 1]]), 2)
    (0.8, -1.0)
    """
    from scipy.stats import spearmanr  # slow to import, and only this one needs it

    rows = unit_rows("words", words, at_least=3).astype(np.float64)
    similarities = []
    for name, side in (("female", female), ("male", male)):
        mean = vectors(name, side, dimensions=rows.shape[1]).mean(axis=0, keepdims=True)
        similarities.append(rows @ unit_rows(f"mean {name}", mean)[0])
    if not all(np.ptp(found) > FLAT for found in similarities):
        raise ValueError(
            "words: expected words that differ in similarity to each group, got all alike; "
            "they have no order"
        )
    return float(spearmanr(*similarities).statistic)


def same_lean(words: ArrayLike, female: ArrayLike, male: ArrayLike) -> Array:
    """Signed SAME of two groups: cosine of each word with the difference of their mean directions.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    female, male : array_like of shape (a, d) and (b, d)
        Vectors of the words that name the groups, taken at length 1.

    Returns
    -------
    ndarray of shape (n,)
        In [-1, 1]; positive leans female, 0 is as near to both. Over a list the authors call the
        mean skew, and the population deviation stereotype.

    Raises
    ------
    ValueError
        Where shapes disagree, a vector has no direction, or both groups have one mean.

    Notes
    -----
    The association of WEAT divided by the length of the difference, so that lists which hardly differ
    get scores as large as others: see that known groups are told apart
    (`lib.measures.known_groups.separation`). For a null `lib.inference.random_attributes.random_axes`
    draws the same differences with random words in place of both groups; the product of unit words
    and `lib.checks.unit_rows` of these is this score. Compare `lib.measures.axis_projection`, where
    lengths count.

    The released code has the first group positive here, and the second in its ``*_pairwise`` methods.

    References
    ----------
    .. [1] Schröder, Schulz & Hammer (2024), "The SAME score", and the code at
       github.com/HammerLabML/EmbeddingBiasScores, commit 5e72d36.

    Examples
    --------
    >>> same_lean([[3, 4], [0, -1]], female=[[2, 0]], male=[[0, 1], [0, 7]]).round(2)
    array([-0.14,  0.71])
    """
    rows = unit_rows("words", words, at_least=0)
    first, second = _mean_directions([female, male], ["female", "male"], rows.shape[1])
    return rows @ _first_direction(first - second).astype(rows.dtype)


def same_score(words: ArrayLike, groups: Sequence[ArrayLike]) -> Array:
    """SAME, scoring association means of embeddings: how far each word leans to any of the groups.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors of the words.
    groups : sequence of array_like of shape (a_j, d)
        Vectors of the words that name the groups, group by group, taken at length 1; two groups or
        more.

    Returns
    -------
    ndarray of shape (n,)
        From 0, where a word is as near to all groups; the score of a list is the mean. It has no
        sign. With two groups it is the size of `same_lean`, at most 1, and their order makes no
        difference.

    Raises
    ------
    ValueError
        For fewer than two groups, shapes that disagree, a vector without a direction, or first two
        groups with one mean.

    Notes
    -----
    With more groups each further one adds what is new in its difference from the first: the part at
    right angles to those before, times its length. The first difference is taken at length 1, the
    others as long as they are, as in the released code; so **the order of three or more groups
    changes the score**, and its bound. Give scores in several orders, or `same_lean` of each two
    groups.

    For a null of a list take random words near in frequency,
    ``same_score(vocabulary, groups)[random_words(positions, len(vocabulary), 1000)].mean(axis=1)`` with
    `lib.inference.random_words.random_words`; a large SAME is one that few of these reach. What
    random groups of words would give is in `same_lean`.

    References
    ----------
    .. [1] Schröder, Schulz & Hammer (2024), "The SAME score", and the code at
       github.com/HammerLabML/EmbeddingBiasScores, commit 5e72d36.

    Examples
    --------
    >>> same_score([[3, 4], [1, 1]], [[[2, 0]], [[0, 1], [0, 7]]]).round(2)
    array([0.14, 0.  ])
    """
    rows = unit_rows("words", words, at_least=0)
    if len(groups) < 2:
        raise ValueError(f"groups: expected two or more lists of vectors, got {len(groups)}")
    names = [f"group {place}" for place in range(len(groups))]
    first, second, *others = _mean_directions(groups, names, rows.shape[1])
    axes = _first_direction(first - second)[None]
    parts = [axes[0]]
    for other in others:
        new = first - other
        new = new - axes.T @ (axes @ new)
        length = float(np.linalg.norm(new))
        if length > FLAT:  # else the group lies among those before, and adds nothing
            axes = np.vstack([axes, new / length])
            parts.append(new)
    scores: Array = np.abs(rows @ np.stack(parts, axis=1).astype(rows.dtype)).sum(axis=1)
    return scores


def _mean_directions(groups: Sequence[ArrayLike], names: Sequence[str], d: int) -> list[Floats]:
    """Means (d,) of the unit vectors of each group."""
    return [
        unit_rows(name, vectors(name, rows, dimensions=d)).mean(axis=0, dtype=np.float64)
        for name, rows in zip(names, groups)
    ]


def _first_direction(difference: Floats) -> Floats:
    """A difference of two means at length 1."""
    length = float(np.linalg.norm(difference))
    if length <= FLAT:
        raise ValueError(
            "expected groups whose mean directions differ, got one mean for the first two; "
            "give other words"
        )
    return difference / length
