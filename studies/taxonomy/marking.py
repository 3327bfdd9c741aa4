"""Explicit marking of sex: jobs and other nouns for people that end in -man, -woman, -ess, …

documents = count_markings(texts); rates(documents, groups)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from lib.checks import one_of
from lib.datasets.corpora import tokens, zipped_texts
from lib.datasets.speeches import read_presidents
from lib.inference.sums import resampled_sums
from lib.lexicons import load_lexicon
from lib.taxonomy.wordnet import PERSON, noun_senses

# Ending -> what it becomes in the plural. The longest that fits counts: -woman before -man.
ENDINGS = {
    "woman": ("women",),
    "man": ("men",),
    "person": ("people", "persons"),
    "girl": ("girls",),
    "boy": ("boys",),
    "lady": ("ladies",),
    "ette": ("ettes",),
    "trix": ("trixes", "trices"),
    "ess": ("esses",),
}
SEXES = {
    "man": "male",
    "boy": "male",
    "person": "neutral",
    **dict.fromkeys(("woman", "girl", "lady", "ette", "trix", "ess"), "female"),
}
KINDS = ("job", "origin", "rank", "fable", "trait")
BROWN = {
    "a": "news",
    "b": "editorials",
    "c": "reviews",
    "d": "religion",
    "e": "hobbies",
    "f": "popular lore",
    "g": "belles lettres",
    "h": "government",
    "j": "learned",
    "k": "fiction",
    "l": "mystery",
    "m": "science fiction",
    "n": "adventure",
    "p": "romance",
    "r": "humour",
}
PER = 10_000


@dataclass(frozen=True)
class Marked:
    """A noun whose ending marks a sex, or has "person" in its place: in the singular, in small letters."""

    noun: str
    ending: str
    kind: str

    @property
    def sex(self) -> str:
        """What the ending marks: "female", "male" or "neutral"."""
        return SEXES[self.ending]


@cache
def marked_nouns() -> dict[str, Marked]:
    """Written form, singular and plural -> the marked noun, from WordNet's file of persons and data/lexicons/sex_marking.json."""
    lists = load_lexicon("sex_marking").lists
    kinds = {noun: kind for kind, nouns in lists.items() for noun in nouns}
    found = {}
    for noun, senses in noun_senses().items():
        ending = next((end for end in ENDINGS if noun.endswith(end) and noun != end), None)
        kind = kinds.get(noun, "job")
        people = any(sense.file == PERSON for sense in senses)
        if ending is None or kind == "not_marked" or not people or " " in noun:
            continue
        marked = Marked(noun, ending, kind)
        stem = noun.removesuffix(ending)
        found |= dict.fromkeys((noun, *(stem + plural for plural in ENDINGS[ending])), marked)
    return found


def lexicon_table() -> pd.DataFrame:
    """How many nouns of each ending and kind WordNet has; needs no corpus."""
    nouns = set(marked_nouns().values())
    rows = pd.DataFrame([(noun.ending, noun.kind) for noun in nouns], columns=["ending", "kind"])
    table = pd.crosstab(rows["ending"], rows["kind"])
    return table.reindex(index=list(ENDINGS), columns=list(KINDS), fill_value=0)


def count_markings(texts: Iterable[str], *, kinds: Sequence[str] = ("job",)) -> pd.DataFrame:
    """Marked nouns in each document: `words`, and a column for each of `ENDINGS`."""
    for kind in kinds:
        one_of("kind", kind, KINDS)
    nouns = marked_nouns()
    rows = []
    for text in texts:
        words = [token for token in tokens(text, lower=True) if token[0].isalpha()]
        row = dict.fromkeys(ENDINGS, 0)
        for word in words:
            marked = nouns.get(word)
            if marked and marked.kind in kinds:
                row[marked.ending] += 1
        rows.append({"words": len(words), **row})
    return pd.DataFrame(rows, columns=["words", *ENDINGS])


def rates(
    counts: pd.DataFrame,
    groups: Sequence[Hashable],
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Marked nouns per 10,000 words, and the share of -man among -man, -woman and -person, by group of documents.

    `documents`, `words`, `counted` (nouns in -man, -woman and -person); `male`, `female`, `neutral` and `share_of_man`, each with _low
    and _high of its 95 % interval. Intervals draw whole documents of a group; a group of one document has none. Where no document has
    an -woman or a -person, every draw has a share of 1: `counted` says of how few nouns. NaN where nothing was counted.
    """
    labels = pd.Index(groups, name="group")
    if len(labels) != len(counts):
        raise ValueError(f"groups: expected {len(counts)}, one a document, got {len(labels)}")
    generator = np.random.default_rng(rng)
    terms = _terms(counts)
    rows = {}
    for group in sorted(set(labels)):
        own = terms[labels == group]
        values = _measures(own.sum(axis=0))
        ends = np.full((2, len(values)), np.nan)
        if len(own) > 1:
            draws = _measures(resampled_sums(own, n_resamples=n_resamples, rng=generator))
            defined = np.isfinite(draws).any(axis=0)
            ends[:, defined] = np.nanquantile(draws[:, defined], [0.025, 0.975], axis=0)
        row: dict[str, float] = {
            "documents": len(own),
            "words": own[:, 0].sum(),
            "counted": own[:, 5].sum(),
        }
        names = ("male", "female", "neutral", "share_of_man")
        for name, value, low, high in zip(names, values, *ends, strict=True):
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        rows[group] = row
    return (
        pd.DataFrame.from_dict(rows, orient="index")
        .rename_axis("group")
        .astype(dict.fromkeys(("documents", "words", "counted"), int))
    )


def by_sex(table: pd.DataFrame) -> pd.DataFrame:
    """The rates of male and of female endings below each other: group, sex, value, low, high and n, the words."""
    parts = [
        pd.DataFrame(
            {
                "sex": sex,
                "value": table[sex],
                "low": table[f"{sex}_low"],
                "high": table[f"{sex}_high"],
                "n": table["words"],
            }
        )
        for sex in ("male", "female")
    ]
    return pd.concat(parts).reset_index()


def trend(
    counts: pd.DataFrame,
    years: Sequence[int],
    sex: str = "male",
    *,
    n_resamples: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Spearman's correlation of the rate of marked nouns with the year, and its two-sided p under shuffled years.

    NaN where every document has the same rate or year.
    """
    one_of("sex", sex, ("male", "female", "neutral"))
    if len(years) != len(counts):
        raise ValueError(f"years: expected {len(counts)}, one a document, got {len(years)}")
    rate = counts[_endings(sex)].sum(axis=1) / counts["words"]
    year_ranks, rate_ranks = stats.rankdata(years), stats.rankdata(rate)
    if not (year_ranks.std() and rate_ranks.std()):
        return float("nan"), float("nan")
    test = stats.permutation_test(
        (year_ranks,),
        lambda order: np.corrcoef(order, rate_ranks)[0, 1],
        permutation_type="pairings",
        n_resamples=n_resamples,
        rng=np.random.default_rng(rng),
    )
    return float(test.statistic), float(test.pvalue)


def presidents_by_decade(key: str = "nltk_state_union") -> pd.DataFrame:
    """Addresses with their decade: `year`, `group` (such as "1990s"), `text`."""
    speeches = read_presidents(key)
    decade = (speeches["year"] // 10 * 10).astype(str) + "s"
    return speeches.assign(group=decade)[["year", "group", "text"]]


def brown_by_genre(key: str = "nltk_brown") -> pd.DataFrame:
    """The 500 samples of the Brown corpus with their genre: `group`, `text`."""
    rows = []
    for name, text in zipped_texts(key, r"brown/c[a-r]\d\d"):
        words = " ".join(token.rpartition("/")[0] for token in text.split())
        rows.append((BROWN[name[-3]], words))
    return pd.DataFrame(rows, columns=["group", "text"])


def _endings(sex: str) -> list[str]:
    return [ending for ending in ENDINGS if SEXES[ending] == sex]


def _terms(counts: pd.DataFrame) -> NDArray[np.float64]:
    """Words, male, female and neutral markings, -man, -man or -woman or -person, by document."""
    sexes = [counts[_endings(sex)].sum(axis=1) for sex in ("male", "female", "neutral")]
    trio = counts[["man", "woman", "person"]].sum(axis=1)
    return np.column_stack([counts["words"], *sexes, counts["man"], trio]).astype(float)


def _measures(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    words, male, female, neutral, man, trio = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            [PER * male / words, PER * female / words, PER * neutral / words, man / trio], axis=-1
        )
