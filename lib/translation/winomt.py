"""WinoMT (Stanovsky, Smith & Zettlemoyer 2019): does a translation give a person the gender that the English says?

3,888 English sentences with two people and a pronoun that tells the gender of one. The translated word for that person is
found by word alignment, its gender read from article and ending (Spanish) or ending (Hebrew). The published systems' outputs
and the gender that people read in 100 of them per language are in the `sample` files; the authors' own predictions are not.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.sources import fetch
from lib.translation.gender_spanish import gender_of
from lib.translation.word_alignment import align_words

GENDERS = ("male", "female", "neutral", "unknown")
GOLD = GENDERS[:3]
SUBSETS = ("all", "pro", "anti")
# Language -> the registry keys of what people read; each is of one system, which its file does not always name.
HUMAN = {"es": "winomt_human_es_in_es_in", "he": "winomt_human_he_in_csv_he_in"}
# Accuracy in the authors' own logs of these outputs (gabrielStanovsky/mt_gender, logs/<system>/<language>.log), per cent.
PUBLISHED = {
    ("google", "es"): 53.11,
    ("bing", "es"): 47.3,
    ("google", "he"): 53.7,
    ("bing", "he"): 48.1,
}
FEMININE_ARTICLES = {"la", "una", "las", "unas", "esta", "esa", "otra"}
MASCULINE_ARTICLES = {"el", "un", "al", "del", "los", "unos", "este", "ese", "otro"}
NO_PERSON = {
    "que",
    "le",
    "les",
    "a",
    "por",
    "para",
    "y",
    "con",
    "de",
    "no",
    "su",
    "se",
    "lo",
    "ella",
    "él",
    "en",
}
FAINT = 0.02  # a word less probable than this translates no person
WORDS = re.compile(r"\w+(?:[\"'״]\w+)?|[^\w\s]")


class Sentence(NamedTuple):
    """An English sentence, the person asked about, the place of that word in it, and the gender the sentence says."""

    text: str
    person: str
    place: int
    gender: str


@dataclass(frozen=True)
class WinoScores:
    """Accuracy in per cent; delta_g : F1 of men minus F1 of women; delta_s : mean F1 of pro-stereotypical minus that of
    anti-stereotypical sentences; counts : rows what the English says, columns what was read."""

    accuracy: float
    f1_male: float
    f1_female: float
    delta_g: float
    delta_s: float
    counts: pd.DataFrame


def read_sentences(subset: str = "all") -> list[Sentence]:
    """The sentences of WinoMT, or its pro- or anti-stereotypical ones. Needs the `sample` files."""
    if subset not in SUBSETS:
        raise ValueError(f"subset must be one of {', '.join(SUBSETS)}; got {subset!r}")
    lines = (
        fetch("winomt_en" if subset == "all" else f"winomt_en_{subset}")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    found = []
    for line in lines:
        gender, place, text, person = line.split("\t")
        before = text.split()[: int(place)]
        found.append(
            Sentence(text, person.strip(), sum(len(words(word)) for word in before), gender)
        )
    return found


def words(text: str) -> list[str]:
    """Lower-cased words and marks of a text."""
    return WORDS.findall(text.lower())


def published_translations(system: str, language: str) -> list[str]:
    """The outputs that the authors released of "google" or "bing" (2019), in the order of `read_sentences`.

    Raises ValueError when the file is not line by line of the sentences; two lines differ in an apostrophe or a space.
    """
    lines = fetch(f"winomt_out_{system}_en_{language}").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    sentences = read_sentences()
    if len(pairs) != len(sentences) or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"winomt_out_{system}_en_{language}: expected {len(sentences):,} lines 'English ||| translation', "
            f"got {len(pairs):,}; fetch it again"
        )
    return [pair[1].strip() for pair in pairs]


def read_genders(
    translations: Sequence[str], language: str, sentences: Sequence[Sentence] | None = None
) -> list[str]:
    """The gender that each translation gives its person: "male", "female", "neutral" (Spanish alguien) or "unknown".

    translations : one for each of the sentences (default: all of WinoMT). language : one of `READERS`.
    Raises ValueError for another language or number of translations.
    """
    sentences = read_sentences() if sentences is None else sentences
    if language not in READERS:
        raise ValueError(f"language: expected one of {', '.join(READERS)}, got {language!r}")
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences):,} translations, one for each sentence, got {len(translations):,}"
        )
    targets = [words(text) for text in translations]
    aligned = align_words([words(sentence.text) for sentence in sentences], targets)
    found = []
    for sentence, target, links in zip(sentences, targets, aligned):
        found.append(READERS[language](target, links[sentence.place]))
    return found


def _spanish(target: Sequence[str], chances: NDArray) -> str:
    """By the article up to three words before the word that most probably is the person, else by its ending."""
    articles = FEMININE_ARTICLES | MASCULINE_ARTICLES
    nouns = [
        place
        for place in np.argsort(-chances, kind="stable")
        if chances[place] > FAINT
        and target[place].isalpha()
        and target[place] not in articles | NO_PERSON
    ]
    if not nouns:
        return "unknown"
    noun = nouns[0]
    if target[noun] == "alguien":
        return "neutral"
    for place in range(noun - 1, max(noun - 4, -1), -1):
        if target[place] in articles:
            return "female" if target[place] in FEMININE_ARTICLES else "male"
        if not target[place].isalpha() or target[place] in NO_PERSON:
            break
    return {"feminine": "female", "masculine": "male"}.get(gender_of(target[noun]), "unknown")


def _hebrew(target: Sequence[str], chances: NDArray) -> str:
    """Feminine where a word that probably is the person, or the likeliest, ends in ת or ה, as the authors read it."""
    likely = [
        place
        for place in np.argsort(-chances, kind="stable")
        if target[place] != "את" and target[place].isalpha()
    ]
    nouns = [target[place] for place in likely if place == likely[0] or chances[place] > 0.5]
    return (
        "unknown"
        if not nouns
        else "female"
        if any(noun.endswith(("ת", "ה")) for noun in nouns)
        else "male"
    )


READERS = {"es": _spanish, "he": _hebrew}


def winomt_scores(
    genders: Sequence[str], sentences: Sequence[Sentence] | None = None
) -> WinoScores:
    """Accuracy, ΔG and ΔS of the genders read in translations of all of WinoMT, in per cent.

    genders : one of `GENDERS` for each sentence; neither "unknown" nor "neutral" is ever right for a man or a woman.
    Raises ValueError for another number of genders or another gender. Stanovsky, Smith & Zettlemoyer (2019), section 4.
    """
    sentences = read_sentences() if sentences is None else sentences
    if len(genders) != len(sentences) or set(genders) - set(GENDERS):
        raise ValueError(
            f"expected {len(sentences):,} of {', '.join(GENDERS)}, got {len(genders):,} with "
            f"{', '.join(sorted(set(map(str, genders))))[:80]}"
        )
    gold = [sentence.gender for sentence in sentences]
    counts = _counted(gold, genders)
    read = {
        (sentence.gender, sentence.place, sentence.text): gender
        for sentence, gender in zip(sentences, genders)
    }
    means = {}
    for subset in SUBSETS[1:]:
        part = [s for s in read_sentences(subset) if (s.gender, s.place, s.text) in read]
        means[subset] = (
            sum(
                f1(
                    _counted(
                        [s.gender for s in part], [read[s.gender, s.place, s.text] for s in part]
                    ),
                    gender,
                )
                for gender in ("male", "female")
            )
            / 2
        )
    men, women = f1(counts, "male"), f1(counts, "female")
    right = sum(counts.loc[gender, gender] for gender in GOLD)
    return WinoScores(
        float(100 * right / len(gold)),
        men,
        women,
        men - women,
        means["pro"] - means["anti"],
        counts,
    )


def _counted(gold: Sequence[str], read: Sequence[str]) -> pd.DataFrame:
    table = pd.crosstab(pd.Series(gold, dtype=str), pd.Series(read, dtype=str))
    return table.reindex(index=GOLD, columns=GENDERS, fill_value=0).rename_axis(
        index="says", columns="read"
    )


def f1(counts: pd.DataFrame, gender: str) -> float:
    """F1 of one gender in per cent: the harmonic mean of precision and recall, 0 where nothing is right."""
    both = counts[gender].sum() + counts.loc[gender].sum()
    return float(200 * counts.loc[gender, gender] / both) if both else 0.0


def human_genders(language: str) -> pd.DataFrame:
    """What people read in 100 translations into "es" or "he": index, person, translation, found, gender.

    found : whether they found the person in it. gender : as in `GENDERS`; "unknown" where they gave none.
    """
    if language not in HUMAN:
        raise ValueError(f"language: expected one of {', '.join(HUMAN)}, got {language!r}")
    with fetch(HUMAN[language]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {"M": "male", "F": "female", "N": "neutral"}
    return pd.DataFrame(
        {
            "index": [int(row["Index"]) for row in rows],
            "person": [row["Entity"] for row in rows],
            "translation": [row["Sentence"].strip() for row in rows],
            "found": [row["Find entity? [Y/N]"].strip() == "Y" for row in rows],
            "gender": [names.get(row["Gender? [M/F/N]"].strip(), "unknown") for row in rows],
        }
    )
