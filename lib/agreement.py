"""Agreement between measures that each call a word female- or male-leaning: kappas, AC1, stability.

Scores are (n, p): n words judged by p raters (a base pair, a measure, a word form); the sign of a
score is the judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import one_of, real_numbers, vectors
from lib.inference.bootstrap import word_interval
from lib.inference.random_words import random_pairs
from lib.inference.sums import p_of_draws

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


def agreement_with_truth(scores: ArrayLike, truth: ArrayLike, *, zeros: str = "second") -> Floats:
    """Cohen's kappa of the signs of each column with known directions.

    Parameters
    ----------
    scores : array_like of shape (n, p)
        Scores of n words.
    truth : array_like of shape (n,)
        Positive for the first (female) pole.
    zeros : {"second", "own", "drop"}
        As in `pairwise_kappa`.

    Returns
    -------
    ndarray of shape (p,)
        As from `pairwise_kappa`.

    Raises
    ------
    ValueError
        As `pairwise_kappa`.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Table 5.

    Examples
    --------
    >>> agreement_with_truth([[2, -1], [-2, -1], [3, -1], [-1, 4]], truth=[1, -1, 1, -1])
    array([ 1. , -0.5])
    """
    scores = real_numbers("scores", scores)
    known = np.broadcast_to(real_numbers("truth", truth)[:, None], scores.shape)
    return pairwise_kappa(scores, known, zeros=zeros)


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


def row_p_values(first: ArrayLike, second: ArrayLike, *, diagonal: bool = True) -> Floats:
    """p of the correlation of two matrices over the same things, row by row.

    Parameters
    ----------
    first, second : array_like of shape (p, p)
        Cells that are NaN in either are left out.
    diagonal : bool
        Whether the cell of a thing with itself counts, as in the paper.

    Returns
    -------
    ndarray of shape (p,)
        In [0, 1], two-sided; NaN for rows with fewer than three cells, or with cells that are all
        alike.

    Raises
    ------
    ValueError
        For matrices that are not square or not of one size.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Section 7.

    Examples
    --------
    >>> cosines = [[1, 0.5, 0.2], [0.5, 1, 0.1], [0.2, 0.1, 1]]
    >>> row_p_values(cosines, cosines).round(3)
    array([0., 0., 0.])
    """
    first, second = real_numbers("first", first).copy(), real_numbers("second", second)
    if (
        first.ndim != 2
        or first.shape[0] != first.shape[1]
        or not first.size
        or second.shape != first.shape
    ):
        raise ValueError(
            "first and second: expected two square matrices over the same things; "
            f"got shapes {first.shape} and {second.shape}"
        )
    if not diagonal:
        np.fill_diagonal(first, np.nan)
    known = np.isfinite(first) & np.isfinite(second)
    p_values = np.full(len(first), np.nan)
    for row, cells in enumerate(known):
        x, y = first[row, cells], second[row, cells]
        if len(x) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0:
            p_values[row] = stats.pearsonr(x, y).pvalue
    return p_values


@dataclass(frozen=True)
class Mantel:
    """What `mantel` returns.

    Attributes
    ----------
    correlation : float
        Of the cells off the diagonal, in [-1, 1].
    p_value : float
        Share of relabellings that correlate at least as much, two-sided.
    permutations : int
        How many relabellings were drawn.
    """

    correlation: float
    p_value: float
    permutations: int


def mantel(
    first: ArrayLike,
    second: ArrayLike,
    *,
    permutations: int = 9_999,
    rng: np.random.Generator | int | None = None,
) -> Mantel:
    """Mantel's test of two matrices over the same things: cells of one row are not independent.

    Parameters
    ----------
    first, second : array_like of shape (p, p)
        Symmetric, p of 4 or more. The diagonal is not looked at; cells that are NaN in either are
        left out.
    permutations : int
        Rows and columns of one matrix are relabelled together so many times.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    Mantel
        The observed labelling counts as one, so its p is at least 1 / (permutations + 1).

    Raises
    ------
    ValueError
        When shapes disagree or are smaller than 4 x 4.

    References
    ----------
    .. [1] Mantel (1967).

    Examples
    --------
    >>> places = np.array([0, 1, 3, 7, 12, 20])
    >>> distances = abs(places[:, None] - places)
    >>> mantel(distances, distances**2, permutations=99, rng=0)
    Mantel(correlation=0.96..., p_value=0.01, permutations=99)
    """
    first, second = real_numbers("first", first), real_numbers("second", second)
    square = first.ndim == 2 and first.shape[0] == first.shape[1] >= 4
    if not square or first.shape != second.shape:
        raise ValueError(
            "expected two square matrices of one size, 4 x 4 or more, "
            f"got {first.shape} and {second.shape}"
        )
    generator = np.random.default_rng(rng)
    cells = np.triu_indices(len(first), k=1)

    def correlation(order: NDArray[np.integer]) -> float:
        a, b = first[np.ix_(order, order)][cells], second[cells]
        known = np.isfinite(a) & np.isfinite(b)
        return float(np.corrcoef(a[known], b[known])[0, 1])

    observed = correlation(np.arange(len(first)))
    relabelled = np.array(
        [correlation(generator.permutation(len(first))) for _ in range(permutations)]
    )
    pvalue = p_of_draws(abs(observed), np.abs(relabelled), tolerance=1e-12)
    return Mantel(observed, pvalue, permutations)


def kappas_of_random_pairs(
    measure: Callable[[NDArray[np.floating], NDArray[np.floating]], ArrayLike],
    vocabulary: ArrayLike,
    positions: ArrayLike,
    *,
    draws: int = 1000,
    matched: bool = False,
    zeros: str = "second",
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Null baseline of `direction_kappa`: the same measure with random pairs for the base pairs.

    Parameters
    ----------
    measure : callable
        From female and male vectors, (p, d) each, to scores (n, p).
    vocabulary : array_like of shape (m, d)
        Vectors to draw from.
    positions : array_like of int of shape (p, 2)
        Rows of the base pairs in the vocabulary, never drawn.
    draws : int
        How many times p pairs are drawn.
    matched : bool
        Whether each word is drawn near the rank of the word it stands for, as in
        `lib.inference.random_words.random_pairs`, for a vocabulary in order of frequency.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (draws,)
        Kappas, NaN where one is undefined.

    Raises
    ------
    ValueError
        When positions do not fit or leave no word to draw.

    Examples
    --------
    >>> words, vocabulary = np.random.default_rng(0).normal(size=(2, 300, 9))
    >>> kappas = kappas_of_random_pairs(
    ...     lambda female, male: words @ (female - male).T,
    ...     vocabulary, [[0, 1], [2, 3]], draws=50, rng=0,
    ... )
    >>> kappas.shape, bool(abs(kappas.mean()) < 0.1)
    ((50,), True)
    """
    space = vectors("vocabulary", vocabulary)
    pairs = random_pairs(positions, len(space), draws, matched=matched, rng=rng)
    scores = (measure(space[rows[:, 0]], space[rows[:, 1]]) for rows in pairs)
    return np.array([direction_kappa(values, zeros=zeros) for values in scores])


def kappa_from_angle(cosines: ArrayLike) -> Floats:
    """Agreement of two directions that geometry alone predicts for words scattered evenly.

    Two half-spaces at an angle give a word the same sign with probability 1 - angle/pi, and chance
    gives one half.

    Parameters
    ----------
    cosines : array_like
        Of two difference vectors, in [-1, 1].

    Returns
    -------
    ndarray
        1 - 2 arccos(cosine)/pi, in [-1, 1].

    Raises
    ------
    ValueError
        For a number that is no cosine.

    Examples
    --------
    >>> kappa_from_angle([1, 0, -1])
    array([ 1.,  0., -1.])
    """
    values = real_numbers("cosines", cosines)
    if (np.abs(values) > 1 + 1e-6).any():  # rounding aside
        worst = values.flat[np.nanargmax(np.abs(values))]
        raise ValueError(f"cosines: expected numbers from -1 to 1; got {worst:.6g}")
    angles: Floats = np.arccos(np.clip(values, -1, 1))
    return 1 - 2 * angles / np.pi


def stability_table(
    scores: Mapping[str, ArrayLike], scales: Mapping[str, float], *, zeros: str = "second"
) -> pd.DataFrame:
    """How stable each measure is over its base pairs: kappa, its companions, changes and zeros.

    Parameters
    ----------
    scores : mapping of str to array_like of shape (n, p)
        Measure -> scores of n words with p base pairs.
    scales : mapping of str to float
        Measure -> the change that counts as relevant, as in `magnitude_change_rate`.
    zeros : {"second", "own", "drop"}
        As in `direction_kappa`.

    Returns
    -------
    DataFrame
        A row for each measure; NaN where a statistic is undefined.

    Raises
    ------
    ValueError
        As the functions it calls.
    KeyError
        When a scale is missing.

    References
    ----------
    .. [1] Zhang, Sneyd & Stevenson (2020), Table 2 and Section 6, with Gwet's AC1 and the score
       correlation beside them.

    Examples
    --------
    >>> table = stability_table({"RIPA": [[1, 2], [-1, 3]]}, {"RIPA": 3})
    >>> table.loc["RIPA", ["percent agreement", "relevant changes (%)", "zeros"]].tolist()
    [50.0, 50.0, 0.0]
    """
    rows = {}
    for measure, values in scores.items():
        scale = scales[measure]
        changes = 100 * magnitude_change_rate(values, scale) if scale > 0 else np.nan
        rows[measure] = {
            "Fleiss kappa": direction_kappa(values, zeros=zeros),
            "percent agreement": 100 * percent_agreement(values, zeros=zeros),
            "Gwet AC1": gwet_ac1(values, zeros=zeros),
            "score ICC": score_correlation(values),
            "same direction (%)": 100 * same_direction_share(values, zeros=zeros),
            "relevant changes (%)": changes,
            "complement (%)": 100 - changes,
            "zeros": int((np.asarray(values) == 0).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


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
