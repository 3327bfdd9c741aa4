"""WinoMT: does a translation give a person the gender that the English says?

The translated word for the person is found by word alignment; its gender is read from article and
ending (Spanish) or ending (Hebrew). Sentences, released outputs and human judgements are read by
`lib.datasets.winomt`. Stanovsky, Smith & Zettlemoyer (2019).
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.datasets.winomt import read_sentences, tokens
from lib.lexicons import word_list
from lib.translation.gender_spanish import gender_of
from lib.translation.word_alignment import align_words

GENDERS = ("male", "female", "neutral", "unknown")
GOLD = GENDERS[:3]
LEAST_PROBABLE = 0.02  # a word less probable than this translates no person


@dataclass(frozen=True)
class WinoScores:
    """Scores of a set of translations.

    Attributes
    ----------
    accuracy : float
        Per cent of the persons whose gender is the right one.
    f1_male, f1_female : float
        Per cent.
    delta_g : float
        F1 of men less that of women: positive where men are translated better.
    delta_s : float
        Mean F1 of pro-stereotypical sentences less that of anti-stereotypical ones.
    counts : DataFrame
        Rows what the English says, columns what was read.
    """

    accuracy: float
    f1_male: float
    f1_female: float
    delta_g: float
    delta_s: float
    counts: pd.DataFrame

    def recall(self, gender: str) -> float:
        """Of the sentences about men ("male") or women ("female"), per cent that are read right."""
        return float(100 * self.counts.loc[gender, gender] / self.counts.loc[gender].sum())


def read_genders(
    translations: Sequence[str], language: str, sentences: pd.DataFrame | None = None
) -> list[str]:
    """The gender that each translation gives its person.

    Parameters
    ----------
    translations : sequence of str
        One for each of the sentences.
    language : str
        One of `READERS`.
    sentences : DataFrame, optional
        As `lib.datasets.winomt.read_sentences`; default all of them.

    Returns
    -------
    list of str
        "male", "female", "neutral" (Spanish alguien) or "unknown".

    Raises
    ------
    ValueError
        For another language or number of translations.
    """
    sentences = read_sentences() if sentences is None else sentences
    one_of("language", language, READERS)
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences):,} translations, one for each sentence, "
            f"got {len(translations):,}"
        )
    targets = [tokens(text) for text in translations]
    aligned = align_words([tokens(text) for text in sentences["text"]], targets)
    return [
        READERS[language](target, links[place])
        for target, links, place in zip(targets, aligned, sentences["place"])
    ]


def spanish_person(target: Sequence[str], probabilities: NDArray) -> str:
    """Gender of a person in a Spanish sentence.

    It is that of the article up to three words before the word that most probably is the person,
    else that of the word's ending.

    Parameters
    ----------
    target : sequence of str
        The m words of the translation.
    probabilities : (m,) array
        How probably each translates the person.
    """
    feminine, masculine, no_person = _spanish_words()
    articles = feminine | masculine
    nouns = [
        place
        for place in np.argsort(-probabilities, kind="stable")
        if probabilities[place] > LEAST_PROBABLE
        and target[place].isalpha()
        and target[place] not in articles | no_person
    ]
    if not nouns:
        return "unknown"
    noun = nouns[0]
    if target[noun] == "alguien":
        return "neutral"
    for place in range(noun - 1, max(noun - 4, -1), -1):
        if target[place] in articles:
            return "female" if target[place] in feminine else "male"
        if not target[place].isalpha() or target[place] in no_person:
            break
    return {"feminine": "female", "masculine": "male"}.get(gender_of(target[noun]), "unknown")


@functools.cache
def _spanish_words() -> tuple[frozenset[str], ...]:
    names = ("feminine_articles", "masculine_articles", "no_person")
    return tuple(frozenset(word_list(f"spanish_gender/{name}")) for name in names)


def hebrew_person(target: Sequence[str], probabilities: NDArray) -> str:
    """Gender of a person in a Hebrew sentence, as the authors read it. Arguments as above.

    Feminine where a word that probably is the person, or the likeliest, ends in ת or ה.
    """
    likely = [
        place
        for place in np.argsort(-probabilities, kind="stable")
        if target[place] != "את" and target[place].isalpha()
    ]
    nouns = [target[place] for place in likely if place == likely[0] or probabilities[place] > 0.5]
    if not nouns:
        return "unknown"
    return "female" if any(noun.endswith(("ת", "ה")) for noun in nouns) else "male"


READERS: dict[str, Callable[[Sequence[str], NDArray], str]] = {
    "es": spanish_person,
    "he": hebrew_person,
}


def winomt_scores(genders: Sequence[str], sentences: pd.DataFrame | None = None) -> WinoScores:
    """The scores of WinoMT from what was read in the translations.

    Parameters
    ----------
    genders : sequence of str
        One of `GENDERS` for each sentence.
    sentences : DataFrame, optional
        As `lib.datasets.winomt.read_sentences`; default all of them.

    Raises
    ------
    ValueError
        For another number of genders, or another gender.

    References
    ----------
    Stanovsky, Smith & Zettlemoyer (2019), section 3.
    """
    sentences = read_sentences() if sentences is None else sentences
    if len(genders) != len(sentences) or set(genders) - set(GENDERS):
        raise ValueError(
            f"expected {len(sentences):,} of {', '.join(GENDERS)}, got {len(genders):,} with "
            f"{', '.join(sorted(set(map(str, genders))))[:80]}"
        )
    read = sentences.assign(read=list(genders))
    counts = _crosstab(read)
    keys = ["gender", "place", "text"]
    mean_f1 = {}
    for subset in ("pro", "anti"):
        part = read_sentences(subset)[keys].merge(read.drop_duplicates(keys, keep="last"), on=keys)
        subset_counts = _crosstab(part)
        mean_f1[subset] = (f1(subset_counts, "male") + f1(subset_counts, "female")) / 2
    men, women = f1(counts, "male"), f1(counts, "female")
    right = sum(counts.loc[gender, gender] for gender in GOLD)
    return WinoScores(
        accuracy=float(100 * right / len(read)),
        f1_male=men,
        f1_female=women,
        delta_g=men - women,
        delta_s=mean_f1["pro"] - mean_f1["anti"],
        counts=counts,
    )


def human_agreement(
    genders: Sequence[str], translations: Sequence[str], people: pd.DataFrame
) -> tuple[float, int]:
    """How often what was read in translations is what people read in them.

    Parameters
    ----------
    genders, translations : sequence of str
        What was read, and in what.
    people : DataFrame
        As `lib.datasets.winomt.human_genders`.

    Returns
    -------
    share : float
        In [0, 1]; NaN where people read none of the translations.
    n : int
        Translations in which people found the person.
    """
    read = dict(zip(translations, genders))
    both = people[people["found"] & people["translation"].isin(list(read))]
    return float((both["translation"].map(read) == both["gender"]).mean()), len(both)


def _crosstab(read: pd.DataFrame) -> pd.DataFrame:
    table = pd.crosstab(read["gender"], read["read"])
    return table.reindex(index=GOLD, columns=GENDERS, fill_value=0).rename_axis(
        index="says", columns="read"
    )


def f1(counts: pd.DataFrame, gender: str) -> float:
    """F1 of one gender in per cent: harmonic mean of precision and recall, 0 where none is right.

    Examples
    --------
    >>> counts = pd.DataFrame({"male": [4, 2], "female": [0, 2]}, ["male", "female"])
    >>> f1(counts, "male"), round(f1(counts, "female"), 1)
    (80.0, 66.7)
    """
    both = counts[gender].sum() + counts.loc[gender].sum()
    return float(200 * counts.loc[gender, gender] / both) if both else 0.0
