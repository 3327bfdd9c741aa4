"""The scores of WinoMT: how many persons are given the gender that the English says, by our reader and by the authors' rule.

The translated word for the person is found by word alignment. Stanovsky, Smith & Zettlemoyer (2019), section 3.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.translator.persons import ALL_READERS, alignable
from lib.checks import one_of
from lib.lexicons import pair_list
from lib.translation.person_gender import majority_gender, target_words
from lib.translation.winomt import (
    GENDERS,
    GOLD,
    read_sentences,
    stereotype_rows,
    tokens,
    winomt_intervals,
)
from lib.translation.word_alignment import align_words
from studies.translated_gender.winomt import PUBLISHED, human_genders, published_translations

AUTHORS = ("es", "fr", "it", "de")  # languages whose rule of the authors needs no more than lists


@dataclass(frozen=True)
class WinoScores:
    """Scores of a set of translations, in per cent.

    accuracy: of the persons whose gender is the right one; delta_g: F1 of men less that of women, positive where men are
    translated better; delta_s: mean F1 of pro-stereotypical sentences less that of anti-stereotypical ones; counts: rows what the
    English says, columns what was read.
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
    translations: Sequence[str],
    language: str,
    sentences: pd.DataFrame | None = None,
    *,
    rule: str = "own",
) -> list[str]:
    """The gender that each translation gives its person: "male", "female", "neutral" (Spanish alguien) or "unknown".

    rule: "own" (`person_gender`) or "authors" (`authors_rule`); sentences: all of WinoMT unless given.
    """
    sentences = read_sentences() if sentences is None else sentences
    one_of("rule", rule, ("own", "authors"))
    one_of("language", language, ALL_READERS if rule == "own" else AUTHORS)
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences):,} translations, one for each sentence, "
            f"got {len(translations):,}"
        )
    targets = [target_words(text, language) for text in translations]
    sources = [tokens(text) for text in sentences["text"]]
    links_of = align_words(sources, [alignable(target, language) for target in targets])
    aligned = zip(targets, links_of, sentences["place"], sources)
    if rule == "own":
        reader = ALL_READERS[language]
        return [reader(target, links[place]) for target, links, place, _ in aligned]
    return [
        authors_rule(language, target, links, place, source)
        for target, links, place, source in aligned
    ]


def authors_rule(
    language: str,
    target: Sequence[str],
    links: NDArray[np.float64],
    place: int,
    source: Sequence[str],
) -> str:
    """The gender of a person as the program of WinoMT's authors reads it.

    They take every word that is aligned with the person or with the article before it. In Spanish, French and Italian most of
    these decide, by the genders that a tagger gives them; in German a word in -in is feminine and else the determiner counts that
    is nearest to the first of them, wherever in the sentence; a nurse is always feminine there. In place of spaCy's tagger and of
    fast_align are our lists and our alignment. links: shape (n, m), as `align_words` gives them, for n words of source and m of
    target; place: of the person in source.
    """
    person = source[place]
    places = [place - 1, place] if place and source[place - 1] in ("the", "a", "an") else [place]
    best = np.where(links.max(axis=0) > 1 - links.sum(axis=0), links.argmax(axis=0), -1)
    aligned = [j for i in places for j in np.flatnonzero(best == i)]
    words = [target[j] for j in aligned]
    if language != "de":
        return majority_gender(words, language)
    if person == "nurse":
        return "female"
    if any(word.endswith("in") for word in words):
        return "female"
    determiners = [j for j, word in enumerate(target) if word in _german_determiners()]
    if not aligned or not determiners:
        return "male"
    nearest = min(determiners, key=lambda j: abs(j - min(aligned)))
    return _german_determiners()[target[nearest]]


@functools.cache
def _german_determiners() -> dict[str, str]:
    return dict(pair_list("person_gender/winomt_german_determiners_pairs"))


def winomt_scores(genders: Sequence[str], sentences: pd.DataFrame | None = None) -> WinoScores:
    """The scores of WinoMT (section 3) from what was read in the translations, one of `GENDERS` a sentence."""
    sentences = read_sentences() if sentences is None else sentences
    if len(genders) != len(sentences) or set(genders) - set(GENDERS):
        raise ValueError(
            f"expected {len(sentences):,} of {', '.join(GENDERS)}, got {len(genders):,} with "
            f"{', '.join(sorted(set(map(str, genders))))[:80]}"
        )
    read = sentences.assign(read=list(genders))
    counts = _crosstab(read)
    mean_f1 = {}
    for subset, rows in stereotype_rows(sentences).items():
        subset_counts = _crosstab(read.iloc[rows])
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


def other_people(sentences: pd.DataFrame) -> pd.DataFrame:
    """The sentences with their other person in the place of the one whom the pronoun is about: columns as before, gender
    "neutral". No word says the gender of the other person, so that what a translation makes of them is the translator's own
    choice. Only sentences that name one other person after *the*; the index is that of `sentences`.
    """
    known = set(sentences["person"].str.lower().str.replace(r"^(?:the|an?) ", "", regex=True))
    found = {}
    for index, text, place in zip(sentences.index, sentences["text"], sentences["place"]):
        words = tokens(text)
        places = [
            number
            for number, word in enumerate(words)
            if number and word in known and words[number - 1] == "the" and number != place
        ]
        if len(places) == 1:
            found[index] = (text, words[places[0]], places[0], "neutral")
    columns = ["text", "person", "place", "gender"]
    return pd.DataFrame.from_dict(found, orient="index", columns=columns)


def people_and_reader(language: str) -> pd.DataFrame:
    """What the English says (column says), what people read in translations, and what our reader reads in them: a row for each
    translation in which people found the person and gave a gender. The words are aligned together with Google's outputs.
    """
    people = human_genders(language)
    people = people[people["found"] & (people["gender"] != "unknown")]
    asked = read_sentences().iloc[people["index"]]
    released = published_translations("google", language)
    read = read_genders(
        [*released["translation"], *people["translation"]],
        language,
        pd.concat([released, asked], ignore_index=True),
    )
    return pd.DataFrame(
        {
            "says": asked["gender"].to_numpy(),
            "people": people["gender"].to_numpy(),
            "reader": read[len(released) :],
        }
    )


def _crosstab(read: pd.DataFrame) -> pd.DataFrame:
    table = pd.crosstab(read["gender"], read["read"])
    return table.reindex(index=GOLD, columns=GENDERS, fill_value=0).rename_axis(
        index="says", columns="read"
    )


def f1(counts: pd.DataFrame, gender: str) -> float:
    """F1 of one gender in per cent: harmonic mean of precision and recall, 0 where none is right."""
    both = counts[gender].sum() + counts.loc[gender].sum()
    return float(200 * counts.loc[gender, gender] / both) if both else 0.0


def winomt_table(
    pairs: Iterable[tuple[str, str]],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    kept: dict[tuple[str, str], list[str]] | None = None,
) -> pd.DataFrame:
    """Scores of released outputs, given as (system, language), by our reader and by the rule of the authors.

    A row for each system, language, rule ("own"; "authors" where `AUTHORS` names the language) and score (those of
    `winomt_intervals`, and unread without interval), in per cent: columns value, low, high, null low, null high, n. kept: takes what
    our reader reads, (system, language) -> genders.
    """
    generator = np.random.default_rng(rng)
    parts = []
    for system, language in pairs:
        sentences = published_translations(system, language)
        stereotypes = stereotype_rows(sentences)
        translations = sentences["translation"].tolist()
        for rule in ("own", "authors") if language in AUTHORS else ("own",):
            genders = read_genders(translations, language, sentences, rule=rule)
            if kept is not None and rule == "own":
                kept[system, language] = genders
            table = winomt_intervals(
                genders,
                sentences,
                stereotypes=stereotypes,
                n_resamples=n_resamples,
                rng=generator,
            )
            table.loc["unread", "value"] = 100 * genders.count("unknown") / len(genders)
            about = {"system": system, "language": language, "rule": rule, "n": len(genders)}
            parts.append(table.rename_axis("score").reset_index().assign(**about))
    return pd.concat(parts, ignore_index=True)


def beside_logs(scores: pd.DataFrame, null: pd.DataFrame, score: str, rule: str) -> pd.DataFrame:
    """Scores of one rule, with the blind translator's band (null low, null high) and the authors' log (paper) in their rows; NaN
    where there is none. scores and null: columns system, language, rule, value, low, high; null may have no row. score: as
    `winomt_table` calls it.
    """
    keys = ["system", "language", "rule"]
    band = null.reindex(columns=[*keys, "low", "high"])
    band = band.rename(columns={"low": "null low", "high": "null high"})
    table = scores[scores["rule"] == rule].merge(band, on=keys, how="left")
    logs = [PUBLISHED.get((row.system, row.language)) for row in table.itertuples()]
    return table.assign(paper=[getattr(log, score, float("nan")) for log in logs])
