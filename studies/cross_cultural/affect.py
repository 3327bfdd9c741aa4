"""Valence and dominance of words whose bias goes with a small or a large gender gap (Friedman et al. 2019, Section 4.4)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.cultures.regression import signed_r2
from lib.datasets.corpora import brown_tagged_sentences
from lib.inference.sums import p_of_draws
from lib.sources import fetch

FLOOR = 0.1


def warriner_norms() -> pd.DataFrame:
    """Mean valence, arousal and dominance of 13,915 English lemmas, from 1 to 9, midpoint 5 (Warriner, Kuperman and Brysbaert 2013)."""
    columns = {"V.Mean.Sum": "valence", "A.Mean.Sum": "arousal", "D.Mean.Sum": "dominance"}
    table = pd.read_csv(
        fetch("warriner_vad"), usecols=["Word", *columns], index_col="Word", keep_default_na=False
    )
    return table.rename(columns=columns).rename_axis("word").astype(float)[[*columns.values()]]


def adjectives(tagged: Iterable[tuple[str, str]], fewest: int = 3) -> list[str]:
    """Words that are adjectives (tag jj…) in at least half of their occurrences, and so at least `fewest` times; the paper takes those of WordNet."""
    seen = pd.DataFrame(
        ((word.lower(), tag.lower().startswith("jj")) for word, tag in tagged),
        columns=["word", "adjective"],
    )
    counts = seen.groupby("word")["adjective"].agg(["sum", "mean"])
    words = counts.index[(counts["sum"] >= fewest) & (counts["mean"] >= 0.5)]
    return sorted(word for word in words if word.isalpha())


def brown_adjectives(fewest: int = 3) -> list[str]:
    """`adjectives` of the Brown corpus. Raises FetchError when the file cannot be had."""
    return adjectives(chain.from_iterable(brown_tagged_sentences()), fewest)


@dataclass(frozen=True, eq=False)
class AffectContrast:
    """Words whose female bias goes with a smaller gap (low) against those where it goes with a larger one (high)."""

    signed_r2: pd.Series = field(repr=False)  # of each word
    low: tuple[str, ...]  # beyond the floor, with norms
    high: tuple[str, ...]
    no_norms: tuple[str, ...] = field(repr=False)  # beyond the floor, without norms
    # norm -> mean of low minus mean of high; NaN where a group is empty
    difference: dict[str, float]
    t_p: dict[str, float]  # norm -> p of Welch's t-test, as if words were independent
    # norm -> p by permuted gaps; one that leaves a group empty counts as as large
    p_value: dict[str, float]


def contrast_affect(
    biases: pd.DataFrame,
    gap: ArrayLike,
    norms: pd.DataFrame,
    *,
    floor: float = FLOOR,
    resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> AffectContrast:
    """Compare the norms of words with direct and inverse correlation between bias (cultures × words, positive leans female) and a
    statistic, of which a larger value is a smaller gap. The permutation is ours."""
    rng = np.random.default_rng(rng)
    gap = real_numbers("gap", gap)
    r2 = pd.Series(signed_r2(biases.to_numpy(), gap), biases.columns)
    rated = r2.index.isin(norms.index)
    ratings = norms.reindex(r2.index[rated])
    observed = _differences(r2.to_numpy()[rated], ratings.to_numpy(), floor)
    leans, known = biases.to_numpy()[:, rated], np.flatnonzero(~np.isnan(gap))
    gaps = np.tile(gap, (resamples, 1))
    for permuted in gaps:
        permuted[known] = gap[rng.permutation(known)]
    null = _differences(_signed_r2_of_many(leans, gaps), ratings.to_numpy(), floor)
    low, high = (tuple(r2.index[rated & (sign * r2 > floor)]) for sign in (1, -1))
    groups = ratings.loc[list(low)], ratings.loc[list(high)]
    enough = min(len(low), len(high)) > 1
    t_p = (
        stats.ttest_ind(*groups, equal_var=False).pvalue
        if enough
        else np.full(len(observed), np.nan)
    )
    p_values = map(p_of_draws, np.abs(observed), np.abs(null.T))
    return AffectContrast(
        r2,
        low,
        high,
        tuple(r2.index[~rated & (r2.abs() > floor)]),
        dict(zip(ratings, observed.tolist())),
        dict(zip(ratings, map(float, t_p))),
        dict(zip(ratings, p_values)),
    )


def _signed_r2_of_many(leans: NDArray, gaps: NDArray) -> NDArray:
    """Signed R² of each word with each of several gaps, (r, w)."""
    if np.isnan(leans).any() or np.isnan(gaps).any():
        return np.array([signed_r2(leans, gap) for gap in gaps]).reshape(len(gaps), -1)
    leans, gaps = (
        values - values.mean(axis=axis, keepdims=True) for values, axis in ((leans, 0), (gaps, 1))
    )
    scale = np.sqrt(np.outer((gaps**2).sum(axis=1), (leans**2).sum(axis=0)))
    r = np.divide(gaps @ leans, scale, out=np.zeros_like(scale), where=scale > 0)
    return r * np.abs(r)


def _differences(r2: NDArray, ratings: NDArray, floor: float) -> NDArray:
    """Mean ratings of words beyond the floor less those beyond its opposite, over the last axis of R²; NaN where there are none of one kind."""
    with np.errstate(invalid="ignore"):
        low, high = (
            (side @ ratings) / side.sum(axis=-1)[..., None]
            for side in (1.0 * (r2 > floor), 1.0 * (r2 < -floor))
        )
    return low - high
