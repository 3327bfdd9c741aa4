"""One planted text, everything trained on it, every measure, and how each gives back what was planted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from lib.association import effect_size
from lib.checks import one_of
from lib.inference.permutation import partition_test
from lib.inference.two_way import two_way_interval
from lib.threads import one_thread
from studies.calibration.corpus import Plan, PlantedCorpus, plant
from studies.calibration.recovery import sign_accuracy
from studies.calibration.scores import (
    SIGNED,
    masked_scores,
    matched,
    pair_scores,
    resolver_ratio,
    sentence_associations,
    translated_index,
    true_positive_gaps,
    vector_scores,
)
from studies.calibration.trained import MaskedHead, glove, masked_head, skip_gram

Floats = NDArray[np.float64]
TARGETS = 40
PLAN = Plan(sentences=10_000)
PASSES = {"skip-gram": 5, "GloVe": 15, "masked head": 10}  # over a text, where nothing else is said
DRAWS = 999  # of every permutation test
ANOTHER = 1_000  # seeds further on: of what is trained once more on a text
LEVEL = 0.05  # of every test
OUTSIDE = "bias outside interval"  # 1 where the interval leaves out what no bias would give
ZERO = (
    "zero outside interval"  # 1 where that of the mean score over words and pairs leaves out zero
)
HANDICAP = 0.5  # of the resolver that finds women worse: evidence lost for a unit of strength
UNBIASED_INDEX = 0.5  # of TGBI where as many outputs are feminine as masculine and none is neutral


@dataclass(frozen=True)
class Condition:
    """What one cell of the grid plants and trains."""

    strength: float  # standard deviation of the log odds that are drawn for the targets
    plan: Plan  # of the text
    dimensions: int  # of everything that is trained
    question: str  # what it is there for
    # everything is trained once more from another seed, to see what the seed alone moves
    retrained: bool = False
    times: int = 1  # how many times the usual passes over the text


def _condition(
    question: str, strength: float = 1.0, dimensions: int = 50, **plan: float
) -> Condition:
    return Condition(strength, replace(PLAN, **plan), dimensions, question)


CONDITIONS = {
    "plain": replace(_condition("the usual text"), retrained=True),
    "faint": _condition("a seventh of the strength, for lists alone", 0.15),
    "weak": _condition("half the strength", 0.5),
    "strong": _condition("twice the strength", 2.0),
    "nothing": _condition("nothing is planted", 0.0),
    "fewer_women": _condition("female words are rarer", imbalance=-1.5),
    "nothing_fewer_women": _condition("the same, nothing planted", 0.0, imbalance=-1.5),
    "uneven_pairs": _condition("pairs differ in frequency", pair_spread=1.5),
    "nothing_uneven_pairs": _condition("the same, nothing planted", 0.0, pair_spread=1.5),
    "topics": _condition("topics lean in sentences without a target", topic_spread=2.0),
    "nothing_topics": _condition("the same, nothing planted", 0.0, topic_spread=2.0),
    "two_senses": _condition("half of a target's tokens mean something else", polysemy=0.5),
    "one_mention": _condition("one female or male word a sentence", mentions=1),
    "short_text": _condition("a quarter of the text", sentences=2_500),
    "long_text": _condition("four times the text", sentences=40_000),
    "10_dimensions": _condition("fewer dimensions", dimensions=10),
    "200_dimensions": _condition("more dimensions", dimensions=200),
    "long_training": replace(_condition("four times the passes over the text"), times=4),
}


class Row(NamedTuple):
    """One number of a replication."""

    space: str
    measure: str
    statistic: str
    value: float


@one_thread()
def replicate(condition: Condition, seed: int) -> pd.DataFrame:
    """Plant a text, train on it, and hold every measure against what was planted; the seed is that of everything.

    Columns space (skip-gram, GloVe, masked head, counts), measure, statistic, value. Statistics:
    "rank correlation", "sign accuracy" and "slope" (score for a unit of log odds) with the planted log odds, or with their size where
    a measure has no sign; "one pair" (mean rank correlation with a single base pair); "rank correlation, another seed" (between two
    trainings on the text, where the condition asks for them); p-values "p, two lists" (planted to lean female and male; halves at
    random where nothing is planted), "p, frequent words" (the frequent half of the targets against the rare one), "p, topics" (lists
    by the lean of their topics), "p, against zero" (the mean score of all targets), "p, against others" (targets against invented
    words as frequent); "beyond others" (share of targets outside the central 95 % of those); "value" of measures that give one number
    for the whole, "bias outside interval" (1 where the 95 % interval leaves out the value of a system without bias) and
    "p, shuffled genders".

    Where nothing is planted also "p, random topics" (lists by random halves of the topics), that and "p, topics" once more "by topic"
    (whole topics are exchanged, exactly, where so few ways can give .05), and "zero outside interval" (1 where the interval of the
    mean score over words and pairs leaves out zero). They draw from random numbers of their own, so that the others stay as they are.
    """
    rows = pd.DataFrame(_Trial.drawn(condition, seed).rows(), columns=Row._fields)
    return rows.dropna(ignore_index=True)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A text, the words that tests compare, and random numbers."""

    corpus: PlantedCorpus
    condition: Condition
    seed: int
    rng: np.random.Generator
    targets: NDArray[np.int64]
    others: NDArray[np.int64]
    halves: dict[str, NDArray[np.bool_]]
    sizes: NDArray[np.bool_]
    # lists cut along topics, where nothing is planted, and random numbers for them alone
    cuts: dict[str, NDArray[np.bool_]]
    apart: np.random.Generator

    @classmethod
    def drawn(cls, condition: Condition, seed: int) -> _Trial:
        rng = np.random.default_rng([seed, 20])
        corpus = planted_text(condition, rng)
        first = 2 * corpus.plan.pairs
        counts = np.bincount(corpus.numbers.ravel(), minlength=len(corpus.words))
        targets = first + np.arange(TARGETS)
        pool = {
            word: int(counts[word]) for word in range(first + TARGETS, len(counts)) if counts[word]
        }
        planted = corpus.log_odds if corpus.log_odds.any() else rng.standard_normal(TARGETS)
        halves = {
            "p, two lists": planted > np.median(planted),
            "p, frequent words": counts[targets] > np.median(counts[targets]),
        }
        lean = corpus.topic_log_odds[corpus.topics] > 0
        if 1 < lean.sum() < TARGETS - 1:
            halves["p, topics"] = lean
        sizes = np.abs(planted) > np.median(np.abs(planted))
        others = np.array(matched(counts[targets], pool))
        cuts, apart = {}, np.random.default_rng([seed, 21])
        if not condition.strength:
            present = np.unique(corpus.topics)
            half = apart.permutation(present)[: len(present) // 2]
            cuts["p, random topics"] = np.isin(corpus.topics, half)
            cuts |= {name: halves[name] for name in ("p, topics",) if name in halves}
        trial = corpus, condition, seed, rng, targets, others, halves, sizes, cuts, apart
        return cls(*trial)

    def rows(self) -> Iterator[Row]:
        size = self.condition.dimensions
        passes = {space: self.condition.times * usual for space, usual in PASSES.items()}
        windows = skip_gram(self.corpus, size, epochs=passes["skip-gram"], seed=self.seed)
        yield from self.of_vectors("skip-gram", windows)
        counted = glove(self.corpus, size, epochs=passes["GloVe"], rng=self.rng)
        yield from self.of_vectors("GloVe", counted)
        head = masked_head(self.corpus, size, epochs=passes["masked head"], rng=self.rng)
        yield from self.of_masked_head(head)
        yield from self.of_counts(self.corpus.counts())
        if self.condition.retrained:
            first, other = (self.trained(seed) for seed in (self.seed, self.seed + ANOTHER))
            for (space, measure), scores in first.items():
                same = rank(scores, other[space, measure])
                yield Row(space, measure, "rank correlation, another seed", same)

    def trained(self, seed: int) -> dict[tuple[str, str], Floats]:
        """Scores of the targets by everything that is trained, from one seed; the sentences asked about stay the same."""
        size = self.condition.dimensions
        head = masked_head(self.corpus, size, epochs=PASSES["masked head"], rng=seed)
        tables = {
            "skip-gram": skip_gram(self.corpus, size, epochs=PASSES["skip-gram"], seed=seed),
            "GloVe": glove(self.corpus, size, epochs=PASSES["GloVe"], rng=seed),
        }
        of_words = {
            space: vector_scores(vectors, self.targets, self.corpus)
            for space, vectors in tables.items()
        }
        of_words["masked head"] = masked_scores(head, self.corpus, self.targets, self.seed)
        return {
            (space, str(measure)): scores.to_numpy()
            for space, table in of_words.items()
            for measure, scores in table.items()
        }

    def of_vectors(self, space: str, vectors: NDArray[np.float32]) -> Iterator[Row]:
        scores = vector_scores(vectors, np.concatenate([self.targets, self.others]), self.corpus)
        for measure, of_words in scores.items():
            yield from self.of_words(space, str(measure), of_words.to_numpy())
        for measure, by_pair in pair_scores(vectors, self.targets, self.corpus).items():
            alone = [
                rank(by_pair[:, pair], self.corpus.log_odds) for pair in range(by_pair.shape[1])
            ]
            yield Row(space, measure, "one pair", float(np.mean(alone)))
            if self.cuts:
                about = {"n_resamples": DRAWS, "rng": self.apart}
                low, high = two_way_interval(np.mean, by_pair, **about)
                yield Row(space, measure, ZERO, float(low > 0 or high < 0))
        direct = scores["direct bias"].to_numpy()[:TARGETS]
        female = self.halves["p, two lists"]
        yield Row(space, "WEAT", "value", effect_size(direct[female], direct[~female]))
        yield Row(space, "WEAT", "p, two lists", self.p(direct[female], direct[~female]))
        yield Row(space, "mean direct bias", "value", float(np.abs(direct).mean()))
        yield Row(space, "MAC", "value", float(1 - scores["mean cosine"][:TARGETS].mean()))

    def of_masked_head(self, head: MaskedHead) -> Iterator[Row]:
        words = np.concatenate([self.targets, self.others])
        masked = masked_scores(head, self.corpus, words, self.rng)
        for measure, of_words in masked.items():
            yield from self.of_words("masked head", str(measure), of_words.to_numpy())
        sentences = sentence_associations(head, self.corpus, self.targets, self.rng)
        yield from self.of_words("masked head", "SEAT, averaged", sentences.mean(axis=1))
        for name, half in self.halves.items():
            pooled = sentences[half].ravel(), sentences[~half].ravel()
            yield Row("masked head", "SEAT", name, self.p(*pooled))
            if name == "p, two lists":
                yield Row("masked head", "SEAT", "value", effect_size(*pooled))

    def of_counts(self, counts: NDArray[np.int64]) -> Iterator[Row]:
        """What needs no vectors: a translator's shares and TGBI, a classifier's TPR gap, a resolver's GAP ratio."""
        shares = np.log((counts[:, 0] + 0.5) / (counts[:, 1] + 0.5))
        yield from self.of_words("counts", "share translated", shares)
        gaps, size, p = true_positive_gaps(self.corpus, self.rng)
        yield from self.of_words("counts", "TPR gap", gaps)
        yield Row("counts", "TPR gap", "value", size)
        yield Row("counts", "TPR gap", "p, shuffled genders", p)
        handicap = HANDICAP * self.condition.strength
        for measure, neutral, result in (
            ("TGBI", UNBIASED_INDEX, translated_index(counts)),
            ("GAP ratio", 1.0, resolver_ratio(counts, self.rng)),
            ("GAP ratio, handicap", 1.0, resolver_ratio(counts, self.rng, handicap=handicap)),
        ):
            value, low, high = result
            yield Row("counts", measure, "value", value)
            yield Row("counts", measure, OUTSIDE, float(not low <= neutral <= high))

    def of_words(self, space: str, measure: str, scores: Floats) -> Iterator[Row]:
        """Of a measure with a score for each word: the targets first, then the others if it has those."""
        known, signed = min(len(scores), TARGETS), measure in SIGNED
        targets, others = scores[:known], scores[known:]
        planted = self.corpus.log_odds[:known] if signed else np.abs(self.corpus.log_odds[:known])
        if planted.any():
            yield Row(space, measure, "rank correlation", rank(targets, planted))
            yield Row(space, measure, "slope", float(stats.linregress(planted, targets).slope))
            if signed:
                yield Row(space, measure, "sign accuracy", sign_accuracy(targets, planted))
        if signed:
            yield Row(
                space, measure, "p, against zero", float(stats.ttest_1samp(targets, 0).pvalue)
            )
        if known == TARGETS:
            for name, half in self.halves.items():
                half = half if signed or name != "p, two lists" else self.sizes
                yield Row(space, measure, name, self.p(targets[half], targets[~half]))
            for name, half in self.cuts.items():
                if name not in self.halves:
                    p = self.p(targets[half], targets[~half], self.apart)
                    yield Row(space, measure, name, p)
                p = by_topic(targets, self.corpus.topics, half)
                yield Row(space, measure, f"{name}, by topic", p)
        if len(others):
            yield Row(space, measure, "p, against others", self.p(targets, others))
            low, high = np.quantile(others, [0.025, 0.975])
            beyond = ((targets < low) | (targets > high)).mean()
            yield Row(space, measure, "beyond others", float(beyond))

    def p(self, x: Floats, y: Floats, rng: np.random.Generator | None = None) -> float:
        about = {"method": "sampled", "n_resamples": DRAWS, "rng": rng or self.rng}
        return partition_test(x, y, alternative="two-sided", **about).pvalue


def planted_text(condition: Condition, rng: np.random.Generator) -> PlantedCorpus:
    """The text of a condition; what is planted is drawn first."""
    return plant(condition.strength * rng.standard_normal(TARGETS), condition.plan, rng)


def by_topic(scores: Floats, topics: NDArray[np.integer], first: NDArray[np.bool_]) -> float:
    """The exact p of two lists of whole topics, by exchanging topics: of the mean scores (topics,) of those in the first list against the others.
    NaN where there are too few ways to deal them out for a p of .05."""
    present = np.unique(topics)
    means = np.array([scores[topics == topic].mean() for topic in present])
    chosen = np.array([first[topics == topic].all() for topic in present])
    ways = math.comb(len(present), int(chosen.sum()))
    mirrored = 2 * chosen.sum() == len(
        present
    )  # each way and its mirror image differ in sign alone
    if (1 + mirrored) / ways > LEVEL:
        return float("nan")
    test = partition_test(means[chosen], means[~chosen], alternative="two-sided", method="exact")
    return test.pvalue


def rank(scores: Floats, planted: Floats) -> float:
    """Spearman's rank correlation, NaN where nothing is planted."""
    return float(stats.spearmanr(scores, planted).statistic) if np.ptp(planted) else float("nan")


def run_block(name: str, seeds: range) -> pd.DataFrame:
    """Replications of one condition, a seed each, as `replicate`, with the column seed."""
    one_of("condition", name, CONDITIONS)
    tables = [replicate(CONDITIONS[name], seed).assign(seed=seed) for seed in seeds]
    return pd.concat(tables, ignore_index=True)
