"""The translation gender bias index: how outputs for gender-neutral pronouns divide into feminine, masculine and neutral.

A set of sentences scores sqrt(p_female p_male + p_neutral); the index is the mean over sets. Higher means more neutral or
more balanced: 1 where all outputs are neutral, at most 1/2 where none is, 0 where all are of one gender. Neutral is what is
left, "they" and "the person" as well as "it", copied text and failures; `neutral_kinds` tells them apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import floor, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.lexicons import load_lexicon

CLASSES = ("female", "male", "neutral")
BOTH = ("female", "male", "first", "neutral")
KINDS = ("copied", "the person", "they", "it", "other pronoun", "no pronoun")
# What may count as a gendered word: what the paper prints, then wider lists of ours.
WORDS = {
    "printed": tuple(load_lexicon("cho2019")[gender] for gender in ("female", "male")),
    "pronouns": (("she", "her"), ("he", "him")),
    "possessives": (
        ("she", "her", "hers", "herself", "woman", "girl"),
        ("he", "him", "his", "himself", "man", "guy", "boy"),
    ),
    "plurals": (
        ("she", "her", "hers", "herself", "woman", "girl", "lady", "women", "girls", "ladies"),
        (
            "he",
            "him",
            "his",
            "himself",
            "man",
            "guy",
            "boy",
            "gentleman",
            "men",
            "guys",
            "boys",
            "gentlemen",
        ),
    ),
}
CLITIC = re.compile(r"(?<=[^'\s])(n't|'(?:s|m|d|ll|re|ve))$")
BREAKS = re.compile(r"[\s,;:?!()\[\]{}<>\"“”«»…@#$%&*]+|\.{2,}|--+|``|''")
EDGES = ".'‘’`"
SCRIPTS = re.compile(r"[^\W\d_]")


class SetScore(NamedTuple):
    """Shares of feminine, masculine and neutral outputs in a set of n, and its score sqrt(p_female p_male + p_neutral)."""

    p_female: float
    p_male: float
    p_neutral: float
    score: float
    n: int


@dataclass(frozen=True)
class TgbiResult:
    """The index, and the shares and score of each set; `both` outputs with words of both genders in each set."""

    index: float
    sets: Mapping[str, SetScore]
    both: Mapping[str, int]

    def table(self) -> pd.DataFrame:
        """One row for each set: p_female, p_male, p_neutral, score, n, both."""
        return pd.DataFrame.from_dict(self.sets, orient="index", columns=SetScore._fields).assign(
            both=pd.Series(self.both)
        )


@dataclass(frozen=True)
class IndexInterval:
    """Bootstrap intervals: of the index (low, high), and of the score of each set; the resampled indices (resamples,)."""

    low: float
    high: float
    sets: Mapping[str, tuple[float, float]]
    resampled: NDArray[np.float64]


def translation_gender_bias_index(
    outputs: Mapping[str, Sequence[str]],
    *,
    female: Collection[str] = WORDS["printed"][0],
    male: Collection[str] = WORDS["printed"][1],
    both: str = "female",
) -> TgbiResult:
    """The translation gender bias index of English outputs, and the shares and score of each set.

    outputs : set -> its sentences; sets may overlap, each counts once in the mean. female, male : words that count.
    both : what an output with words of both is: "female" (as published), "male", "first" (its first such word), "neutral".
    Returns a `TgbiResult`; index and scores in [0, 1], equal if the genders change places and both is "first" or "neutral".
    Raises ValueError without a set, for an empty set, one string in place of a list, a word of both lists, another rule.
    Cho, Kim, Kim & Kim (2019), equation 2; counted as in the authors' code.
    """
    if isinstance(outputs, str) or not isinstance(outputs, Mapping) or not outputs:
        raise ValueError(
            f"outputs: expected sets of sentences by name, {{'informal': [...]}}, got {type(outputs).__name__} "
            f"{str(outputs)[:40]!r}"
        )
    scores, doubled = {}, {}
    for name, sentences in outputs.items():
        found = gender_classes(sentences, female=female, male=male, both=both, name=name)
        scores[name] = set_score(*np.bincount(found, minlength=3))
        doubled[name] = sum(len(_genders(sentence, female, male)) == 2 for sentence in sentences)
    return TgbiResult(sum(found.score for found in scores.values()) / len(scores), scores, doubled)


def set_score(female: int, male: int, neutral: int) -> SetScore:
    """Shares and score of so many feminine, masculine and neutral outputs. Raises ValueError when there are none."""
    n = int(female + male + neutral)
    if min(female, male, neutral) < 0 or not n:
        raise ValueError(
            f"expected counts of outputs, 0 or more and not all 0, got {female}, {male} and {neutral}"
        )
    shares = female / n, male / n, neutral / n
    return SetScore(*map(float, shares), sqrt(shares[0] * shares[1] + shares[2]), n)


def gender_classes(
    sentences: Sequence[str],
    *,
    female: Collection[str] = WORDS["printed"][0],
    male: Collection[str] = WORDS["printed"][1],
    both: str = "female",
    name: str = "sentences",
) -> NDArray[np.intp]:
    """0, 1 or 2 for a feminine, masculine or neutral output, by its words: (n,). Arguments and errors as the index."""
    if isinstance(sentences, str) or not len(sentences):
        raise ValueError(
            f"'{name}': expected a list of one output or more, got {sentences!r}; leave an empty set out"
        )
    if both not in BOTH:
        raise ValueError(f"both must be one of {', '.join(BOTH)}; got {both!r}")
    if shared := set(female) & set(male):
        raise ValueError(
            f"expected words of one gender only, got {', '.join(sorted(shared))} in both lists"
        )
    female, male = frozenset(female), frozenset(male)
    rule = {"female": 0, "male": 1, "neutral": 2}.get(both)
    found = []
    for sentence in sentences:
        genders = _genders(sentence, female, male)
        found.append(
            2 if not genders else rule if len(genders) == 2 and rule is not None else genders[0]
        )
    return np.array(found)


def _genders(sentence: str, female: Collection[str], male: Collection[str]) -> list[int]:
    """The genders of the words of a sentence, 0 and 1, in the order in which they come."""
    return list(
        dict.fromkeys(
            0 if word in female else 1
            for word in words_of(sentence)
            if word in female or word in male
        )
    )


def words_of(sentence: str) -> list[str]:
    """Lower-cased words, in the manner of the word tokenizer of NLTK that the authors used.

    One contraction is cut off at a word's end, so that "he's" holds "he", and "He's're" does not. Hyphens and slashes stay.
    """
    found = []
    for piece in BREAKS.split(sentence.lower().replace("’", "'")):
        word = piece.strip(EDGES)
        found += [part for part in (CLITIC.sub("", word), *CLITIC.findall(word)) if part]
    return found


def neutral_kinds(sentences: Sequence[str], sources: Sequence[str] | None = None) -> Counter:
    """What the neutral outputs are, counted: copied text, "the person", "they", "it", another pronoun, no pronoun.

    sources : what was translated, for copied text; letters outside the Latin alphabet count as copied either way.
    Give the neutral outputs only; the first kind that fits counts. Raises ValueError when sources are not as many.
    """
    if sources is not None and len(sources) != len(sentences):
        raise ValueError(
            f"expected a source for each of {len(sentences)} outputs, got {len(sources)}"
        )
    return Counter({kind: 0 for kind in KINDS}) + Counter(
        _kind(sentence, source)
        for sentence, source in zip(sentences, sources or [None] * len(sentences))
    )


def _kind(sentence: str, source: str | None) -> str:
    words = words_of(sentence)
    if sentence.strip() == (source or "").strip() or any(
        ord(letter) > 0x24F for letter in SCRIPTS.findall(sentence)
    ):
        return "copied"
    if re.search(r"\b(?:the|that|this) person\b", " ".join(words)):
        return "the person"
    for kind, forms in (
        ("they", "they them their theirs themselves"),
        ("it", "it its itself"),
        ("other pronoun", "i me my you your we us our this that these those someone"),
    ):
        if set(forms.split()) & set(words):
            return kind
    return "no pronoun"


def index_interval(
    outputs: Mapping[str, Sequence[str]],
    items: Mapping[str, Sequence[int]],
    *,
    resamples: int = 2000,
    level: float = 0.95,
    rng=None,
    **counting,
) -> IndexInterval:
    """Bootstrap interval of the index over items: how much it depends on which words were put into the sentences.

    outputs : as for the index. items : for each sentence of each set the item (word) it was made of; the sentences of an
    item are drawn together in all sets, items that occur in the same sets among themselves. rng : Generator or seed.
    counting : `female`, `male`, `both` of the index. Percentile intervals.
    Raises ValueError as the index, when items do not fit the outputs, or for another level.
    """
    if outputs.keys() != items.keys() or any(
        len(items[name]) != len(outputs[name]) for name in outputs
    ):
        raise ValueError(
            "items: expected the item of every sentence of every set, got other sets or other numbers"
        )
    if not 0 < level < 1:
        raise ValueError(f"level: expected a share between 0 and 1, got {level!r}")
    known, places = np.unique(
        np.concatenate([np.asarray(found) for found in items.values()]), return_inverse=True
    )
    counts = np.zeros((len(known), len(outputs), 3))
    begin = 0
    for column, (name, sentences) in enumerate(outputs.items()):
        rows = places[begin : begin + len(sentences)]
        np.add.at(counts, (rows, column, gender_classes(sentences, name=name, **counting)), 1)
        begin += len(sentences)
    totals = _resampled(counts, resamples, np.random.default_rng(rng))
    shares = totals / totals.sum(axis=2, keepdims=True)
    scores = np.sqrt(shares[..., 0] * shares[..., 1] + shares[..., 2])
    edges = (0.5 - level / 2, 0.5 + level / 2)
    of_sets = {
        name: tuple(np.quantile(scores[:, column], edges).tolist())
        for column, name in enumerate(outputs)
    }
    resampled = scores.mean(axis=1)
    return IndexInterval(*np.quantile(resampled, edges).tolist(), of_sets, resampled)


def _resampled(counts: NDArray, resamples: int, rng: np.random.Generator) -> NDArray:
    """Sums of the counts (items, sets, 3) of items drawn with replacement: (resamples, sets, 3)."""
    flat = counts.reshape(len(counts), -1)
    _, kinds = np.unique(counts.sum(axis=2), axis=0, return_inverse=True)
    totals = np.zeros((resamples, flat.shape[1]))
    for kind in range(kinds.max() + 1):
        rows = flat[kinds == kind]
        totals += (
            rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=resamples) @ rows
        )
    return totals.reshape(resamples, *counts.shape[1:])


def index_variants(outputs: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The index under every list of `WORDS` and every rule for outputs with both genders, one a row.

    Columns words, both, index; neutral : share of all outputs, sets with their repetitions; doubled : outputs with words of
    both genders.
    """
    rows = []
    for words, (female, male) in WORDS.items():
        for both in BOTH:
            found = translation_gender_bias_index(outputs, female=female, male=male, both=both)
            sizes = [score.n for score in found.sets.values()]
            neutral = np.average([score.p_neutral for score in found.sets.values()], weights=sizes)
            rows.append((words, both, found.index, float(neutral), sum(found.both.values())))
    return pd.DataFrame(rows, columns=["words", "both", "index", "neutral", "doubled"])


def truncated(value: float, decimals: int = 4) -> float:
    """A number cut off after so many decimals, as the cells of the paper are: 0.19169 becomes 0.1916."""
    return floor(round(value * 10**decimals, 6)) / 10**decimals
