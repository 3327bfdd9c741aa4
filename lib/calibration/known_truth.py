"""Data of a known truth for every kind of interval, and the interval that the book prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from lib.agreement import direction_kappa, interval_table
from lib.association import effect_interval, effect_size, effect_size_interval
from lib.calibration.predictive.released import pooled_correlation
from lib.calibration.predictive.spread import clustered_correlation, within_groups
from lib.calibration.recovery import rejection_rate
from lib.coreference.intervals import gender_intervals
from lib.cultures.regression import r2_interval
from lib.inference.bootstrap import clustered_share, word_interval
from lib.inference.correlation import correlation
from lib.inference.crossed import crossed_components, reliability
from lib.inference.jackknife import interval_over_tokens
from lib.inference.multitrait import icc_interval, multitrait_multimethod
from lib.inference.two_way import crossed_interval, two_way_interval
from lib.measures.amplification import words_and_pairs_interval
from lib.measures.contextual_association import words_interval
from lib.measures.convergence import separation
from lib.text_classification.occupations.rates import gap_summary, gap_table
from lib.translation.gender import Marking, count_markings
from lib.translation.occupations import superiority_interval
from lib.translation.tgbi import index_interval
from lib.translation.winomt import winomt_intervals

DRAWS = 500  # bootstrap resamples of a simulated interval
FEWER = 200  # where a resample takes long

Simulated = tuple[float, float, float]  # low, high, the true value


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


def _index(items: int, share: float) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        outputs = ["She is one." if lean else "He is one." for lean in rng.random(items) < share]
        ends = index_interval({"all": outputs}, {"all": range(items)}, resamples=DRAWS, rng=rng)
        return ends.low, ends.high, float(np.sqrt(share * (1 - share)))

    return simulate


def _two_occupations(rng: np.random.Generator) -> np.ndarray:
    """Confusions of a classifier whose gaps are −.1 and .1."""
    right = rng.binomial(100, [[0.8, 0.8], [0.7, 0.9]])  # men, women; two occupations
    return np.array([[[r[0], 100 - r[0]], [100 - r[1], r[1]]] for r in right])


def _true_positive_gap(rng: np.random.Generator) -> Simulated:
    counts = _two_occupations(rng)
    row = gap_table(counts, ["a", "b"], n_resamples=DRAWS, rng=rng).loc[("TPR", "a")]
    return float(row["low"]), float(row["high"]), -0.1


def _mean_gap(rng: np.random.Generator) -> Simulated:
    row = gap_summary(_two_occupations(rng), n_resamples=DRAWS, rng=rng).loc["TPR gap"]
    return float(row["low"]), float(row["high"]), 0.1


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


def _wilson(rng: np.random.Generator) -> Simulated:
    """Thirty sentences with a marked gender, one in ten feminine."""
    feminine = int(rng.binomial(30, 0.1))
    marked = [Marking("feminine", "singular")] * feminine
    counted = count_markings(marked + [Marking("masculine", "singular")] * (30 - feminine))
    return float(counted.low or 0.0), float(counted.high or 0.0), 0.1


def _spearman_of(r: float) -> float:
    """Spearman's correlation of normal points whose Pearson correlation is r."""
    return float(6 / np.pi * np.arcsin(r / 2))


def _corrected(rng: np.random.Generator) -> Simulated:
    """Two measures of one lean, correlated at .8, on halves of the text that repeat each at .65."""
    lean = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 67).T
    halves = [
        {
            ("lean", name): values + rng.normal(0, np.sqrt(1 / 0.65 - 1), 67)
            for name, values in zip("ab", lean)
        }
        for _ in "12"
    ]
    table = multitrait_multimethod(*halves, n_resamples=FEWER, rng=rng).set_index("kind")
    low, high = table.loc["same trait", ["corrected low", "corrected high"]].astype(float)
    return low, high, _spearman_of(0.8 * 0.65) / _spearman_of(0.65)


def _repeated(rng: np.random.Generator, things: int, columns: int, share: float) -> np.ndarray:
    """Scores of which this share of the variance is the things', with every column's own mean."""
    error = rng.normal(0, np.sqrt(1 / share - 1), (things, columns))
    return rng.standard_normal((things, 1)) + rng.standard_normal((1, columns)) + error


def _seeds_alike(rng: np.random.Generator) -> Simulated:
    low, high = word_interval(
        lambda scores: reliability(crossed_components(scores)),
        _repeated(rng, 67, 5, 0.9),
        n_resamples=FEWER,
        rng=rng,
    )
    return low, high, 0.9


def _reliability_by_f(things: int) -> Callable:
    def simulate(rng: np.random.Generator) -> Simulated:
        return *icc_interval(_repeated(rng, things, 11, 0.3)), 0.3

    return simulate


def _kappa(rng: np.random.Generator) -> Simulated:
    """Eight pairs that call a word female as often as the word's own beta-distributed share."""
    female = rng.random((40, 8)) < rng.beta(0.5, 0.5, 40)[:, None]
    table = interval_table(
        direction_kappa, {"a": np.where(female, 1.0, -1.0)}, n_resamples=DRAWS, rng=rng
    )
    return *table.loc["a", ["low", "high"]].astype(float), 0.5


def _ten_corpora(rng: np.random.Generator, moves: np.ndarray) -> tuple[np.ndarray, ...]:
    """Scores and gaps of ten corpora, each with means of its own, at every move of its words."""
    corpora = np.repeat(np.arange(10), len(moves))
    means = rng.standard_normal((2, 10))[:, corpora]
    return means[0], means[1], np.tile(moves, 10), corpora


def _between_seeds(rng: np.random.Generator) -> Simulated:
    x, y, _, corpora = _ten_corpora(rng, np.zeros(3))
    left = _normal_points(rng, 0.5, 30).T
    result = within_groups(x + left[0], y + left[1], corpora, n_resamples=DRAWS, rng=rng)
    return result.low, result.high, 0.5


def _moved_by_force(rng: np.random.Generator) -> Simulated:
    moves = np.linspace(-1.5, 1.5, 9)
    x, y, move, corpora = _ten_corpora(rng, moves)
    result = clustered_correlation(x + move, y + move + rng.standard_normal(len(y)), corpora)
    shared = float(moves.var())
    return result.low, result.high, shared / np.sqrt((shared + 1) * (shared + 2))


def _pooled(rng: np.random.Generator) -> Simulated:
    """Two studies of seven systems, one cell each."""
    points = np.vstack([_normal_points(rng, 0.5, 7) for _ in "ab"])
    frame = pd.DataFrame(points, columns=["effect", "gap"])
    frame = frame.assign(vectors=list("a" * 7 + "b" * 7), number=[*range(7)] * 2)
    frame = frame.assign(method="", test="6", metric="Recall")
    result = pooled_correlation(frame, n_resamples=1, rng=rng)
    return result.low, result.high, 0.5


def _heap(rng: np.random.Generator) -> Simulated:
    """Seven points, five of which share a score, as in a released cell."""
    scores = np.array([-2.0, 0, 0, 0, 0, 0, 2.0])
    noise = scores.std() * np.sqrt(1 / 0.5**2 - 1)
    result = correlation(scores, scores + rng.normal(0, noise, 7), n_resamples=1, rng=rng)
    return result.low, result.high, 0.5


def _lists(rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Vectors of two lists of targets and two of attributes, apart in one of ten directions."""
    shift = np.eye(10)[0]
    return [rng.standard_normal((n, 10)) + side * shift for side in (0.3, -0.3, 0.5, -0.5)]


@lru_cache
def _effect_of_many() -> float:
    x, y, a, b = (
        rows / np.linalg.norm(rows, axis=1, keepdims=True)
        for rows in _lists(np.random.default_rng(0), 200_000)
    )
    pole = a.mean(axis=0) - b.mean(axis=0)
    return float(effect_size(x @ pole, y @ pole))


def _four_lists(rng: np.random.Generator) -> Simulated:
    low, high = effect_size_interval(*_lists(rng, 8), n_resamples=DRAWS, rng=rng)
    return low, high, _effect_of_many()


def _contexts(rng: np.random.Generator) -> Simulated:
    scores = rng.standard_normal(16) + np.repeat([1.0, 0.0], 8)
    drawn = scores + 0.3 * rng.standard_normal((30, 16))
    low, high = words_interval(drawn, 8, n_resamples=DRAWS, rng=rng)
    return low, high, float(1 / np.sqrt(1 + 0.3**2 + 1 / 4))


def _two_lists_apart(rng: np.random.Generator) -> Simulated:
    result = separation(
        rng.normal(1, 1, (16, 1)), rng.normal(0, 1, (16, 1)), n_resamples=DRAWS, rng=rng
    )
    return result.low, result.high, float(stats.norm.cdf(1 / np.sqrt(2)))


def _tokens(rng: np.random.Generator) -> Simulated:
    """The cosine of the means of twelve tokens each of two words, at a right angle but for a third."""
    centres = np.eye(8)[0] * 3, np.array([1.0, np.sqrt(8), *[0.0] * 6])
    clouds = [centre + rng.standard_normal((12, 8)) for centre in centres]

    def cosine(two: list[np.ndarray]) -> float:
        a, b = (cloud.mean(axis=0) for cloud in two)
        return float(a @ b / np.sqrt(a @ a * (b @ b)))

    return *interval_over_tokens(cosine, clouds), 1 / 3


def _size_of_leans(rng: np.random.Generator) -> Simulated:
    low, high = words_and_pairs_interval(
        lambda leans: float(np.abs(leans.mean(axis=-1)).mean()),
        _words_by_pairs(rng),
        n_resamples=FEWER,
        rng=rng,
    )
    return low, high, float(np.sqrt(2 / np.pi))  # of means over all pairs there are


def _translations(rng: np.random.Generator) -> Simulated:
    """Forty occupations, four sentences each: six in ten follow the pronoun, others the occupation's lean."""
    says = np.tile(["male", "male", "female", "female"], 40)
    lean = np.repeat(rng.choice([0.2, 0.8], 40), 4)
    own = np.where(rng.random(160) < lean, "female", "male")
    read = np.where(rng.random(160) < 0.6, says, own)
    people = np.repeat([f"the worker{number}" for number in range(40)], 4)
    frame = pd.DataFrame({"gender": says, "person": people})
    row = winomt_intervals(read.tolist(), frame, n_resamples=DRAWS, rng=rng).loc["accuracy"]
    return float(row["low"]), float(row["high"]), 80.0


def _random_words(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal(n)


def _skewed_words(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.lognormal(0, 1, n)


SIMULATORS: dict[str, Callable[[np.random.Generator], Simulated]] = {
    "mean_of_30_words": _mean(_random_words, 30, 0.0),
    "mean_of_8_words": _mean(_random_words, 8, 0.0),
    "mean_of_skewed_words": _mean(_skewed_words, 30, np.exp(0.5)),
    "rank_correlation": _rank_correlation,
    "fisher_30": _fisher(30),
    "fisher_10": _fisher(10),
    "fisher_heavy_tails": _heavy_tails,
    "r_squared": _r_squared,
    "words_by_pairs": _two_way,
    "crossed": _crossed,
    "cells_alone": _one_way_only,
    "share_of_25_clusters": _clusters(25),
    "share_of_6_clusters": _clusters(6),
    "effect_size_25": _effect_size(25),
    "effect_size_8": _effect_size(8),
    "gap_ratio": _gap_ratio,
    "tgbi_40": _index(40, 0.3),
    "tgbi_even": _index(40, 0.5),
    "tpr_gap": _true_positive_gap,
    "mean_gap": _mean_gap,
    "exact_share": _exact_share,
    "seeds_3": _seeds(3),
    "superiority": _superiority,
    "wilson": _wilson,
    "corrected": _corrected,
    "icc_of_seeds": _seeds_alike,
    "icc_by_f_20": _reliability_by_f(20),
    "icc_by_f_5": _reliability_by_f(5),
    "kappa": _kappa,
    "between_seeds": _between_seeds,
    "moved_corpora": _moved_by_force,
    "pooled": _pooled,
    "fisher_heap": _heap,
    "weat_8": _four_lists,
    "contexts_8": _contexts,
    "auc_16": _two_lists_apart,
    "tokens_12": _tokens,
    "size_of_leans": _size_of_leans,
    "winomt": _translations,
}
