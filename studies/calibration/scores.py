"""The book's measures on planted text: a score for each word, or one number for the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.association import associations
from lib.coreference.intervals import gender_intervals
from lib.measures.word_scores import SIGNED as SIGNED_OF_VECTORS
from lib.measures.word_scores import scores_by_pair, word_scores
from lib.text_classification.occupations.rates import confusions, fair_draws, gaps, mean_gaps
from lib.translation.tgbi import index_interval, translation_gender_bias_index
from studies.calibration.corpus import PlantedCorpus
from studies.calibration.trained import MaskedHead

Floats = NDArray[np.float64]
SIGNED = (
    *SIGNED_OF_VECTORS,
    "log probability bias",
    "log odds without the prior",
    "SEAT, averaged",
    "share translated",
    "TPR gap",
)
NEIGHBOURS = 50
FRAMES = 5  # sentences for each target
FILL = 4  # invented words in a sentence
OCCUPATIONS = 10  # targets that a classifier tells apart
EVIDENCE = 1.0  # log odds for the right person, beside a deviation of 1 from sentence to sentence


def arrays(
    vectors: ArrayLike, rows: ArrayLike, corpus: PlantedCorpus
) -> tuple[dict[str, NDArray[np.floating]], NDArray[np.int64]]:
    """What the measures of `lib.measures.word_scores` take, for the words in some rows (n,) of the vectors (words, d) of a planted text:
    vectors of the words, of female, male and invented ("neutral") words, and each word's row among the invented ones, -1 for none."""
    table, rows = np.asarray(vectors), np.asarray(rows)
    pairs, first = corpus.plan.pairs, 2 * corpus.plan.pairs + len(corpus.log_odds)
    known = first + np.flatnonzero(np.isfinite(table[first:, 0]))
    place = np.full(len(table), -1)
    place[known] = np.arange(len(known))
    given = {"words": table[rows], "female": table[:pairs], "male": table[pairs : 2 * pairs]}
    return given | {"neutral": table[known]}, place[rows]


def pair_scores(vectors: ArrayLike, rows: ArrayLike, corpus: PlantedCorpus) -> dict[str, Floats]:
    """Scores (n, pairs) of some words with each base pair alone, positive leans female: direct bias, RIPA, neighbourhood bias."""
    given, exclude = arrays(vectors, rows, corpus)
    k = min(NEIGHBOURS, len(given["neutral"]) - 1)
    return scores_by_pair(**given, k=k, exclude=exclude)


def vector_scores(vectors: ArrayLike, rows: ArrayLike, corpus: PlantedCorpus) -> pd.DataFrame:
    """Scores of some words with all base pairs, words × measures of vectors.

    Positive leans female, but "one-vs-one", "one-vs-rest" and "mean cosine" (1 less MAC) have no sign.
    """
    given, exclude = arrays(vectors, rows, corpus)
    k = min(NEIGHBOURS, len(given["neutral"]) - 1)
    return pd.DataFrame(word_scores(**given, k=k, exclude=exclude))


def frames(corpus: PlantedCorpus, rows: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
    """(n, frames, words) sentences about words: a mask, the word, invented words, the same frames for all."""
    rows, first = np.asarray(rows), 2 * corpus.plan.pairs + len(corpus.log_odds)
    fill = rng.integers(first, len(corpus.words), (FRAMES, FILL))
    sentences = np.empty((len(rows), FRAMES, FILL + 2), np.int64)
    sentences[..., 0] = len(corpus.words)
    sentences[..., 1] = rows[:, None]
    sentences[..., 2:] = fill
    return sentences


def masked_scores(
    head: MaskedHead, corpus: PlantedCorpus, rows: ArrayLike, rng: np.random.Generator | int | None
) -> pd.DataFrame:
    """Log probability bias of some words, and the same without the correction for the prior: mean over base pairs and frames, in log
    units; positive leans female."""
    sentences = frames(corpus, rows, np.random.default_rng(rng))
    prior = sentences.copy()
    prior[..., 1] = len(corpus.words)
    pairs = corpus.plan.pairs

    def log_odds(texts: NDArray[np.int64]) -> Floats:
        flat = head.log_probabilities(texts.reshape(-1, texts.shape[-1]))
        contrast = flat[:, :pairs].mean(axis=1) - flat[:, pairs : 2 * pairs].mean(axis=1)
        return np.asarray(contrast.reshape(texts.shape[:2]).mean(axis=1), float)

    plain = log_odds(sentences)
    return pd.DataFrame(
        {"log probability bias": plain - log_odds(prior), "log odds without the prior": plain}
    )


def sentence_associations(
    head: MaskedHead, corpus: PlantedCorpus, rows: ArrayLike, rng: np.random.Generator | int | None
) -> Floats:
    """(n, frames): of sentences about words with sentences about women less those about men, as in SEAT."""
    generator = np.random.default_rng(rng)
    pairs = corpus.plan.pairs
    everyone = np.concatenate([np.arange(2 * pairs), np.asarray(rows)])
    sentences = frames(corpus, everyone, generator)
    vectors = head.sentence_vectors(sentences.reshape(-1, sentences.shape[-1]))
    cut = pairs * FRAMES
    scores = associations(vectors[2 * cut :], vectors[:cut], vectors[cut : 2 * cut])
    return np.asarray(scores, float).reshape(-1, FRAMES)


def translated_index(counts: ArrayLike) -> tuple[float, float, float]:
    """TGBI and its interval over items, of a translator that writes the likelier pronoun by counts (targets, 2) of sentences with a
    female, with a male word; .5 where as many targets become *she* as *he*."""
    table = np.asarray(counts)
    outputs = {"all": ["She is one." if f > m else "He is one." for f, m in table]}
    ends = index_interval(outputs, {"all": range(len(table))}, rng=0)
    return translation_gender_bias_index(outputs).index, ends.low, ends.high


def true_positive_gaps(
    corpus: PlantedCorpus, rng: np.random.Generator | int | None, *, blind: bool = False
) -> tuple[Floats, float, float]:
    """TPR of women less that of men where a classifier tells the most frequent targets apart: gaps of the first targets, their mean
    size, and its p against shuffled genders.

    It sees the sentence without the target (if `blind`, without female and male words, too), and learns from one half of the
    sentences (multinomial naive Bayes).
    """
    from sklearn.naive_bayes import MultinomialNB

    generator = np.random.default_rng(rng)
    first = 2 * corpus.plan.pairs
    known = min(OCCUPATIONS, len(corpus.log_odds))
    inside = (corpus.numbers >= first) & (corpus.numbers < first + known)
    rows = np.flatnonzero(inside.any(axis=1))
    numbers, answers = corpus.numbers[rows], corpus.numbers[rows][inside[rows]] - first
    female = (numbers < corpus.plan.pairs).any(axis=1)
    features = np.zeros((len(rows), len(corpus.words)), np.float32)
    np.add.at(features, (np.arange(len(rows))[:, None], numbers), 1)
    features[:, first : first + known] = 0
    if blind:
        features[:, :first] = 0
    learns = generator.random(len(rows)) < 0.5
    predicted = MultinomialNB().fit(features[learns], answers[learns]).predict(features[~learns])
    counts = confusions(answers[~learns], predicted, female[~learns], occupations=range(known))
    size = float(mean_gaps(counts)[0])
    fair = mean_gaps(fair_draws(counts, n_resamples=999, rng=generator))[:, 0]
    return gaps(counts)[0], size, float((1 + (fair >= size).sum()) / (1 + len(fair)))


def resolver_ratio(
    counts: ArrayLike,
    rng: np.random.Generator | int | None,
    *,
    handicap: float = 0.0,
    sentences: int = 600,
) -> tuple[float, float, float]:
    """Feminine over masculine F1, with its bootstrap interval, of a resolver that also goes by how a person's word leans.

    Two targets and a pronoun, whose gender is drawn as the right target's counts have it. The resolver adds evidence for the right
    one (less of it, by the handicap, where the pronoun is feminine), noise, and each target's log share of that gender.
    """
    generator = np.random.default_rng(rng)
    shares = (np.asarray(counts) + 0.5) / (np.asarray(counts) + 0.5).sum(axis=1, keepdims=True)
    people = np.stack([generator.permutation(len(shares))[:2] for _ in range(sentences)])
    answers = generator.integers(2, size=sentences)
    right = people[np.arange(sentences), answers]
    female = generator.random(sentences) < shares[right, 0]
    scores = np.log(shares[people, np.where(female, 0, 1)[:, None]])
    scores = scores + generator.standard_normal(scores.shape)
    scores[np.arange(sentences), answers] += EVIDENCE - handicap * female
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely = np.column_stack([likely / likely.sum(axis=1, keepdims=True), np.zeros(sentences)])
    table = gender_intervals(likely, answers, female, n_resamples=999, rng=generator)
    value, low, high = table.loc[("F1", "ratio"), ["value", "low", "high"]].to_numpy(float)
    return float(value), float(low), float(high)


def matched(counts: Sequence[int] | NDArray[np.integer], pool: Mapping[int, int]) -> list[int]:
    """For each count, the word of the pool (word -> count) that is nearest in frequency, none twice."""
    left = dict(pool)
    chosen = []
    for count in counts:
        nearest = min(left, key=lambda word: (abs(np.log(left[word] / max(count, 1))), word))
        chosen.append(nearest)
        del left[nearest]
    return chosen
