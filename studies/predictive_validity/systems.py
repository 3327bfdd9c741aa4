"""Three small systems that read nothing but a set of vectors, and the gap of each.

A resolver of pronouns learns from gendered nouns which words are female; a rater of sentiment learns from the words of
VADER; a classifier learns occupations from synthetic biographies. All are logistic regressions, the same for every set of vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from lib.embeddings import Embedding
from lib.lexicons import load_lexicon
from lib.text_classification.occupations.classifiers import (
    TOKEN,
    fit,
    mean_vectors,
    word_counts,
    words_in,
)
from lib.text_classification.occupations.printed import biographies_by_gender
from lib.text_classification.occupations.synthetic import Planted, biographies
from lib.text_classification.sentiment.lexicons import Vader
from lib.text_classification.sentiment.templates import own_sentences
from studies.predictive_validity.words import Jobs, gendered_words, job_halves, score_signs

CLEAR = 1.0  # of VADER's −4 to 4, the least value of a word to learn from
TEXTS = 4000
SIGNS = Planted(explicit=0.9, attributes=0.4, topics=0.4)
TOKENS = re.compile(TOKEN)
HELD_OUT = 5  # every fifth word is not learnt from

Floats = NDArray[np.float64]


class Gap(NamedTuple):
    """What a system does with one set of vectors."""

    gap: float  # positive along the stereotype, or where female sentences are rated higher
    accuracy: float  # on what was not learnt from, in which no stereotype helps
    n: int  # questions asked


def coreference_gap(e: Embedding, jobs: Jobs | None = None) -> Gap:
    """Pro- minus anti-stereotypical, a share: how often a resolver picks the occupation that is meant, by the pronoun.

    A regression learns from the vectors of gendered nouns and pronouns which are female; of two nouns the resolver takes the one that
    goes better with the pronoun. In each question an occupation (which is meant, by default of the second of `job_halves`) and a
    participant of the list `two_people` stand with *she* or *he*; nothing else is read, so that every sentence about the two has the
    same answer. Accuracy is that on the known pairs of `two_people`, such as *mother* and *father*, which are not learnt from.
    """
    jobs = jobs or job_halves()[1]
    lexicon = load_lexicon("two_people")
    known = {word for pair in lexicon["known_pairs"] for word in pair}
    lists = load_lexicon("gender_specific")
    nouns = {
        side: [word for word in lists[side] if word not in known and word in e]
        for side in ("female", "male")
    }
    learnt = nouns["female"] + nouns["male"]
    model = fit(_unit(e.rows(learnt).vectors), [word in nouns["female"] for word in learnt])

    def preference(words: Sequence[str], pronoun: str) -> Floats:
        """How well nouns go with a pronoun."""
        sign = 1 if pronoun == "she" else -1
        return sign * model.decision_function(_unit(e.rows(words).vectors))

    right = []
    for female, male in lexicon["known_pairs"]:
        if female in e and male in e:
            for name, sign in (("she", 1), ("he", -1)):
                both = preference((female, male), name)
                right.append(sign * (both[0] - both[1]) > 0)
    plain = [word for word in lexicon["participants"] if word not in score_signs()]
    others = e.rows(plain, missing="drop").words
    gaps, n = [], 0
    for words, name, opposite in ((jobs.female, "she", "he"), (jobs.male, "he", "she")):
        held = e.rows(words, missing="drop").words
        picked = {
            pronoun: preference(held, pronoun)[:, None] > preference(others, pronoun)
            for pronoun in (name, opposite)
        }
        gaps.append(picked[name].mean() - picked[opposite].mean())
        n += 2 * picked[name].size
    return Gap(float(np.mean(gaps)), float(np.mean(right)), n)


def sentiment_gap(e: Embedding, jobs: Jobs | None = None) -> Gap:
    """Positive probability of female less that of male twin sentences, by the mean of their words' vectors.

    Over the frames and pairs of nouns of `lib.text_classification.sentiment.templates`, with occupations by default of the second of
    `job_halves`; accuracy is that on every fifth word of VADER, not learnt from.
    """
    jobs = jobs or job_halves()[1]
    values = {
        word: value
        for word, value in Vader().values.items()
        if abs(value) >= CLEAR and word in e and word not in {*gendered_words(), *score_signs()}
    }
    words = sorted(values)
    vectors = _unit(e.rows(words).vectors)
    positive = np.array([values[word] > 0 for word in words])
    asked = np.arange(len(words)) % HELD_OUT == 0
    model = fit(vectors[~asked], positive[~asked])
    said = model.predict(vectors[asked])
    accuracy = np.mean([(said[positive[asked] == side] == side).mean() for side in (True, False)])
    sentences = _sentences(jobs)
    known = words_in(sentences["text"], e.words)
    means = mean_vectors(word_counts(sentences["text"], known), _unit(e.rows(known).vectors))
    likely = pd.Series(model.predict_proba(means)[:, 1]).groupby(sentences["side"].to_numpy())
    by_side = likely.mean()
    return Gap(float(by_side["female"] - by_side["male"]), float(accuracy), len(sentences))


def biography_gap(e: Embedding) -> Gap:
    """True-positive rate of the gender that most of an occupation's biographies are about, less that of the other, mean of occupations.

    Gender shows in the texts, which are the same for all vectors; half of them are learnt from. Accuracy is that over all occupations.
    """
    people, counts, words, female_majority = _texts()
    place = [number for number, word in enumerate(words) if word in e and word not in score_signs()]
    held = [words[number] for number in place]
    means = mean_vectors(counts[:, place], _unit(e.rows(held).vectors))
    truth = people["occupation"].to_numpy()
    taught = np.arange(len(people)) % 2 == 0
    said = fit(means[taught], truth[taught]).predict(means[~taught])
    asked = people[~taught].assign(right=said == truth[~taught])
    majority = asked["occupation"].map(female_majority).to_numpy(bool)
    asked["majority"] = (asked["gender"] == "female").to_numpy() == majority
    rates = asked.groupby(["occupation", "majority"])["right"].mean().unstack()
    return Gap(float((rates[True] - rates[False]).mean()), float(asked["right"].mean()), len(asked))


def system_signs(jobs: Jobs | None = None) -> dict[str, int]:
    """The words that the systems read and whose stereotype is known: 1 female, −1 male; none of the scores' words.

    Occupations by those who work in them, an occupation's own words in biographies likewise, and words of sentiment (positive ones as
    women's, after the score "WEAT pleasant, women").
    """
    jobs = jobs or job_halves()[1]
    female_majority = _texts()[3]
    signs = {
        word: 1 if value > 0 else -1
        for word, value in Vader().values.items()
        if abs(value) >= CLEAR
    }
    for name, *own in load_lexicon("biographies")["own"]:
        signs |= dict.fromkeys(own, 1 if female_majority[name] else -1)
    signs |= dict.fromkeys(jobs.female, 1) | dict.fromkeys(jobs.male, -1)
    return {
        word: sign
        for word, sign in signs.items()
        if word not in score_signs() and word not in gendered_words()
    }


@cache
def _texts() -> tuple[pd.DataFrame, sparse.csr_matrix, list[str], dict[str, bool]]:
    counts = biographies_by_gender()
    people = biographies(TEXTS, SIGNS, counts, rng=0)
    words = sorted({word for text in people["text"] for word in TOKENS.findall(text.lower())})
    majority = (counts["female"] > counts["male"]).to_dict()
    return people, word_counts(people["text"], words), words, majority


@cache
def _sentences(jobs: Jobs) -> pd.DataFrame:
    return own_sentences(occupations=list(jobs.all))


def _unit(vectors: NDArray[np.floating]) -> Floats:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
