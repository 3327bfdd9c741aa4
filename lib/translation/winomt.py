"""WinoMT: does a translation give a person the gender that the English says?

The translated word for the person is found by word alignment; its gender is read by
`lib.translation.person_gender`, or by the rule of the authors' program. Sentences, released outputs
and human judgements are read by `lib.datasets.winomt`. Stanovsky, Smith & Zettlemoyer (2019).
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.datasets.winomt import (
    human_genders,
    published_translations,
    read_sentences,
    tokens,
)
from lib.lexicons import pair_list
from lib.translation.person_gender import READERS, majority_gender, target_words
from lib.translation.word_alignment import align_words

GENDERS = ("male", "female", "neutral", "unknown")
GOLD = GENDERS[:3]
SUMMARIES = ("accuracy", "delta_g", "recall_male", "recall_female", "by_pronoun")
AUTHORS = ("es", "fr", "it", "de")  # languages whose rule of the authors needs no more than lists


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
    translations: Sequence[str],
    language: str,
    sentences: pd.DataFrame | None = None,
    *,
    rule: str = "own",
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
    rule : str
        "own" (`lib.translation.person_gender`) or "authors" (`authors_rule`).

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
    one_of("rule", rule, ("own", "authors"))
    one_of("language", language, READERS if rule == "own" else AUTHORS)
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences):,} translations, one for each sentence, "
            f"got {len(translations):,}"
        )
    targets = [target_words(text, language) for text in translations]
    sources = [tokens(text) for text in sentences["text"]]
    aligned = zip(targets, align_words(sources, targets), sentences["place"], sources)
    if rule == "own":
        return [READERS[language](target, links[place]) for target, links, place, _ in aligned]
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

    They take every word that is aligned with the person or with the article before it. In Spanish,
    French and Italian most of these decide, by the genders that a tagger gives them; in German a
    word in -in is feminine and else the determiner counts that is nearest to the first of them,
    wherever in the sentence; a nurse is always feminine there. In place of spaCy's tagger and of
    fast_align are our lists and our alignment.

    Parameters
    ----------
    language : str
        One of `AUTHORS`.
    target, source : sequence of str
        The m words of the translation and the n of the English sentence.
    links : (n, m) array
        As `lib.translation.word_alignment.align_words`.
    place : int
        Of the person among the words of the English sentence.
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


def stereotype_rows(sentences: pd.DataFrame) -> dict[str, NDArray[np.int64]]:
    """Which sentences follow a stereotype ("pro") and which go against one ("anti"). Needs the `sample` files.

    Parameters
    ----------
    sentences : DataFrame
        As `lib.datasets.winomt.read_sentences`.

    Returns
    -------
    dict
        Places of rows in `sentences`, from 0; of equal sentences the last.
    """
    keys = ["gender", "place", "text"]
    rows = sentences[keys].reset_index(drop=True).drop_duplicates(keys, keep="last")
    rows = rows.reset_index(names="row")
    return {
        subset: read_sentences(subset)[keys].merge(rows, on=keys)["row"].to_numpy()
        for subset in ("pro", "anti")
    }


def winomt_intervals(
    genders: Sequence[str],
    sentences: pd.DataFrame | None = None,
    *,
    stereotypes: Mapping[str, NDArray[np.int64]] | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Accuracy, ΔG and recall with intervals over occupations, and beside a blind translator.

    Sentences about one occupation share its word, so whole occupations are drawn. The blind
    translator gives every occupation the genders that were read, in as many sentences as they were
    read, whatever the English says of the person: they are shuffled within each occupation.

    Parameters
    ----------
    genders, sentences
        As for `winomt_scores`.
    stereotypes : mapping, optional
        Rows of the sentences that follow a stereotype ("pro") and that go against one ("anti"), as
        `stereotype_rows`: ΔS is asked for, too.
    n_resamples : int
        Of the bootstrap, and shuffles for the null.
    confidence_level : float
        Of interval and null band.

    Returns
    -------
    DataFrame
        Rows accuracy, delta_g, recall_male and recall_female, in per cent, and by_pronoun: the
        women kept less those whom the blind translator is expected to keep, in percentage points;
        delta_s with `stereotypes`: mean F1 of "pro" less that of "anti". Columns value, low, high,
        null low, null high.
    """
    sentences = read_sentences() if sentences is None else sentences
    table = pd.DataFrame({"says": sentences["gender"].to_numpy(), "read": list(genders)})
    people = sentences["person"].str.lower().str.replace(r"^(?:the|an?) ", "", regex=True)
    occupation, names = pd.factorize(people)
    says = table["says"].map(GENDERS.index).to_numpy()
    read = table["read"].map(GENDERS.index).to_numpy()
    generator = np.random.default_rng(rng)
    tables = np.zeros((len(names), len(GENDERS), len(GENDERS)))
    np.add.at(tables, (occupation, says, read), 1)
    women = tables[:, GENDERS.index("female")].sum(axis=1)
    called_female = tables[:, :, GENDERS.index("female")].sum(axis=1) / tables.sum(axis=(1, 2))
    kept_blindly = np.column_stack([women * called_female, women])
    weights = generator.multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=n_resamples
    )
    drawn = _summaries(np.tensordot(weights, tables, axes=1), weights @ kept_blindly)
    shuffled = np.zeros((n_resamples, len(GENDERS), len(GENDERS)))
    of_sides = np.zeros((2, n_resamples, len(GENDERS), len(GENDERS)))
    sides = [stereotypes[side] for side in ("pro", "anti")] if stereotypes else []
    order = np.argsort(occupation, kind="stable")
    for draw, counted in enumerate(shuffled):
        blind = np.empty_like(read)
        blind[order] = read[np.lexsort((generator.random(len(read)), occupation))]
        np.add.at(counted, (says, blind), 1)
        for side, rows in zip(of_sides, sides):
            np.add.at(side[draw], (says[rows], blind[rows]), 1)
    expected = kept_blindly.sum(axis=0)
    null = _summaries(shuffled, expected)
    value = _summaries(tables.sum(axis=0)[None], expected)
    if stereotypes:
        parts = np.zeros((2, *tables.shape))
        for part, rows in zip(parts, sides):
            np.add.at(part, (occupation[rows], says[rows], read[rows]), 1)
        of_drawn = np.tensordot(weights, parts, axes=(1, 1)).swapaxes(0, 1)
        value = np.column_stack([value, _mean_f1_gap(parts.sum(axis=1)[:, None])])
        drawn = np.column_stack([drawn, _mean_f1_gap(of_drawn)])
        null = np.column_stack([null, _mean_f1_gap(of_sides)])
    ends = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    low, high = np.quantile(drawn, ends, axis=0)
    null_low, null_high = np.quantile(null, ends, axis=0)
    return pd.DataFrame(
        {
            "value": value[0],
            "low": low,
            "high": high,
            "null low": null_low,
            "null high": null_high,
        },
        index=[*SUMMARIES, "delta_s"][: value.shape[1]],
    )


def _mean_f1_gap(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean F1 of women and men of the first tables of (says, read) less that of the second."""
    means = _f1s(sides)[..., :2].mean(axis=2)
    return np.asarray(means[0] - means[1])


def _f1s(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 of each gender in tables of (says, read), in per cent; 0 where it is neither said nor read."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(200 * right / (tables.sum(axis=-1) + tables.sum(axis=-2)))


def _summaries(
    tables: NDArray[np.float64], kept_blindly: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The `SUMMARIES` of tables of (says, read); women that are kept blindly, of how many."""
    right = np.diagonal(tables, axis1=1, axis2=2)
    says, f1s = tables.sum(axis=2), _f1s(tables)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = np.nan_to_num(100 * right / says)
        accuracy = 100 * right[:, : len(GOLD)].sum(axis=1) / says.sum(axis=1)
        blindly = 100 * kept_blindly[..., 0] / kept_blindly[..., 1]
    by_pronoun = recall[:, 1] - blindly
    return np.column_stack([accuracy, f1s[:, 0] - f1s[:, 1], *recall[:, :2].T, by_pronoun])


def other_people(sentences: pd.DataFrame) -> pd.DataFrame:
    """The sentences with their other person in the place of the one whom the pronoun is about.

    No word of the sentence says the gender of the other person, so that what a translation makes of
    them is the translator's own choice.

    Parameters
    ----------
    sentences : DataFrame
        As `lib.datasets.winomt.read_sentences`.

    Returns
    -------
    DataFrame
        The same columns, person and place now the other person's and gender "neutral", for the
        sentences that name one other person after *the*; the index is that of `sentences`.
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
    return pd.DataFrame.from_dict(found, orient="index", columns=list(sentences.columns))


def people_and_reader(language: str) -> pd.DataFrame:
    """What people read in translations, what our reader reads in them, and what the English says.

    Parameters
    ----------
    language : str
        One of `lib.datasets.winomt.HUMAN`.

    Returns
    -------
    DataFrame
        A row for each translation in which people found the person and gave a gender. Columns says
        (the English), people and reader. The words are aligned together with Google's outputs.
    """
    people = human_genders(language)
    people = people[people["found"] & (people["gender"] != "unknown")]
    sentences = read_sentences()
    asked = sentences.iloc[people["index"]]
    read = read_genders(
        [*published_translations("google", language), *people["translation"]],
        language,
        pd.concat([sentences, asked], ignore_index=True),
    )
    return pd.DataFrame(
        {
            "says": asked["gender"].to_numpy(),
            "people": people["gender"].to_numpy(),
            "reader": read[len(sentences) :],
        }
    )


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
