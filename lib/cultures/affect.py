"""Valence and dominance of words whose bias goes with a small or a large gender gap.

Norms are mean ratings such as those of `lib.datasets.norms`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.cultures.regression import signed_r2
from lib.datasets.corpora import brown_tagged_sentences

FLOOR = 0.1


def adjectives(tagged: Iterable[tuple[str, str]], fewest: int = 3) -> list[str]:
    """Words that are adjectives in at least half of their occurrences in a tagged corpus, in alphabetical order.

    tagged : (word, tag), tags of Brown or Penn, where an adjective's begins with jj; fewest : occurrences as one. (The paper
    takes the adjectives of WordNet.)
    """
    seen = pd.DataFrame(
        ((word.lower(), tag.lower().startswith("jj")) for word, tag in tagged),
        columns=["word", "is"],
    )
    counts = seen.groupby("word")["is"].agg(["sum", "mean"])
    return sorted(
        word
        for word in counts.index[(counts["sum"] >= fewest) & (counts["mean"] >= 0.5)]
        if word.isalpha()
    )


def brown_adjectives(fewest: int = 3) -> list[str]:
    """`adjectives` of the Brown corpus. Raises FetchError when the file cannot be had."""
    return adjectives(chain.from_iterable(brown_tagged_sentences()), fewest)


@dataclass(frozen=True, eq=False)
class AffectContrast:
    """Words whose female bias goes with a smaller gap (low) against those where it goes with a larger one (high).

    signed_r2 : of each word; low, high : words beyond the floor that have norms; no_norms : words beyond it that have none;
    difference : norm -> mean of low minus mean of high; t_p : Welch's t-test over words, as if words were independent;
    p_value : share of permuted gaps, the given one among them, with an absolute difference as large (NaN where a group is
    empty). Cultures, not words, are what is permuted: all words share them.
    """

    signed_r2: pd.Series = field(repr=False)
    low: tuple[str, ...]
    high: tuple[str, ...]
    no_norms: tuple[str, ...] = field(repr=False)
    difference: dict[str, float]
    t_p: dict[str, float]
    p_value: dict[str, float]


def contrast_affect(
    biases: pd.DataFrame,
    gap: ArrayLike,
    norms: pd.DataFrame,
    *,
    floor: float = FLOOR,
    resamples: int = 1000,
    rng=None,
) -> AffectContrast:
    """Compare the norms of words with direct and inverse correlation between bias and a statistic.

    biases : cultures x words; gap : (cultures,), larger is a smaller gap; norms : as `warriner_norms` gives them, words x norms;
    floor : least |R²|. Raises ValueError for shapes that disagree.
    Friedman et al. (2019), Section 4.4; the permutation is ours.
    """
    rng = np.random.default_rng(rng)
    gap = np.asarray(gap, float)
    r2 = pd.Series(signed_r2(biases.to_numpy(), gap), biases.columns)
    known = r2.index.isin(norms.index)
    rated = norms.reindex(r2.index[known])
    observed = _differences(r2.to_numpy()[known], rated.to_numpy(), floor)
    values, rows = biases.to_numpy()[:, known], np.flatnonzero(~np.isnan(gap))
    null = np.empty((resamples, rated.shape[1]))
    for number in range(resamples):
        shuffled = gap.copy()
        shuffled[rows] = gap[rng.permutation(rows)]
        null[number] = _differences(signed_r2(values, shuffled), rated.to_numpy(), floor)
    low, high = (tuple(r2.index[known & (sign * r2 > floor)]) for sign in (1, -1))
    return AffectContrast(
        r2,
        low,
        high,
        tuple(r2.index[~known & (r2.abs() > floor)]),
        dict(zip(rated, observed.tolist())),
        {
            name: float(
                stats.ttest_ind(
                    rated.loc[list(low), name], rated.loc[list(high), name], equal_var=False
                ).pvalue
            )
            if min(len(low), len(high)) > 1
            else float("nan")
            for name in rated
        },
        {name: _p_value(observed[number], null[:, number]) for number, name in enumerate(rated)},
    )


def _differences(r2: NDArray, rated: NDArray, floor: float) -> NDArray:
    low, high = r2 > floor, r2 < -floor
    if not low.any() or not high.any():
        return np.full(rated.shape[1], np.nan)
    return rated[low].mean(axis=0) - rated[high].mean(axis=0)


def _p_value(observed: float, null: NDArray) -> float:
    null = null[~np.isnan(null)]
    return (
        float("nan")
        if np.isnan(observed)
        else float((1 + (np.abs(null) >= abs(observed)).sum()) / (1 + len(null)))
    )
