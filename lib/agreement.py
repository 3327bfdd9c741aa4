"""Agreement between measures that each call a word female- or male-leaning: kappas, AC1, stability.

Scores are (n, p): n words judged by p raters (a base pair, a measure, a word form); the sign of a
score is the judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers
from lib.inference.bootstrap import word_interval

Floats = NDArray[np.float64]
Judgements = NDArray[np.int8]  # 1 female, -1 male, 0 neither

ZEROS = ("second", "own", "drop")


def direction_kappa(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Fleiss' kappa of the signs of the scores, each column a rater.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by two raters or more; infinity counts by its sign.
    zeros : {"second", "own", "drop"}
        "second" counts 0 as the second (male) pole, as published; "own" as a category of its own;
        "drop" leaves out words with any 0.

    Returns
    -------
    float
        At most 1; 0 is agreement by chance; NaN where every judgement is the same (chance agreement
        is then 1).

    Raises
    ------
    ValueError
        For fewer than two raters, no word, NaN scores or an unknown `zeros`.

    References
    ----------
    .. [1] Fleiss (1971), as in Zhang, Sneyd & Stevenson (2020), Table 2.

    Examples
    --------
    >>> direction_kappa([[1, 2, 3], [-1, -2, -3]])
    1.0
    >>> round(direction_kappa([[1, 2, -3], [-1, -2, -3]]), 2)
    0.25
    """
    counts = _counts(scores, zeros)
    chance = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    return _beyond_chance(_agreeing_pairs(counts), chance)


def pairwise_kappa(scores: ArrayLike, others: ArrayLike, *, zeros: str = "second") -> Floats:
    """Cohen's kappa of the signs of two sets of scores, column by column.

    Parameters
    ----------
    scores, others : array_like of shape (n, p)
        Scores of the same words.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`; "drop" leaves out the words where either is 0, column by column.

    Returns
    -------
    ndarray of shape (p,)
        Each at most 1; 0 is agreement by chance; NaN where all judgements of a column are the same.

    Raises
    ------
    ValueError
        When shapes differ, for no word, NaN scores or an unknown `zeros`.

    References
    ----------
    .. [1] Cohen (1960), as in Zhang, Sneyd & Stevenson (2020), Tables 3-6.

    Examples
    --------
    >>> pairwise_kappa([[1], [2], [-1], [-1]], [[1], [-1], [-1], [-1]])
    array([0.5])
    """
    first, second = _judgements(scores, zeros), _judgements(others, zeros)
    if first.shape != second.shape:
        raise ValueError(
            f"expected two score arrays of one shape, got {first.shape} and {second.shape}"
        )
    return np.array([_cohen(a, b, zeros) for a, b in zip(first.T, second.T)])


def kappa_between_raters(scores: ArrayLike, *, zeros: str = "second") -> Floats:
    """Cohen's kappa of the signs for every pair of columns.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by two raters or more.
    zeros : {"second", "own", "drop"}
        As in `pairwise_kappa`.

    Returns
    -------
    ndarray of shape (p, p)
        Symmetric, with 1 on the diagonal; NaN where undefined.

    Raises
    ------
    ValueError
        As `direction_kappa`.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Figure 2.

    Examples
    --------
    >>> kappa_between_raters([[1, 1], [2, -1], [-1, -1], [-1, -1]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    judgements = _judgements(scores, zeros, raters=2)
    matrix = np.eye(judgements.shape[1])
    for i, j in combinations(range(len(matrix)), 2):
        matrix[i, j] = matrix[j, i] = _cohen(judgements[:, i], judgements[:, j], zeros)
    return matrix


def percent_agreement(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Share of (word, two raters) that judge alike; what kappa corrects for chance.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by two raters or more.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As `direction_kappa`.

    References
    ----------
    .. [1] Fleiss (1971), the mean of his P_i.

    Examples
    --------
    >>> percent_agreement([[1, 1], [1, -1]])
    0.5
    """
    return _agreeing_pairs(_counts(scores, zeros))


def gwet_ac1(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Gwet's AC1 of the signs of the scores: a kappa that depends less on prevalence.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by two raters or more.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.

    Returns
    -------
    float
        At most 1; 0 is agreement by chance.

    Raises
    ------
    ValueError
        As `direction_kappa`.

    References
    ----------
    .. [1] Gwet (2008), equations 17 to 19 for many raters.

    Examples
    --------
    >>> round(gwet_ac1([[1, 1], [1, 1], [1, -1], [-1, -1]]), 2)
    0.53
    """
    counts = _counts(scores, zeros)
    shares = counts.sum(axis=0) / counts.sum()
    chance = (shares * (1 - shares)).sum() / (len(shares) - 1)
    return _beyond_chance(_agreeing_pairs(counts), chance)


def score_correlation(scores: ArrayLike) -> float:
    """Intraclass correlation ICC(3,1) of standardised scores: agreement in magnitude, not in sign.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Two words or more, two raters or more. Each column is divided by its root mean square (0
        stays 0), so that a pair with a longer difference vector does not count for more.

    Returns
    -------
    float
        At most 1; 0 is none; NaN where no score differs from another.

    Raises
    ------
    ValueError
        For fewer than two raters or words.

    References
    ----------
    .. [1] Shrout & Fleiss (1979), ICC(3,1).

    Examples
    --------
    >>> round(score_correlation([[1, 10], [2, 20], [-3, -30]]), 6)
    1.0
    """
    scores = _scores(scores)
    n, p = scores.shape
    if n < 2:
        raise ValueError(f"scores: expected at least two words, got {n}")
    lengths = np.sqrt((scores**2).mean(axis=0))
    scores = scores / np.where(lengths > 0, lengths, 1)
    words, raters = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    between = p * ((words - scores.mean()) ** 2).sum() / (n - 1)
    error = ((scores - words - raters + scores.mean()) ** 2).sum() / ((n - 1) * (p - 1))
    total = between + (p - 1) * error
    return float((between - error) / total) if total > 0 else float("nan")


def magnitude_change_rate(scores: ArrayLike, scale: float) -> float:
    """Share of (word, two pairs) whose scores differ by at least `scale`.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Signed scores of n words with two pairs or more, so that a flip of direction counts.
    scale : float
        The change that counts, above 0, in the unit of the scores (one standard deviation of the
        measure over frequent words in the paper).

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        For fewer than two pairs, no word, NaN scores or a scale that is not positive.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Section 5; their code prints one minus this share in
       Table 2.

    Examples
    --------
    >>> magnitude_change_rate([[1.0, -1.0], [0.5, 0.4]], scale=2)
    0.5
    """
    scores = _scores(scores)
    if not scale > 0:
        raise ValueError(f"scale: expected a positive change, got {scale!r}")
    first, second = np.triu_indices(scores.shape[1], k=1)
    return float((np.abs(scores[:, first] - scores[:, second]) >= scale).mean())


def same_direction_share(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Share of words that every rater judges alike.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by two raters or more.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As `direction_kappa`.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Section 6.

    Examples
    --------
    >>> same_direction_share([[1, 1], [1, -1], [-1, -1], [-1, 0]])
    0.75
    """
    counts = _counts(scores, zeros)
    return float((counts.max(axis=1) == counts.sum(axis=1)).mean())


def kappa_without_each(scores: ArrayLike, *, zeros: str = "second") -> Floats:
    """Fleiss' kappa of the other raters when one is left out.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        n words judged by three raters or more.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.

    Returns
    -------
    ndarray of shape (p,)
        Above the kappa of all where that rater pulls it down.

    Raises
    ------
    ValueError
        As `direction_kappa`.

    Examples
    --------
    >>> kappa_without_each([[1, 2, -1], [-1, -2, 1], [1, 1, 1]]).round(2)
    array([-0.5, -0.5,  1. ])
    """
    scores = _scores(scores, raters=3)
    left_out = [np.delete(scores, rater, axis=1) for rater in range(scores.shape[1])]
    return np.array([direction_kappa(others, zeros=zeros) for others in left_out])


def interval_table(
    statistic: Callable[[Floats], float],
    scores: Mapping[str, ArrayLike],
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """A statistic of the scores of each measure, with a BCa interval over the choice of words.

    Parameters
    ----------
    statistic : callable
        From scores (n, p) to a number, such as `direction_kappa`.
    scores : mapping of str to array_like of shape (n, p)
        Measure -> scores of n words.
    n_resamples, rng
        As in `lib.inference.bootstrap.word_interval`.

    Returns
    -------
    DataFrame
        A row for each measure: `value`, `low`, `high`; NaN where the value is undefined, and for the ends of fewer
        than three words.

    Examples
    --------
    >>> scores = {"RIPA": [[1, 2], [-1, 3], [-2, -1], [1, 1]], "two words": [[1, 1], [1, 2]]}
    >>> interval_table(percent_agreement, scores, n_resamples=99, rng=0)
               value  low  high
    RIPA        0.75  0.0   1.0
    two words   1.00  NaN   NaN
    """
    rows = {}
    for measure, values in scores.items():
        array, ends = real_numbers(str(measure), values), (np.nan, np.nan)
        value = statistic(array)
        if len(array) >= 3 and np.isfinite(value):
            ends = word_interval(statistic, array, n_resamples=n_resamples, rng=rng)
        rows[measure] = value, *ends
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])


def _scores(scores: ArrayLike, raters: int = 2) -> Floats:
    """Checked scores: a word or more, so many raters, no NaN."""
    values = real_numbers("scores", scores)
    if values.ndim != 2 or values.shape[1] < raters or not len(values):
        raise ValueError(
            f"scores: expected (words, raters) with a word and {raters} raters or more, "
            f"got {values.shape}"
        )
    flawed = np.isnan(values).any(axis=1)
    if flawed.any():
        raise ValueError(f"scores: expected numbers, got NaN in row {int(flawed.argmax())}")
    return values


def _judgements(scores: ArrayLike, zeros: str, raters: int = 1) -> Judgements:
    """The signs of the scores, zeros as asked for."""
    one_of("zeros", zeros, ZEROS)
    signs = np.sign(_scores(scores, raters)).astype(np.int8)
    return np.where(signs == 0, np.int8(-1), signs) if zeros == "second" else signs


def _counts(scores: ArrayLike, zeros: str) -> NDArray[np.int64]:
    """How many raters put each word into each category, (n, categories)."""
    judgements = _judgements(scores, zeros, raters=2)
    if zeros == "drop":
        judgements = judgements[(judgements != 0).all(axis=1)]
        if not len(judgements):
            raise ValueError(
                'zeros="drop": every word has a zero score, so none is left; use "second" or "own"'
            )
    categories = (-1, 0, 1) if zeros == "own" else (-1, 1)
    return np.stack([(judgements == category).sum(axis=1) for category in categories], axis=1)


def _agreeing_pairs(counts: NDArray[np.int64]) -> float:
    """Share of pairs of raters that agree, over all words."""
    raters = counts[0].sum()
    return float((((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())


def _cohen(a: Judgements, b: Judgements, zeros: str) -> float:
    """Cohen's kappa of two raters; NaN for no word."""
    if zeros == "drop":
        kept = (a != 0) & (b != 0)
        a, b = a[kept], b[kept]
    if not len(a):
        return float("nan")
    chance = sum((a == category).mean() * (b == category).mean() for category in (-1, 0, 1))
    return _beyond_chance((a == b).mean(), chance)


def _beyond_chance(observed: float, chance: float) -> float:
    """Agreement beyond chance; NaN where chance agreement is complete."""
    return float((observed - chance) / (1 - chance)) if chance < 1 - 1e-12 else float("nan")
