"""Nine scores of a word in one masked language model, from the same sentences and contexts; positive leans female.

Seven read sentences (`lean_scores`), SEAT and CEAT compare vectors, of sentences and of words in contexts. A score is an array
(words, questions); its mean over questions is a word's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from lib.association import associations
from lib.datasets.contexts import fill_all, frames_of, read_sentences
from lib.language_models import ContextEncoder, MaskedLanguageModel
from lib.language_models.templates import own_frames, sample_frames
from lib.lexicons import load_lexicon, word_list
from studies.sentence_measures.lean_scores import (
    by_question,
    lean_scores,
    of_all_pairs,
    questions,
    scores_by_noun,
)
from studies.sentence_measures.sentence_vectors import sentence_vectors

Floats = NDArray[np.float64]
# what a page calls the scores of lib
NAMES = {"pseudo-log-likelihood": "CrowS-Pairs", "per piece": "all pieces"}
NAMES |= {"log probability": "gap: log odds", "probability": "gap: probability"}
KIND_OF = {
    "log probability bias": "gap",
    "gap: log odds": "gap",
    "gap: probability": "gap",
    "CrowS-Pairs": "sentence",
    "all pieces": "sentence",
    "AUL": "sentence",
    "AULA": "sentence",
    "SEAT": "vectors",
    "CEAT": "vectors",
}
ANY_TWO = "any two of them"


def kinds_of_twos(names: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """Every two scores, by what they read: all of them, two of one kind, two of different kinds."""
    twos = list(combinations([name for name in KIND_OF if name in names], 2))
    found: dict[str, list[tuple[str, str]]] = {ANY_TWO: twos}
    for kind in dict.fromkeys(KIND_OF.values()):
        label = "SEAT with CEAT" if kind == "vectors" else f"{kind} with {kind}"
        found[label] = [two for two in twos if {KIND_OF[name] for name in two} == {kind}]
    sides = [{KIND_OF[name] for name in two} for two in twos]
    found["gap with sentence"] = [t for t, of in zip(twos, sides) if of == {"gap", "sentence"}]
    found["vectors with the others"] = [
        two for two, of in zip(twos, sides) if "vectors" in of and len(of) == 2
    ]
    return {kind: part for kind, part in found.items() if part}


def spread_evenly(facts: pd.Series[float], count: int, keep: Callable[[str], bool]) -> list[str]:
    """So many of the words that are kept, evenly from the smallest fact to the largest."""
    ordered = facts.sort_values(kind="stable")
    pool = [word for word in ordered.index if keep(word)]
    chosen = np.unique(np.linspace(0, len(pool) - 1, min(count, len(pool))).round())
    return [pool[int(place)] for place in chosen]


def sentence_scores(
    model: MaskedLanguageModel,
    words: Sequence[str],
    templates: Sequence[str],
    target_frames: Sequence[tuple[str, str, str]],
) -> dict[str, Floats]:
    """The seven scores of sentences, (words, questions); none without words or pairs."""
    if not (len(words) and len(target_frames)):
        return {}
    rows = questions(words, templates, target_frames)
    found = by_question(lean_scores(model, rows), rows)
    return {NAMES.get(name, name): values for name, values in found.items()}


def contexts_of(
    words: Sequence[str], contexts: Sequence[str], frames: int, rng: np.random.Generator
) -> dict[str, list[str]]:
    """Contexts of each word, so many: our sentences, or sentences of registered texts; a word with fewer has none."""
    if list(contexts) == ["book"]:
        return {word: sample_frames(own_frames(word), frames, rng) for word in words}
    gendered = {*word_list("gender_specific/female"), *word_list("gender_specific/male")}
    read = read_sentences(contexts)
    held = frames_of(read, words, without=gendered, most=frames, rng=rng)
    return {word: found for word, found in held.items() if len(found) == frames}


class Vectors(NamedTuple):
    """What SEAT and CEAT compare: sentence -> word -> (d,), and word -> (contexts, d)."""

    of_sentences: Mapping[str, Mapping[str, Floats]]
    of_words: Mapping[str, Floats]
    frames: int


def read_vectors(
    encoder: ContextEncoder, words: Sequence[str], held: Mapping[str, Sequence[str]], frames: int
) -> Vectors:
    """Vectors of words in bland sentences, and in the contexts that are held for them."""
    of_sentences = {}
    for template in load_lexicon("sentence_measures")["sentences"]:
        made = [template.format(word).capitalize() for word in words]
        of_sentences[template] = dict(zip(words, sentence_vectors(encoder.transformer, made)))
    of_words = encoder.encode(*fill_all(held)).reshape(len(held), frames, -1)
    return Vectors(of_sentences, dict(zip(held, of_words)), frames)


def association_scores(
    read: Vectors, words: Sequence[str], female: Sequence[str], male: Sequence[str]
) -> dict[str, Floats]:
    """SEAT and CEAT of single words with any two lists as poles, (words, questions); NaN for a word without contexts."""
    by_sentence = []
    for of in read.of_sentences.values():
        rows = (np.array([of[word] for word in part]) for part in (words, female, male))
        by_sentence.append(associations(*rows))
    found = {"SEAT": np.array(by_sentence).T}
    ends = [[read.of_words[w] for w in side if w in read.of_words] for side in (female, male)]
    if all(ends):
        poles = [np.concatenate(side) for side in ends]
        blank = np.full(read.frames, np.nan)
        found["CEAT"] = np.array(
            [associations(read.of_words[w], *poles) if w in read.of_words else blank for w in words]
        )
    return found


def random_lists(
    read: Vectors,
    words: Sequence[str],
    nouns: Sequence[str],
    draws: int,
    rng: np.random.Generator,
    *,
    size: int = 6,
) -> dict[str, Floats]:
    """SEAT and CEAT with random lists of nouns as poles, (draws, words), of nouns that have contexts where enough do."""
    held = [word for word in nouns if word in read.of_words]
    enough = len(held) >= 2 * size
    pool = held if enough else list(nouns)
    found: dict[str, list[Floats]] = {}
    for _ in range(draws if len(pool) >= 2 * size else 0):
        sides = np.split(rng.permutation(pool)[: 2 * size], 2)
        for name, scores in association_scores(read, words, *sides).items():
            found.setdefault(name, []).append(scores.mean(axis=1))
    if not enough:
        found.pop("CEAT", None)
    return {name: np.array(rows) for name, rows in found.items()}


def noun_pairs(
    model: MaskedLanguageModel,
    read: Vectors,
    words: Sequence[str],
    template: str,
    nouns: Sequence[str],
) -> dict[str, Floats]:
    """Each score with every two of the nouns in place of *she* and *he*, (pairs, words); CEAT is NaN where a noun has no contexts."""
    by_noun = scores_by_noun(model, words, template, nouns)
    found = {NAMES.get(name, name): of_all_pairs(values) for name, values in by_noun.items()}
    blank = np.full((len(words), 1), np.nan)
    twos = [association_scores(read, words, [a], [b]) for a, b in combinations(nouns, 2)]
    for name in ("SEAT", "CEAT"):
        if any(name in of for of in twos):
            found[name] = np.array([of.get(name, blank).mean(axis=1) for of in twos])
    return found


def unlike(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether no word of the first is among the others, in any case."""
    return not {word.lower() for word in words} & {word.lower() for word in others}


def guessed(
    first: int, second: int, *, draws: int, rng: np.random.Generator | int | None = None
) -> tuple[float, float]:
    """Central 95 % of the AUC between two groups of so many words whose labels are random."""
    generator = np.random.default_rng(rng)
    ranks = np.tile(np.arange(1.0, first + second + 1), (draws, 1))
    mixed = generator.permuted(ranks, axis=1)
    above = stats.mannwhitneyu(mixed[:, :first], mixed[:, first:], axis=1).statistic
    low, high = np.quantile(above / (first * second), [0.025, 0.975])
    return float(low), float(high)
