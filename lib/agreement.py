"""Agreement between measures that each call a word female- or male-leaning: kappas, AC1, magnitude changes, stability.

Scores are (n, p): n words judged by p raters (a base pair, a measure, a word form); the sign of a score is the judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.inference.random_words import random_pairs

ZEROS = ("second", "own", "drop")


def direction_kappa(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Fleiss' kappa of the signs of the scores, each column a rater.

    scores : (n, p), p >= 2; zeros : "second" counts 0 as the second (male) pole, as published; "own" as a category of its
    own; "drop" leaves out words with any 0.
    Returns at most 1; 0 is agreement by chance; NaN where every judgement is the same (chance agreement is then 1).
    Raises ValueError for fewer than two raters, no word, NaN scores or an unknown `zeros`.
    Fleiss (1971), as in Zhang, Sneyd & Stevenson (2020), Table 2.
    """
    counts = _counts(scores, zeros)
    chance = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    return _beyond_chance(_agreeing_pairs(counts), chance)


def pairwise_kappa(
    scores: ArrayLike, others: ArrayLike, *, zeros: str = "second"
) -> NDArray[np.float64]:
    """Cohen's kappa of the signs of two sets of scores, column by column.

    scores, others : (n, p) of the same words; zeros as in `direction_kappa` ("drop" leaves out the words where either is 0,
    column by column).
    Returns (p,), each at most 1; 0 is agreement by chance; NaN where all judgements of a column are the same.
    Raises ValueError when shapes differ, for no word, NaN scores or an unknown `zeros`.
    Cohen (1960), as in Zhang, Sneyd & Stevenson (2020), Tables 3-6.
    """
    first, second = _judgements(scores, zeros), _judgements(others, zeros)
    if first.shape != second.shape:
        raise ValueError(
            f"expected two score arrays of one shape, got {first.shape} and {second.shape}"
        )
    return np.array([_cohen(a, b, zeros) for a, b in zip(first.T, second.T)])


def agreement_with_truth(
    scores: ArrayLike, truth: ArrayLike, *, zeros: str = "second"
) -> NDArray[np.float64]:
    """Cohen's kappa of the signs of each column against known directions.

    scores : (n, p); truth : (n,), positive for the first (female) pole. Returns (p,), NaN where undefined.
    Raises ValueError as `pairwise_kappa`.
    Zhang, Sneyd & Stevenson (2020), Table 5.
    """
    scores = np.asarray(scores, float)
    return pairwise_kappa(
        scores, np.broadcast_to(np.asarray(truth, float)[:, None], scores.shape), zeros=zeros
    )


def kappa_between_raters(scores: ArrayLike, *, zeros: str = "second") -> NDArray[np.float64]:
    """Cohen's kappa of the signs for every pair of columns.

    scores : (n, p). Returns the symmetric (p, p) matrix with 1 on the diagonal; NaN where undefined.
    Raises ValueError as `direction_kappa`. Zhang, Sneyd & Stevenson (2020), Figure 2.
    """
    judgements = _judgements(scores, zeros, raters=2)
    matrix = np.eye(judgements.shape[1])
    for i, j in combinations(range(len(matrix)), 2):
        matrix[i, j] = matrix[j, i] = _cohen(judgements[:, i], judgements[:, j], zeros)
    return matrix


def percent_agreement(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Share of (word, two raters) that judge alike, in [0, 1]; what kappa corrects for chance.

    scores : (n, p). Raises ValueError as `direction_kappa`. Fleiss (1971), the mean of his P_i.
    """
    return _agreeing_pairs(_counts(scores, zeros))


def gwet_ac1(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Gwet's AC1 of the signs of the scores, each column a rater: a kappa that depends less on prevalence.

    scores : (n, p). Returns at most 1; 0 is agreement by chance.
    Raises ValueError as `direction_kappa`. Gwet (2008), equations 17 to 19 for many raters.
    """
    counts = _counts(scores, zeros)
    shares = counts.sum(axis=0) / counts.sum()
    chance = (shares * (1 - shares)).sum() / (len(shares) - 1)
    return _beyond_chance(_agreeing_pairs(counts), chance)


def score_correlation(scores: ArrayLike) -> float:
    """Intraclass correlation ICC(3,1) of standardised scores: agreement in magnitude, not only in sign.

    scores : (n, p); each column is divided by its root mean square (0 stays 0), so that a pair with a longer difference
    vector does not count for more. Returns at most 1; 0 is none.
    Raises ValueError for fewer than two raters or words. Shrout & Fleiss (1979), ICC(3,1).
    """
    scores = _scores(scores)
    lengths = np.sqrt((scores**2).mean(axis=0))
    scores = scores / np.where(lengths > 0, lengths, 1)
    n, p = scores.shape
    if n < 2:
        raise ValueError(f"scores: expected at least two words, got {n}")
    words, raters = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    between = p * ((words - scores.mean()) ** 2).sum() / (n - 1)
    error = ((scores - words - raters + scores.mean()) ** 2).sum() / ((n - 1) * (p - 1))
    return float((between - error) / (between + (p - 1) * error))


def magnitude_change_rate(scores: ArrayLike, scale: float) -> float:
    """Share of (word, two pairs) whose scores differ by at least `scale`, in [0, 1].

    scores : (n, p), p >= 2; scale : the change that counts, in the unit of the scores (one standard deviation of the
    measure over frequent words in the paper). Signed scores are compared, so that a flip of direction counts.
    Raises ValueError for fewer than two pairs, no word, NaN scores or a scale that is not positive.
    Zhang, Sneyd & Stevenson (2020), Section 5; their code prints one minus this share in Table 2.
    """
    scores = _scores(scores)
    if not scale > 0:
        raise ValueError(f"scale: expected a positive change, got {scale!r}")
    first, second = np.triu_indices(scores.shape[1], k=1)
    return float((np.abs(scores[:, first] - scores[:, second]) >= scale).mean())


def same_direction_share(scores: ArrayLike, *, zeros: str = "second") -> float:
    """Share of words that every column judges alike, in [0, 1].

    scores : (n, p). Raises ValueError as `direction_kappa`. Zhang, Sneyd & Stevenson (2020), Section 6.
    """
    counts = _counts(scores, zeros)
    return float((counts.max(axis=1) == counts.sum(axis=1)).mean())


def kappa_without_each(scores: ArrayLike, *, zeros: str = "second") -> NDArray[np.float64]:
    """Fleiss' kappa of the others when one rater is left out: above the kappa of all where that rater pulls it down.

    scores : (n, p), p >= 3. Returns (p,). Raises ValueError as `direction_kappa`.
    """
    scores = _scores(scores, raters=3)
    return np.array(
        [direction_kappa(np.delete(scores, j, axis=1), zeros=zeros) for j in range(scores.shape[1])]
    )


@dataclass(frozen=True)
class Mantel:
    """Correlation of two square matrices off the diagonal, and the share of relabellings that correlate at least as much."""

    correlation: float
    p_value: float
    permutations: int


def mantel(first: ArrayLike, second: ArrayLike, *, permutations: int = 9_999, rng=None) -> Mantel:
    """Mantel's test: do two symmetric matrices over the same things go together, when cells of one row are not independent?

    first, second : (p, p) symmetric; the diagonal is not looked at; cells that are NaN in either are left out.
    Returns the Pearson correlation of the cells and its two-sided p: rows and columns of one matrix are relabelled
    together, the observed labelling counts as one, so p is at least 1 / (permutations + 1).
    Raises ValueError when shapes disagree or are smaller than 4 x 4.
    Mantel (1967).
    """
    first, second, generator = (
        np.asarray(first, float),
        np.asarray(second, float),
        np.random.default_rng(rng),
    )
    if (
        first.shape != second.shape
        or first.ndim != 2
        or first.shape[0] != first.shape[1]
        or len(first) < 4
    ):
        raise ValueError(
            f"expected two square matrices of one size, 4 x 4 or more, got {first.shape} and {second.shape}"
        )
    cells = np.triu_indices(len(first), k=1)

    def correlation(order: NDArray) -> float:
        a, b = first[np.ix_(order, order)][cells], second[cells]
        known = np.isfinite(a) & np.isfinite(b)
        return float(np.corrcoef(a[known], b[known])[0, 1])

    observed = correlation(np.arange(len(first)))
    drawn = [abs(correlation(generator.permutation(len(first)))) for _ in range(permutations)]
    as_large = sum(value >= abs(observed) - 1e-12 for value in drawn)
    return Mantel(observed, (as_large + 1) / (permutations + 1), permutations)


def kappas_of_random_pairs(
    measure: Callable[[NDArray, NDArray], NDArray],
    vocabulary: NDArray,
    positions: ArrayLike,
    *,
    draws: int = 1000,
    matched: bool = False,
    zeros: str = "second",
    rng=None,
) -> NDArray[np.float64]:
    """Null baseline of `direction_kappa`: the same measure with random word pairs in place of the base pairs.

    measure : from female and male vectors (p, d) to scores (n, p); vocabulary : (m, d) vectors to draw from;
    positions : (p, 2) rows of the base pairs in vocabulary, never drawn; matched : draw each word from the rows within
    a factor of 1.25 of the word it stands for (25 at least either way), for a vocabulary in order of frequency.
    Returns (draws,) kappas. Raises ValueError when positions do not fit or leave no word to draw.
    """
    pairs = random_pairs(positions, len(vocabulary), draws, matched=matched, rng=rng)
    return np.array(
        [
            direction_kappa(measure(vocabulary[d[:, 0]], vocabulary[d[:, 1]]), zeros=zeros)
            for d in pairs
        ]
    )


def kappa_from_angle(cosines: ArrayLike) -> NDArray[np.float64]:
    """Agreement of two directions that geometry alone predicts for words scattered evenly around them.

    cosines : of two difference vectors, in [-1, 1]. Returns 1 - 2 arccos(cosine)/pi: two half-spaces at that angle give a
    word the same sign with probability 1 - angle/pi, and chance gives one half.
    """
    return 1 - 2 * np.arccos(np.clip(cosines, -1, 1)) / np.pi


def stability_table(
    scores: Mapping[str, ArrayLike], scales: Mapping[str, float], *, zeros: str = "second"
) -> pd.DataFrame:
    """How stable each measure is over its base pairs: kappa, its companions, magnitude changes and zeros.

    scores : measure -> (n, p); scales : measure -> the change that counts as relevant (see `magnitude_change_rate`).
    Returns one row a measure. Raises ValueError as the functions it calls; KeyError when a scale is missing.
    Zhang, Sneyd & Stevenson (2020), Table 2 and Section 6, with Gwet's AC1 and the score correlation beside them.
    """
    rows = {
        measure: {
            "Fleiss kappa": direction_kappa(values, zeros=zeros),
            "percent agreement": 100 * percent_agreement(values, zeros=zeros),
            "Gwet AC1": gwet_ac1(values, zeros=zeros),
            "score ICC": score_correlation(values),
            "same direction (%)": 100 * same_direction_share(values, zeros=zeros),
            "relevant changes (%)": 100 * magnitude_change_rate(values, scales[measure]),
            "complement (%)": 100 - 100 * magnitude_change_rate(values, scales[measure]),
            "zeros": int((np.asarray(values) == 0).sum()),
        }
        for measure, values in scores.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def _scores(scores: ArrayLike, raters: int = 2) -> NDArray[np.float64]:
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 2 or scores.shape[1] < raters or not len(scores):
        raise ValueError(
            f"scores: expected (words, raters) with a word and {raters} raters or more, got {scores.shape}"
        )
    if np.isnan(scores).any():
        raise ValueError(
            f"scores: expected numbers, got NaN in row {int(np.isnan(scores).any(axis=1).argmax())}"
        )
    return scores


def _judgements(scores: ArrayLike, zeros: str, raters: int = 1) -> NDArray[np.int8]:
    if zeros not in ZEROS:
        raise ValueError(f"zeros: expected one of {', '.join(map(repr, ZEROS))}, got {zeros!r}")
    signs = np.sign(_scores(scores, raters)).astype(np.int8)
    return np.where(signs == 0, -1, signs) if zeros == "second" else signs


def _counts(scores: ArrayLike, zeros: str) -> NDArray[np.int64]:
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
    raters = counts[0].sum()
    return float((((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())


def _cohen(a: NDArray, b: NDArray, zeros: str) -> float:
    if zeros == "drop":
        kept = (a != 0) & (b != 0)
        a, b = a[kept], b[kept]
    if not len(a):
        return float("nan")
    chance = sum((a == category).mean() * (b == category).mean() for category in (-1, 0, 1))
    return _beyond_chance((a == b).mean(), chance)


def _beyond_chance(observed: float, chance: float) -> float:
    return float((observed - chance) / (1 - chance)) if chance < 1 - 1e-12 else float("nan")
