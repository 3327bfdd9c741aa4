"""How often each kind of interval that the book prints has the true value in it, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.association import effect_interval
from lib.calibration.recovery import rejection_rate
from lib.checks import one_of
from lib.coreference.intervals import gender_intervals
from lib.cultures.regression import r2_interval
from lib.inference.bootstrap import clustered_share, word_interval
from lib.inference.correlation import correlation
from lib.inference.two_way import two_way_interval
from lib.text_classification.occupations.rates import gap_table
from lib.text_classification.sentiment.contrasts import crossed_interval
from lib.translation.occupations import superiority_interval
from lib.translation.tgbi import index_interval

DRAWS = 500  # bootstrap resamples of a simulated interval
NOMINAL = 0.95

Simulated = tuple[float, float, float]  # low, high, the true value


class Kind(NamedTuple):
    """A kind of interval and data of a known truth.

    `function` is what the book calls, `data` what is simulated, `simulate` gives low, high and truth.
    """

    function: str
    data: str
    simulate: Callable[[np.random.Generator], Simulated]


def _mean(draw: Callable[..., np.ndarray], n: int, truth: float) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        scores = draw(rng, n)
        low, high = word_interval(lambda s: float(s.mean()), scores, n_resamples=DRAWS, rng=rng)
        return low, high, truth

    return simulate


def _rank_correlation(rng: np.random.Generator) -> Simulated:
    points = _normal_points(rng, 0.5, 60)
    low, high = word_interval(
        lambda p: float(stats.spearmanr(p[:, 0], p[:, 1]).statistic),
        points,
        n_resamples=DRAWS,
        rng=rng,
    )
    return low, high, float(6 / np.pi * np.arcsin(0.5 / 2))


def _normal_points(rng: np.random.Generator, r: float, n: int) -> np.ndarray:
    x, noise = rng.standard_normal((2, n))
    return np.column_stack([x, r * x + np.sqrt(1 - r**2) * noise])


def _fisher(n: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        points = _normal_points(rng, 0.5, n)
        result = correlation(points[:, 0], points[:, 1], n_resamples=1, rng=rng)
        return result.low, result.high, 0.5

    return simulate


def _heavy_tails(rng: np.random.Generator) -> Simulated:
    points = _normal_points(rng, 0.5, 30) / np.sqrt(rng.chisquare(3, 30) / 3)[:, None]
    result = correlation(points[:, 0], points[:, 1], n_resamples=1, rng=rng)
    return result.low, result.high, 0.5


def _r_squared(rng: np.random.Generator) -> Simulated:
    points = _normal_points(rng, 0.5, 51)
    low, high = r2_interval(float(np.corrcoef(points.T)[0, 1] ** 2), 51)
    return low, high, 0.25


def _words_by_pairs(rng: np.random.Generator, words: int = 40, pairs: int = 8) -> np.ndarray:
    """Scores of mean 0 with variance by word, by pair and by both."""
    rows, columns = rng.standard_normal((words, 1)), rng.standard_normal((1, pairs))
    return np.asarray(rows + 0.5 * columns + rng.standard_normal((words, pairs)))


def _two_way(rng: np.random.Generator) -> Simulated:
    low, high = two_way_interval(np.mean, _words_by_pairs(rng), n_resamples=DRAWS, rng=rng)
    return low, high, 0.0


def _crossed(rng: np.random.Generator) -> Simulated:
    interval = crossed_interval(_words_by_pairs(rng, 20, 20), n_resamples=DRAWS, rng=rng)
    return interval.low, interval.high, 0.0


def _one_way_only(rng: np.random.Generator) -> Simulated:
    """What the book warns of: cells of words and pairs drawn as if each stood for itself."""
    interval = crossed_interval(
        _words_by_pairs(rng, 20, 20), drawn="sentences", n_resamples=DRAWS, rng=rng
    )
    return interval.low, interval.high, 0.0


def _clusters(number: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        labels = np.repeat(np.arange(number), 4)
        leans = rng.random(len(labels)) < rng.beta(3, 2, number)[labels]
        _, low, high = clustered_share(leans, labels, n_resamples=DRAWS, rng=rng)
        return low, high, 0.6

    return simulate


def _effect_size(n: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        low, high = effect_interval(
            rng.normal(1, 1, n), rng.normal(0, 1, n), n_resamples=DRAWS, rng=rng
        )
        return low, high, float(1 / np.sqrt(1 + 1 / 4))

    return simulate


def _gap_ratio(rng: np.random.Generator) -> Simulated:
    """A resolver that is right in 70 % of masculine and 60 % of feminine rows, never answering neither."""
    n = 600
    female = np.arange(n) < n // 2
    right = rng.random(n) < np.where(female, 0.6, 0.7)
    answers = rng.integers(2, size=n)
    chosen = np.where(right, answers, 1 - answers)
    table = gender_intervals(np.eye(3)[chosen], answers, female, n_resamples=DRAWS, rng=rng)
    _, low, high = table.loc[("F1", "ratio"), ["value", "low", "high"]].to_numpy(float)
    return float(low), float(high), 0.6 / 0.7


def _index(items: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        outputs = ["She is one." if lean else "He is one." for lean in rng.random(items) < 0.3]
        ends = index_interval({"all": outputs}, {"all": range(items)}, resamples=DRAWS, rng=rng)
        return ends.low, ends.high, float(np.sqrt(0.3 * 0.7))

    return simulate


def _true_positive_gap(rng: np.random.Generator) -> Simulated:
    right = rng.binomial(100, [[0.8, 0.8], [0.7, 0.9]])  # men, women; two occupations
    counts = np.array([[[r[0], 100 - r[0]], [100 - r[1], r[1]]] for r in right])
    row = gap_table(counts, ["a", "b"], n_resamples=DRAWS, rng=rng).loc[("TPR", "a")]
    return float(row["low"]), float(row["high"]), -0.1


def _exact_share(rng: np.random.Generator) -> Simulated:
    rate = rejection_rate(rng.random(100))
    return rate.low, rate.high, 0.05


def _seeds(n: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        values = rng.standard_normal(n)
        half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)
        return float(values.mean() - half), float(values.mean() + half), 0.0

    return simulate


def _superiority(rng: np.random.Generator) -> Simulated:
    chosen = np.arange(60) < 20
    values = rng.standard_normal(60) + chosen
    low, high = superiority_interval(values, chosen, DRAWS, rng=rng)
    return low, high, float(stats.norm.cdf(1 / np.sqrt(2)))


def _random_words(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal(n)


def _skewed_words(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.lognormal(0, 1, n)


_BCA, _SHARE, _D = "word_interval, mean", "clustered_share", "effect_interval"
KINDS = {
    "mean_of_30_words": Kind(_BCA, "30 words, normal", _mean(_random_words, 30, 0.0)),
    "mean_of_8_words": Kind(_BCA, "8 words, normal", _mean(_random_words, 8, 0.0)),
    "mean_of_skewed_words": Kind(_BCA, "30 words, skewed", _mean(_skewed_words, 30, np.exp(0.5))),
    "rank_correlation": Kind("word_interval, Spearman", "60 words, ρ .5", _rank_correlation),
    "fisher_30": Kind("correlation", "30 points, r .5", _fisher(30)),
    "fisher_10": Kind("correlation", "10 points, r .5", _fisher(10)),
    "fisher_heavy_tails": Kind("correlation", "30 points, r .5, heavy tails", _heavy_tails),
    "r_squared": Kind("r2_interval", "51 cultures, R² .25", _r_squared),
    "words_by_pairs": Kind("two_way_interval", "40 words × 8 pairs", _two_way),
    "crossed": Kind("crossed_interval, both", "20 × 20", _crossed),
    "cells_alone": Kind(
        "crossed_interval, sentences", "20 × 20, drawn as single cells", _one_way_only
    ),
    "share_of_25_clusters": Kind(_SHARE, "25 clusters of 4", _clusters(25)),
    "share_of_6_clusters": Kind(_SHARE, "6 clusters of 4", _clusters(6)),
    "effect_size_25": Kind(_D, "25 + 25 words, normal", _effect_size(25)),
    "effect_size_8": Kind(_D, "8 + 8 words, normal", _effect_size(8)),
    "gap_ratio": Kind("gender_intervals, F1 ratio", "600 rows, .6 against .7 right", _gap_ratio),
    "tgbi_40": Kind("index_interval", "40 items, 30 % feminine", _index(40)),
    "tpr_gap": Kind("gap_table", "100 texts a cell, gap −.1", _true_positive_gap),
    "exact_share": Kind("rejection_rate", "100 tests at .05", _exact_share),
    "seeds_3": Kind("t over seeds", "3 seeds", _seeds(3)),
    "superiority": Kind("superiority_interval", "20 of 60 words", _superiority),
}


def simulate_coverage(
    kind: str, simulations: int = 400, rng: np.random.Generator | int | None = None
) -> tuple[int, int]:
    """Count the simulated intervals that have the truth in them.

    Parameters
    ----------
    kind : str
        Of `KINDS`.
    simulations : int
        How many data sets.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    tuple of int
        Intervals that cover, and those that could be had (some data allow none).

    Raises
    ------
    ValueError
        For an unknown kind.

    Examples
    --------
    >>> covered, n = simulate_coverage("seeds_3", 200, rng=0)
    >>> n, 0.9 < covered / n < 0.99
    (200, True)
    """
    one_of("kind", kind, KINDS)
    generator = np.random.default_rng(rng)
    ends = np.array([KINDS[kind].simulate(generator) for _ in range(simulations)])
    defined = np.isfinite(ends).all(axis=1)
    low, high, truth = ends[defined].T
    return int(((low <= truth) & (truth <= high)).sum()), int(defined.sum())


def coverage_table(counts: pd.DataFrame) -> pd.DataFrame:
    """Coverage of each kind with its exact binomial interval.

    Parameters
    ----------
    counts : DataFrame
        Indexed by kind: `covered`, `n`.

    Returns
    -------
    DataFrame
        `function`, `data`, `value`, `low`, `high` (shares), `n`, and `nominal`: whether .95 lies in the interval.

    Examples
    --------
    >>> counts = pd.DataFrame({"covered": [380], "n": [400]}, ["seeds_3"])
    >>> coverage_table(counts)[["value", "nominal"]].values.tolist()
    [[0.95, True]]
    """
    rows = []
    for kind, row in counts.iterrows():
        test = stats.binomtest(int(row["covered"]), int(row["n"]))
        low, high = test.proportion_ci(0.95)
        known = KINDS[str(kind)]
        rows.append(
            {
                "function": known.function,
                "data": known.data,
                "value": test.statistic,
                "low": low,
                "high": high,
                "n": int(row["n"]),
                "nominal": bool(low <= NOMINAL <= high),
            }
        )
    return pd.DataFrame(rows, counts.index)
