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
    """A noun whose ending marks a sex, or has "person" in its place.

    Attributes
    ----------
    noun : str
        In the singular, in small letters.
    ending : str
        One of `ENDINGS`.
    kind : str
        One of `KINDS`.
    """

    noun: str
    ending: str
    kind: str

    @property
    def sex(self) -> str:
        """What the ending marks: "female", "male" or "neutral"."""
        return SEXES[self.ending]


@cache
def marked_nouns() -> dict[str, Marked]:
    """Written form -> the marked noun, from WordNet's file of persons and our list of exceptions
    (data/lexicons/sex_marking.json).

    Returns
    -------
    dict of str to Marked
        Singulars and plurals in small letters.

    Examples
    --------
    >>> found = marked_nouns()
    >>> found["firemen"]
    Marked(noun='fireman', ending='man', kind='job')
    >>> found["princess"].kind, [word in found for word in ("human", "german", "witness")]
    ('rank', [False, False, False])
    """
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
    """How many nouns of each ending and kind WordNet has; needs no corpus.

    Returns
    -------
    DataFrame
        Endings by kinds.

    Examples
    --------
    >>> table = lexicon_table()
    >>> bool(table.loc["man", "job"] > table.loc["woman", "job"] > table.loc["person", "job"])
    True
    """
    nouns = set(marked_nouns().values())
    rows = pd.DataFrame([(noun.ending, noun.kind) for noun in nouns], columns=["ending", "kind"])
    table = pd.crosstab(rows["ending"], rows["kind"])
    return table.reindex(index=list(ENDINGS), columns=list(KINDS), fill_value=0)


def count_markings(texts: Iterable[str], *, kinds: Sequence[str] = ("job",)) -> pd.DataFrame:
    """Marked nouns in each document.

    Parameters
    ----------
    texts : iterable of str
        A document each.
    kinds : sequence of str
        Of `KINDS`.

    Returns
    -------
    DataFrame
        A row a document: `words`, and a column for each of `ENDINGS`.

    Raises
    ------
    ValueError
        For an unknown kind.

    Examples
    --------
    >>> counts = count_markings(["The chairman thanked two policemen.", "A human being."])
    >>> counts[["words", "man", "woman"]].to_numpy().tolist()
    [[5, 2, 0], [3, 0, 0]]
    """
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


def most_frequent(
    texts: Iterable[str], n: int = 12, *, kinds: Sequence[str] = ("job",)
) -> pd.Series:
    """The marked nouns that are counted most often, singular and plural together.

    Parameters
    ----------
    texts : iterable of str
        Documents.
    n : int
        How many nouns.
    kinds : sequence of str
        Of `KINDS`.

    Returns
    -------
    Series of int
        By noun; nouns of the same count in alphabetical order.

    Examples
    --------
    >>> most_frequent(["Chairmen met a chairman and a waitress."]).to_dict()
    {'chairman': 2, 'waitress': 1}
    """
    nouns = marked_nouns()
    found = [nouns.get(token) for text in texts for token in tokens(text, lower=True)]
    counts = pd.Series([m.noun for m in found if m and m.kind in kinds], dtype=object)
    return (
        counts.value_counts()
        .sort_index(kind="stable")
        .sort_values(ascending=False, kind="stable")[:n]
    )


def rates(
    counts: pd.DataFrame,
    groups: Sequence[Hashable],
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Marked nouns per 10,000 words, and the share of -man among -man, -woman and -person.

    Intervals draw whole documents of a group; a group of one document has none. Where no document
    has an -woman or a -person, every draw has a share of 1: `counted` says of how few nouns.

    Parameters
    ----------
    counts : DataFrame
        As `count_markings` gives.
    groups : sequence
        The group of each document, such as its decade.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        By group: `documents`, `words`, `counted` (nouns in -man, -woman and -person); `male`,
        `female` and `neutral` (per 10,000 words) and `share_of_man`, each with _low and _high of its
        95 % interval. NaN where nothing was counted.

    Raises
    ------
    ValueError
        Where there is not a group for each document.

    Examples
    --------
    >>> counts = count_markings(["The chairman left.", "A waitress came in.", "A chairman is here."])
    >>> rates(counts, ["a", "a", "b"], rng=0)[["documents", "male", "share_of_man"]].round(0)
           documents    male  share_of_man
    group
    a              2  1429.0           1.0
    b              1  2500.0           1.0
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


def trend(
    counts: pd.DataFrame,
    years: Sequence[int],
    sex: str = "male",
    *,
    n_resamples: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Whether the rate of marked nouns rises or falls with the year.

    Parameters
    ----------
    counts : DataFrame
        As `count_markings` gives, a row a document.
    years : sequence of int
        Of each document.
    sex : {"male", "female", "neutral"}
        What the endings mark.
    n_resamples : int
        Shuffles of the years.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    (float, float)
        Spearman's correlation of rate and year, and its two-sided p under shuffled years; NaN where
        every document has the same rate or year.

    Raises
    ------
    ValueError
        For another sex, or years that do not fit.

    Examples
    --------
    >>> texts = ["The chairman spoke." + " Words follow." * n for n in range(8)]
    >>> trend(count_markings(texts), range(8), n_resamples=999, rng=0)[0]
    -1.0
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
    """Addresses with their decade: `year`, `group` (such as "1990s"), `text`.

    Parameters
    ----------
    key : str
        As in `lib.datasets.speeches.read_presidents`.

    Returns
    -------
    DataFrame
        A row an address.
    """
    speeches = read_presidents(key)
    decade = (speeches["year"] // 10 * 10).astype(str) + "s"
    return speeches.assign(group=decade)[["year", "group", "text"]]


def brown_by_genre(key: str = "nltk_brown") -> pd.DataFrame:
    """The 500 samples of the Brown corpus with their genre: `group`, `text`.

    Parameters
    ----------
    key : str
        Of the registry.

    Returns
    -------
    DataFrame
        A row a sample.
    """
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
