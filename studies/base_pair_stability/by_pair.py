"""One set of words scored with many base pairs, or random ones: the scorers, their order, their sides, and tables of them.

Scores are (n, p): n words scored with p pairs, female first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers, unit_rows, unmasked, vectors
from lib.inference.random_words import random_pairs
from lib.inference.two_way import COLUMNS, FEWEST_COLUMNS, FEWEST_ROWS, two_way_interval
from lib.measures import direct_bias, neighbours, ripa
from lib.measures.outside import rank_correlations

Floats = NDArray[np.float64]
Scorer = Callable[..., NDArray[np.floating]]
BYTES = 2**27  # that the search for neighbours may take at a time


def scorers(
    words: ArrayLike, neutral: ArrayLike, k: int = 100, *, exclude: ArrayLike | None = None
) -> dict[str, Scorer]:
    """ "DB/WA", "RIPA" and "NBM" of words (n, d), each from female and male vectors (p, d) to scores (n, p).

    The k neighbours among `neutral` (m, d), less the word's own row there (`exclude`, (n,), -1 for none), are searched
    once, so that a thousand sets of pairs cost little.
    """
    words, neutral = unmasked("words", words), unmasked("neutral", neutral)
    near = neighbours(words, neutral, k, exclude=exclude, memory=BYTES)
    nearby, near = np.unique(near, return_inverse=True)
    near = near.reshape(len(words), -1)
    return {
        "DB/WA": partial(direct_bias, words),
        "RIPA": partial(ripa, words),
        "NBM": partial(_leaning_neighbours, neutral[nearby], near),
    }


def _leaning_neighbours(
    nearby: NDArray[np.floating], near: NDArray[np.int64], female: ArrayLike, male: ArrayLike
) -> Floats:
    """Share of leaning neighbours as in `neighbourhood_bias`, whose checks were made before."""
    contrast = unit_rows("female", female) - unit_rows("male", male)
    leans_female = nearby @ contrast.astype(nearby.dtype).T > 0
    shares = [leans[near].mean(axis=1) for leans in np.ascontiguousarray(leans_female.T)]
    return np.asarray(2 * np.stack(shares, axis=1) - 1, float)


def order_of_mean(scores: ArrayLike, facts: ArrayLike) -> float:
    """Spearman's correlation of the mean standardised score over the pairs and a fact about the words (n,), NaN if unknown."""
    means = standardised(scores).mean(axis=1, keepdims=True)
    return float(rank_correlations(means, facts)[0])


def standardised(scores: ArrayLike) -> Floats:
    """Scores of each pair in its own deviations from its own mean over the words; 0 for a pair that gives all one score."""
    matrix = real_numbers("scores", scores)
    centred = matrix - matrix.mean(axis=0)
    size = matrix.std(axis=0)
    return np.asarray(centred / np.where(size > 0, size, 1), float)


def disagreement_by_lean(scores: ArrayLike, parts: int = 3) -> Floats:
    """How often two pairs give a word different sides (parts,), from the words nearest to zero to those that lean most.

    The lean that sorts the words comes from the pairs that are not compared, so that it does not follow from their
    agreement; each pair is standardised, so that its offset is no disagreement.
    """
    matrix = standardised(scores)
    n, p = matrix.shape
    if p < 4 or not 1 <= parts <= n:
        raise ValueError(
            f"expected four pairs or more and at least {parts} words, got {n} words and {p} pairs"
        )
    female, total, shares = matrix > 0, matrix.sum(axis=1), []
    for first, second in combinations(range(p), 2):
        others = np.abs(total - matrix[:, first] - matrix[:, second])
        differ = (female[:, first] != female[:, second])[np.argsort(others, kind="stable")]
        shares.append([part.mean() for part in np.array_split(differ, parts)])
    return np.asarray(np.mean(shares, axis=0), float)


def two_way_table(
    statistic: Callable[[Floats], float],
    scores: Mapping[str, ArrayLike],
    *,
    columns: str = "redrawn",
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """A statistic of the scores of each measure: value, low and high of `two_way_interval`; NaN where undefined or too few."""
    one_of("columns", columns, COLUMNS)
    rows = {}
    for measure, values in scores.items():
        matrix, ends = real_numbers(str(measure), values), (np.nan, np.nan)
        value = statistic(matrix)
        enough = len(matrix) >= FEWEST_ROWS and matrix.shape[1] >= FEWEST_COLUMNS[columns]
        if enough and np.isfinite(value):
            ends = two_way_interval(
                statistic, matrix, columns=columns, n_resamples=n_resamples, rng=rng
            )
        rows[measure] = value, *ends
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])


def statistics_of_random_pairs(
    measure: Callable[[NDArray[np.floating], NDArray[np.floating]], NDArray[np.floating]],
    statistics: Mapping[str, Callable[[NDArray[np.floating]], ArrayLike]],
    vocabulary: ArrayLike,
    positions: ArrayLike,
    *,
    columns: Mapping[str, Sequence[int]] | None = None,
    draws: int = 1000,
    matched: bool = False,
    rng: np.random.Generator | int | None = None,
) -> dict[str, Floats]:
    """Null baselines (draws, ...): statistics of the same words' scores with p random pairs in place of the base pairs.

    `measure` gives scores (n, p) from female and male vectors (p, d); `positions` (p, 2) are the rows of the base pairs in
    the vocabulary (m, d), never drawn; `columns` names the pairs that a statistic looks at, where not all; `matched` draws
    each word near the rank of the word it stands for.
    """
    space = vectors("vocabulary", vocabulary)
    pairs = random_pairs(positions, len(space), draws, matched=matched, rng=rng)
    seen = {name: list(chosen) for name, chosen in (columns or {}).items()}
    if unknown := seen.keys() - statistics.keys():
        raise ValueError(
            f"columns: expected names of statistics ({', '.join(statistics)}), "
            f"got {', '.join(sorted(unknown))}"
        )
    values: dict[str, list[ArrayLike]] = {name: [] for name in statistics}
    for rows in pairs:
        scores = measure(space[rows[:, 0]], space[rows[:, 1]])
        for name, statistic in statistics.items():
            values[name].append(statistic(scores[:, seen[name]] if name in seen else scores))
    return {name: np.array(each, float) for name, each in values.items()}
