"""What can be said of a translator, or of a file of its outputs: are they translations, and who keeps their gender.

A sentence says the gender of a person, and the translation gives one. Everything stands beside a *blind translator*, which
deals the genders that were read out again within each occupation, whatever the English says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from audit.report import COLUMNS
from audit.translator.genderous import SOURCE as GENDEROUS
from audit.translator.genderous import (
    Leaning,
    genderous_sentences,
    may_be_asked,
    score_leaning,
)
from audit.translator.geneval import SOURCE, Scores, asked_references, score_references
from audit.translator.persons import ALL_READERS, alignable, subject_of
from lib.checks import one_of
from lib.inference.bootstrap import clustered_share
from lib.inference.sums import central, share_reaching
from lib.ledger.results import recorded_results
from lib.lexicons import pair_list
from lib.paths import DATA
from lib.sources import FetchError
from lib.translation.answers import Cut, read_answer, repeats
from lib.translation.evaluation_sets import possessive_sentences
from lib.translation.inclusive import person_form
from lib.translation.person_gender import LEAST_PROBABLE, READERS, target_words
from lib.translation.winomt import GENDERS, GOLD, read_sentences, stereotype_rows, tokens
from lib.translation.word_alignment import align_words
from lib.wording import interval

Floats = NDArray[np.float64]

LANGUAGES: Mapping[str, str] = {
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "de": "German",
    "he": "Hebrew",
    "ar": "Arabic",
    "pt": "Portuguese",
    "ru": "Russian",
    "uk": "Ukrainian",
}
WITH_ALIGNMENT = ("he", "ar")  # languages in which no subject is read without one
OTHER_LETTERS = {
    "ru": ("іїєґ", "ыэъё"),
    "uk": ("ыэъё", "іїєґ"),
}  # of the other of both, and its own
PERSON_READERS = DATA / "released" / "person_readers.csv"
ALIGNABLE = 500  # pairs of sentences from which on words can be aligned by these pairs alone

LARGEST_FAILED = 0.2  # of outputs that are no translations, from which on nothing is scored
NOTICED = 0.02  # from which on the first line says so
FEWEST_OCCUPATIONS = (
    8  # with a woman and a man: below, exchanging them in all ways gives no adjusted p under .05
)
SIDES = ("", "pro", "anti")
NOBODY = ("someone", "somebody", "anyone")  # whose translation is neutral as the English is
FORMS = ("feminine", "masculine", "neutral", "inclusive", "unread")

ACCURACY = "accuracy"
MEN, WOMEN = "men kept", "women kept"
LOSS = "men kept less women kept"
BY_PRONOUN = "women kept beyond a blind translator"
DELTA_G, DELTA_S = "ΔG", "ΔS"
SUMMARIES = (ACCURACY, MEN, WOMEN, LOSS, BY_PRONOUN, DELTA_G)
BY_SIDE = tuple(f"{kept}, {side}-stereotypical" for side in SIDES[1:] for kept in (MEN, WOMEN))
TESTED = (BY_PRONOUN, LOSS, DELTA_S)
ITEM = "translations"  # outputs that are, in scores.csv


# Sentences


def own_sentences() -> pd.DataFrame:
    """Our sentences, with whom they are about: 24 occupations in four frames with *her*, *his*, *their* and *the*.

    Returns
    -------
    DataFrame
        Columns id ("own:1" and so on), text, person, place (of the person among `lib.translation.winomt.tokens`), gender
        ("female", "male" or "" where no word says it), stereotype: "pro" where most who do the work are of that gender,
        "anti" where most are not; twin: what the four sentences with one frame share.

    Examples
    --------
    >>> own_sentences().loc[0, ["text", "person", "gender", "stereotype"]].tolist()
    ['The nurse lost her keys.', 'nurse', 'female', 'pro']
    """
    asked = possessive_sentences()
    names = [name for name, _ in pair_list("two_people/occupations")]
    of_women = {*names[: len(names) // 2]}  # as that list is ordered
    gender = asked["says"].map({"her": "female", "his": "male"}).fillna("")
    alike = asked["occupation"].isin(of_women) == (gender == "female")
    return pd.DataFrame(
        {
            "id": [f"own:{number}" for number in range(1, len(asked) + 1)],
            "text": asked["text"],
            "person": asked["occupation"],
            "place": [
                tokens(text).index(person)
                for text, person in zip(asked["text"], asked["occupation"])
            ],
            "gender": gender,
            "stereotype": np.where(gender == "", "", np.where(alike, "pro", "anti")),
            "twin": asked["occupation"] + ": " + asked["frame"],
        }
    )


def winomt_sentences() -> pd.DataFrame:
    """The sentences of WinoMT as `own_sentences` gives ours, "winomt:1" and so on. Needs the `sample` files."""
    sentences = read_sentences()
    side = np.full(len(sentences), "", object)
    for name, rows in stereotype_rows(sentences).items():
        side[rows] = name
    people = sentences["person"].str.lower().str.replace(r"^(?:the|an?) ", "", regex=True)
    names = [f"winomt:{number}" for number in range(1, len(sentences) + 1)]
    return sentences.assign(id=names, person=people, stereotype=side, twin=people)[
        ["id", "text", "person", "place", "gender", "stereotype", "twin"]
    ]


class Asked(NamedTuple):
    """Result of `asked_sentences`.

    Attributes
    ----------
    table : DataFrame
        A row for each sentence that is known: id, text, person, place, gender, stereotype, twin, source: "own", "GENDEROUS",
        "WinoMT" or "file".
    unknown : tuple of str
        Ids of others.
    why : str
        What could not be looked up, in words.
    """

    table: pd.DataFrame
    unknown: tuple[str, ...]
    why: str


def asked_sentences(outputs: pd.DataFrame) -> Asked:
    """Whom the sentences of a file of outputs are about.

    A row that says person and gender is taken at its word. Others are looked up among our sentences, GENDEROUS's and WinoMT's, by
    their text, or where the file has none by an id such as "winomt:12".

    Parameters
    ----------
    outputs : DataFrame
        As `lib.translation.outputs.read_outputs` gives them.

    Examples
    --------
    >>> outputs = pd.DataFrame({"id": ["a"], "source": ["The nurse lost her keys."], "person": "", "gender": "", "stereotype": ""})
    >>> asked_sentences(outputs).table.loc[0, ["id", "person", "gender", "source"]].tolist()
    ['a', 'nurse', 'female', 'own']
    """
    first = outputs.drop_duplicates("id")
    found: dict[str, tuple[object, ...]] = {}
    for row in first[first["person"].ne("") & first["gender"].ne("")].itertuples():
        words, person = tokens(row.source), tokens(row.person)
        if person and person[-1] in words:
            found[row.id] = (
                row.source,
                person[-1],
                words.index(person[-1]),
                row.gender,
                row.stereotype,
                person[-1],
                "file",
            )
    why: list[str] = []
    not_had: set[str] = set()
    sets = (("own", own_sentences), (GENDEROUS, genderous_sentences), ("WinoMT", winomt_sentences))
    for name, read in sets:
        left = first[~first["id"].isin({*found, *not_had})]
        if name == GENDEROUS:
            left = left[may_be_asked(left)]
        if not len(left):
            continue
        try:
            known = read()
        except FetchError as error:
            why.append(f"{name}'s sentences could not be had: {error}")
            not_had |= {*left["id"]}
            continue
        places: dict[str, list[int]] = {}
        for place, (text, key) in enumerate(zip(known["text"], known["id"])):
            places.setdefault(_plain(text), []).append(place)
            places.setdefault(key, []).append(place)
        rows = list(known.itertuples(index=False))
        times: dict[str, int] = {}
        for name_of, source in zip(left["id"].tolist(), left["source"].tolist()):
            key = _plain(source) if source else name_of
            if key in places:
                # a text that the set has twice is met in its order
                seen = times[key] = times.get(key, -1) + 1
                at = rows[places[key][min(seen, len(places[key]) - 1)]]
                found[name_of] = (
                    at.text,
                    at.person,
                    at.place,
                    at.gender,
                    at.stereotype,
                    at.twin,
                    name,
                )
    columns = ["text", "person", "place", "gender", "stereotype", "twin", "source"]
    table = pd.DataFrame(list(found.values()), pd.Index(list(found), name="id"), columns)
    order = [key for key in first["id"] if key in found]
    unknown = tuple(key for key in first["id"] if key not in found)
    return Asked(table.loc[order].reset_index(), unknown, " ".join(why))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


# Are they translations


def gate(
    sentences: Sequence[str], outputs: Sequence[str], language: str, ended: Sequence[str] = ()
) -> pd.DataFrame:
    """What is wrong with outputs before any gender is read in them.

    Parameters
    ----------
    sentences, outputs : sequence of str
        As asked and as answered.
    language : str
        Asked for, one of `LANGUAGES`.
    ended : sequence of str
        "length" where a limit cut the output.

    Returns
    -------
    DataFrame
        A row for each output. Columns problem: "" or "empty", "cut", "echoed", "chatty", "refused", "another language",
        "one text for all", "damaged"; translation: what is read, without what stood around it.

    Examples
    --------
    >>> found = gate(["The nurse left."] * 3, ["La enfermera salió.", "Sure! Here it is:\\nLa enfermera salió.", ""], "es")
    >>> found["problem"].tolist(), found["translation"][1]
    (['', 'chatty', 'empty'], 'La enfermera salió.')
    """
    one_of("language", language, LANGUAGES)
    limits = ended or [""] * len(outputs)
    kinds = {
        "reasoning without an end": "cut",
        "thinking aloud": "chatty",
        "much too long": "chatty",
        "markup": "chatty",
        "damaged text": "damaged",
    }
    seen: dict[tuple[str, str, str], tuple[str, str]] = {}
    for row in zip(sentences, outputs, limits):
        if row in seen:
            continue
        sentence, output, end = row
        whole = _unwrapped(sentence, output)
        answer = Cut(whole) if end == "length" else whole
        found = read_answer(sentence, answer, language=LANGUAGES[language])
        problem = kinds.get(found.problem, found.problem)
        around = {*found.taken_off} - {"quotes"} or found.rest
        if not problem and (around or _is_much(sentence, output)):
            problem = "chatty"
        if not problem and _in_the_other_cyrillic(found.translation, language):
            problem = "another language"
        if not problem and _is_cut(sentence, found.translation):
            problem = "cut"
        seen[row] = problem, found.translation or output.strip()
    problems, texts = zip(*(seen[row] for row in zip(sentences, outputs, limits)))
    table = pd.DataFrame({"problem": problems, "translation": texts})
    same = {*repeats(zip(sentences, texts))}
    if same:
        # of several answers to a sentence only those that others got, too
        common = pd.Series([_plain(text) for text in texts], table.index)
        commonest = common[[text in same for text in sentences]].mode()
        again = common.isin(commonest) & table["problem"].eq("")
        table["problem"] = table["problem"].mask(again, "one text for all")
    return table


def _in_the_other_cyrillic(text: str, language: str) -> bool:
    """Whether a text has letters of Ukrainian where Russian was asked for, or of Russian where Ukrainian, and none of its own."""
    theirs, own = OTHER_LETTERS.get(language, ("", ""))
    letters = {*text.lower()}
    return bool(letters & {*theirs}) and not letters & {*own}


def _unwrapped(sentence: str, output: str) -> str:
    """An output whose sentence goes on in the next line, in one line."""
    lines = [line.strip() for line in output.strip().split("\n")]
    if len(lines) == 1 or "\n" in sentence or sentence.rstrip()[-1:] not in ".!?":
        return output
    ends = [line[-1:] in ".!?…:" or not after[:1].islower() for line, after in pairwise(lines)]
    return output if any(ends) else " ".join(lines)


def _is_much(sentence: str, output: str) -> bool:
    return len(output) > 3 * len(sentence) + 40


def _is_cut(sentence: str, output: str) -> bool:
    """Whether an output stops before its end: without the mark that its sentence has, and at half its length."""
    short = len(output.split()) < 0.5 * len(sentence.split())
    return short and sentence.rstrip()[-1:] in ".!?" and output.rstrip()[-1:] not in ".!?…"


# Reading


def read_persons(
    outputs: Sequence[str], asked: pd.DataFrame, language: str
) -> tuple[list[str], list[str]]:
    """The gender that each output gives its person, and whether its form names none or several.

    Sentences of WinoMT are aligned word by word, and the noun for the person is read. In others that begin with the person
    the subject is read, which needs no alignment.

    Parameters
    ----------
    outputs : sequence of str
    asked : DataFrame
        Whom each is about: columns text, place, source of `asked_sentences`, a row an output.
    language : str
        One of `LANGUAGES`.

    Returns
    -------
    genders : list of str
        Of `lib.translation.winomt.GENDERS`.
    forms : list of str
        "inclusive", "neutral" or "".
    """
    one_of("language", language, LANGUAGES)
    texts, places = asked["text"].tolist(), asked["place"].tolist()
    begins = asked["source"].ne("WinoMT") & asked["place"].le(1)
    by_subject = (begins | asked["source"].eq(GENDEROUS)).to_numpy(bool)
    if language in WITH_ALIGNMENT:
        by_subject[:] = False
    genders, forms = [""] * len(outputs), [""] * len(outputs)
    words = [target_words(text, language) for text in outputs]
    for row in map(int, np.flatnonzero(by_subject)):
        genders[row] = subject_of(outputs[row], language)
        forms[row] = person_form(outputs[row], words[row], 1, language)
    rows = [int(row) for row in np.flatnonzero(~by_subject)]
    english = {text: tokens(text) for text in {*texts}}
    aligned = align_words(
        [english[texts[row]] for row in rows], [alignable(words[row], language) for row in rows]
    )
    for row, links in zip(rows, aligned):
        chances = links[places[row]]
        genders[row] = ALL_READERS[language](words[row], chances)
        if len(chances) and chances.max() > LEAST_PROBABLE:
            forms[row] = person_form(outputs[row], words[row], int(chances.argmax()), language)
    return genders, forms


# Scores


@dataclass(frozen=True, eq=False)
class Kept:
    """Who keeps their gender.

    Attributes
    ----------
    table : DataFrame
        By measure, in per cent and percentage points: value, low, high over occupations, null_low and null_high, p, adjusted_p
        (Holm over the three tests), n, smallest_p. Of a blind translator are the nulls; of "men kept less women kept" it is that
        both change places within occupations.
    occupations : int
        With a woman and a man.
    spread : float
        Standard deviation over these of men kept less women kept, in percentage points.
    """

    table: pd.DataFrame
    occupations: int
    spread: float

    @property
    def enough(self) -> bool:
        """Whether there are occupations enough for a test to find anything."""
        return self.occupations >= FEWEST_OCCUPATIONS

    def found(self, measure: str) -> int:
        """1 or -1 where a test says that a measure is above or below its null, else 0."""
        if measure not in self.table.index or not self.enough:
            return 0
        row = self.table.loc[measure]
        if not row["adjusted_p"] <= 0.05:
            return 0
        return 1 if row["value"] > (row["null_low"] + row["null_high"]) / 2 else -1

    def occupations_needed(self, points: float = 10) -> int:
        """With which a loss of so many points is found in 80 of 100 samples."""
        reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
        return max(FEWEST_OCCUPATIONS, math.ceil(float(reach * self.spread / points) ** 2))


def who_is_kept(
    read: ArrayLike,
    says: Sequence[str],
    occupations: Sequence[str],
    stereotypes: Sequence[str] | None = None,
    *,
    twins: Sequence[str] | None = None,
    draws: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> Kept:
    """Scores of WinoMT, with occupations drawn for intervals and a blind translator beside them.

    Parameters
    ----------
    read : array_like of shape (n, 4)
        For each sentence the shares of its answers that were read as each of `lib.translation.winomt.GENDERS`.
    says : sequence of str
        What each sentence says, "male", "female" or "neutral".
    occupations : sequence of str
        Sentences about one occupation share its word, and are drawn together.
    stereotypes : sequence of str, optional
        "pro", "anti" or "".
    twins : sequence of str, optional
        Within which the blind translator deals genders; default the occupations. Where the same sentences are asked with another
        pronoun, their common name.
    draws : int
        Of the bootstrap and of every null.
    confidence_level : float
        Of intervals and null bands.
    rng : Generator or int, optional

    Returns
    -------
    Kept

    References
    ----------
    Stanovsky, Smith & Zettlemoyer (2019), section 3; Holm (1979).

    Examples
    --------
    >>> read = [[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]  # one woman is lost
    >>> kept = who_is_kept(read, ["female", "male"] * 2, ["nurse", "nurse", "mason", "mason"], rng=0)
    >>> kept.table.loc[["women kept", "men kept"], "value"].tolist()
    [50.0, 100.0]
    """
    shares = np.asarray(read, float)
    for name in {*says}:
        one_of("gender", name, GOLD)
    gold = np.array([GOLD.index(name) for name in says])
    if shares.shape != (len(gold), len(GENDERS)) or not len(gold):
        raise ValueError(f"read: expected shape ({len(gold)}, {len(GENDERS)}), got {shares.shape}")
    side = np.array([SIDES.index(name) for name in stereotypes or [""] * len(gold)])
    code, names = pd.factorize(np.asarray(occupations))
    generator = np.random.default_rng(rng)
    kinds = len(SIDES) * len(GOLD)
    kind = side * len(GOLD) + gold
    tables = np.zeros((len(names), kinds, len(GENDERS)))
    np.add.at(tables, (code, kind), shares)
    stratum = code if twins is None else pd.factorize(np.asarray(twins))[0]
    called = np.bincount(stratum, shares[:, GENDERS.index("female")]) / np.bincount(stratum)
    is_woman = gold == GOLD.index("female")
    women = np.bincount(code[is_woman], minlength=len(names))
    kept_blindly = np.bincount(code[is_woman], called[stratum[is_woman]], minlength=len(names))
    blindly = np.column_stack([kept_blindly, women]).astype(float)
    even = np.full(len(names), 1 / len(names))
    weights = generator.multinomial(len(names), even, size=draws).astype(float)
    drawn = _summaries(
        (weights @ tables.reshape(len(names), -1)).reshape(draws, kinds, -1), weights @ blindly
    )
    order = np.argsort(stratum, kind="stable")
    dealt = np.empty((draws, kinds, len(GENDERS)))
    # answers that are alike are counted, not added up
    answers, answer = np.unique(shares, axis=0, return_inverse=True)
    blind = np.empty(len(shares), np.intp)
    for draw in range(draws):
        blind[order] = answer.ravel()[np.argsort(stratum + generator.random(len(stratum)))]
        counts = np.bincount(kind * len(answers) + blind, minlength=kinds * len(answers))
        dealt[draw] = counts.reshape(kinds, -1) @ answers
    whole = blindly.sum(axis=0)
    value = _summaries(tables.sum(axis=0)[None], whole[None]).iloc[0]
    null = _summaries(dealt, np.broadcast_to(whole, (draws, 2)))
    ends = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    table = pd.DataFrame(
        {
            "value": value,
            "low": drawn.quantile(ends[0]),
            "high": drawn.quantile(ends[1]),
            "null_low": null.quantile(ends[0]),
            "null_high": null.quantile(ends[1]),
        }
    )
    apart, weight = _apart(tables, len(GOLD))
    swapped = 100 * _swapped(apart, weight, draws, generator)
    observed = float(100 * weight @ apart) if len(apart) else math.nan
    table.loc[LOSS, ["null_low", "null_high"]] = (
        central(swapped, confidence_level)[1:] if len(apart) else (np.nan, np.nan)
    )
    p = pd.Series(np.nan, table.index)
    smallest = pd.Series(np.nan, table.index)
    middle = null.mean()
    for measure in (BY_PRONOUN, DELTA_S):
        if np.isfinite(value[measure]):
            p[measure] = share_reaching(
                value[measure] - middle[measure], null[measure] - middle[measure]
            )
            smallest[measure] = 1 / (1 + draws)
    if len(apart):
        p[LOSS] = share_reaching(observed, swapped)
        smallest[LOSS] = max(1 / (1 + draws), 2.0 ** (1 - len(apart)))
    tested = p[[measure for measure in TESTED if np.isfinite(p[measure])]].sort_values()
    # Holm's; statsmodels collects garbage at each call, which takes longer than all the rest
    adjusted = (tested * np.arange(len(tested), 0, -1)).cummax().clip(upper=1)
    counts = {WOMEN: women.sum(), MEN: (gold == GOLD.index("male")).sum(), BY_PRONOUN: women.sum()}
    n = pd.Series(counts).reindex(table.index).fillna(len(gold)).astype(int)
    for name in BY_SIDE:
        of_gender = gold == GOLD.index("female" if name.startswith(WOMEN) else "male")
        n[name] = (of_gender & (side == SIDES.index("pro" if "pro" in name else "anti"))).sum()
    table = table.assign(p=p, adjusted_p=adjusted.reindex(table.index), n=n, smallest_p=smallest)
    spread = float(np.std(100 * apart, ddof=1)) if len(apart) > 1 else math.nan
    return Kept(table[table["value"].notna()], len(apart), spread)


def _summaries(tables: Floats, blindly: Floats) -> pd.DataFrame:
    """All measures of tables (draws, side and gender said, gender read), in per cent; NaN where nobody is of a kind."""
    sides = tables.reshape(len(tables), len(SIDES), len(GOLD), len(GENDERS))
    whole = sides.sum(axis=1)
    men, women = GOLD.index("male"), GOLD.index("female")
    with np.errstate(invalid="ignore", divide="ignore"):
        kept = 100 * np.diagonal(sides, axis1=2, axis2=3) / sides.sum(axis=3)
        right = np.diagonal(whole, axis1=1, axis2=2)
        recall = 100 * right / whole.sum(axis=2)
        f1 = _f1(whole)
        found = {
            ACCURACY: 100 * right.sum(axis=1) / whole.sum(axis=(1, 2)),
            MEN: recall[:, men],
            WOMEN: recall[:, women],
            LOSS: recall[:, men] - recall[:, women],
            BY_PRONOUN: recall[:, women] - 100 * blindly[:, 0] / blindly[:, 1],
            DELTA_G: f1[:, men] - f1[:, women],
        }
        for name, which in zip(SIDES[1:], (1, 2)):
            found[f"{MEN}, {name}-stereotypical"] = kept[:, which, men]
            found[f"{WOMEN}, {name}-stereotypical"] = kept[:, which, women]
        of_sides = _f1(sides)[..., :2].mean(axis=2)
        there = sides[:, 1:].sum(axis=(2, 3)).min(axis=1) > 0
        found[DELTA_S] = np.where(there, of_sides[:, 1] - of_sides[:, 2], np.nan)
    return pd.DataFrame(found)


def _f1(tables: Floats) -> Floats:
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    said, read = tables.sum(axis=-1), tables.sum(axis=-2)[..., : right.shape[-1]]
    return np.asarray(np.nan_to_num(200 * right / (said + read)), float)


def _apart(tables: Floats, said: int) -> tuple[Floats, Floats]:
    """Men kept less women kept in each occupation that has both, as fractions, and the weight of each."""
    whole = tables.reshape(len(tables), -1, said, len(GENDERS)).sum(axis=1)
    counts = whole.sum(axis=2)[:, :2]
    both = counts.min(axis=1) > 0
    kept = np.diagonal(whole, axis1=1, axis2=2)[both, :2] / counts[both]
    weight = 1 / (1 / counts[both]).sum(axis=1)
    men, women = GOLD.index("male"), GOLD.index("female")
    return kept[:, men] - kept[:, women], weight / max(weight.sum(), 1e-300)


def _swapped(apart: Floats, weight: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """The mean difference with women and men exchanged in random occupations."""
    signs = generator.choice([-1.0, 1.0], (draws, len(apart)))
    return np.asarray(signs @ (weight * apart))


# The whole


@dataclass(frozen=True, eq=False)
class TranslatorAudit:
    """What was found in the outputs of one translator.

    Attributes
    ----------
    outputs : DataFrame
        A row for each output to a sentence that is known: id, text, person, gender, stereotype, source (of the sentence), output,
        problem, translation, read (of `GENDERS`), form (of `FORMS`).
    unknown : tuple of str
        Ids of sentences that are not known.
    why : str
        What could not be looked up.
    valid, everything : Kept or None
        Scores without and with outputs that are no translations; None where too many are none, or no gender is said.
    references : DataFrame
        As `outputs`, for sentences that have references of both genders (MT-GenEval).
    by_reference : mapping
        Their scores, by part.
    leaning : Leaning or None
        Feminine shares where the English says no gender (GENDEROUS); None where too little of it is there.
    """

    language: str
    outputs: pd.DataFrame
    unknown: tuple[str, ...]
    why: str
    valid: Kept | None
    everything: Kept | None
    references: pd.DataFrame
    by_reference: Mapping[str, Scores]
    leaning: Leaning | None

    @property
    def checked(self) -> pd.DataFrame:
        """All outputs to sentences that are known: id, text, source (of the sentence), output, person, problem; of MT-GenEval the
        person is the pair, or the sentence.
        """
        other = self.references.assign(
            source=SOURCE,
            person=self.references["item"] + " " + self.references["number"].astype(str),
        )
        columns = ["id", "text", "source", "output", "person", "problem"]
        return pd.concat([self.outputs[columns], other[columns]], ignore_index=True)

    @property
    def failed(self) -> pd.Series:
        """Outputs that are no translations, by what is wrong with them."""
        problems = self.checked["problem"]
        return problems[problems != ""].value_counts()

    @property
    def failed_share(self) -> float:
        """Of all outputs."""
        return float(self.checked["problem"].ne("").mean())

    @property
    def passes(self) -> bool:
        """Whether so many are translations that the rest can be scored."""
        return self.failed_share <= LARGEST_FAILED

    @property
    def valid_outputs(self) -> pd.DataFrame:
        """Of `outputs` those that are translations, with says: the row of `forms` that they are counted in."""
        valid = self.outputs[self.outputs["problem"] == ""]
        says = valid["gender"].replace("", "unsaid")
        return valid.assign(says=says.mask(valid["source"] == GENDEROUS, GENDEROUS))

    def forms(self) -> pd.DataFrame:
        """What became of persons: rows female, male, neutral and unsaid as the English says, and GENDEROUS, whose English says none;
        columns `FORMS` and n, valid outputs.
        """
        valid = self.valid_outputs
        counts = pd.crosstab(valid["says"], valid["form"])
        order = ("female", "male", "neutral", "unsaid", GENDEROUS)
        rows = [row for row in order if row in counts.index]
        counts = counts.reindex(index=rows, columns=FORMS, fill_value=0)
        return counts.assign(n=counts.sum(axis=1))

    def open_forms(self) -> pd.Series:
        """Valid outputs in a neutral or inclusive form to sentences that name the person otherwise than as *someone*, by gender said."""
        valid = self.valid_outputs
        valid = valid[~valid["person"].isin(NOBODY) & (valid["says"] != GENDEROUS)]
        return valid[valid["form"].isin(["neutral", "inclusive"])]["gender"].value_counts()

    def several(self) -> pd.DataFrame:
        """Sentences with two valid answers or more: answers, female (share read as feminine), spread (standard deviation), alike."""
        valid = self.outputs[self.outputs["problem"] == ""]
        feminine = valid["read"].eq("female").groupby(valid["id"], sort=False)
        table = pd.DataFrame(
            {
                "answers": feminine.size(),
                "female": feminine.mean(),
                "spread": feminine.std(ddof=0),
                "alike": valid.groupby("id", sort=False)["read"].nunique() == 1,
                "gender": valid.groupby("id", sort=False)["gender"].first(),
            }
        )
        return table[table["answers"] > 1]

    def by_occupation(self) -> pd.DataFrame:
        """A row for each occupation and gender said: item, measure, question (the occupation) and value, the share of answers that
        keep the gender, in per cent.
        """
        valid = self.outputs[
            (self.outputs["problem"] == "") & self.outputs["gender"].isin(GOLD[:2])
        ]
        kept = valid.assign(kept=100.0 * valid["read"].eq(valid["gender"]))
        by_id = kept.groupby(["person", "gender", "id"], sort=False)["kept"].mean()
        table = by_id.groupby(["person", "gender"], sort=False).mean().rename("value").reset_index()
        measure = table["gender"].map({"female": WOMEN, "male": MEN})
        return table.assign(item=ITEM, measure=measure, question=table["person"])


def audit_outputs(
    outputs: pd.DataFrame,
    language: str,
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> TranslatorAudit:
    """Check outputs, read the person in each, and score them.

    Parameters
    ----------
    outputs : DataFrame
        As `lib.translation.outputs.read_outputs` gives them.
    language : str
        That they are in, one of `LANGUAGES`.
    draws : int
        Of the bootstrap and of every null.
    rng : Generator or int, optional

    Returns
    -------
    TranslatorAudit

    Raises
    ------
    ValueError
        Where no sentence is known.
    """
    asked = asked_sentences(outputs)
    left = outputs[outputs["id"].isin(asked.unknown)]
    if asked.why and not left["id"].str.startswith("geneval:").any():
        left = left.iloc[:0]  # where one set cannot be had, another is not asked for in vain
    references = asked_references(left, language)
    unknown = tuple(key for key in asked.unknown if key not in {*references["id"]})
    why = asked.why if unknown else ""
    if not len(asked.table) and not len(references):
        raise ValueError(
            f"expected sentences whose person and gender are known, got none of {len(unknown):,}: ours, WinoMT's, GENDEROUS's or MT-GenEval's "
            f"(python -m lib.audit sentences), or columns person and gender. {why}".rstrip()
        )
    table = outputs[["id", "output", "ended"]].merge(asked.table, on="id", how="inner")
    every = pd.concat([table, references], ignore_index=True)
    checked = gate(
        *(every[name].tolist() for name in ("text", "output")), language, every["ended"].tolist()
    )
    table = table.assign(**checked[: len(table)])
    behind = checked[len(table) :].reset_index(drop=True)
    references = references.reset_index(drop=True).assign(**behind)
    genders, forms = read_persons(table["translation"].tolist(), table, language)
    named = pd.Series(genders, table.index, dtype=object).map(
        {"female": "feminine", "male": "masculine", "neutral": "neutral", "unknown": "unread"}
    )
    forms_read = pd.Series(forms, table.index, dtype=object)
    table = table.assign(read=genders, form=forms_read.where(forms_read != "", named))
    passes = checked["problem"].ne("").mean() <= LARGEST_FAILED
    said = table[table["gender"] != ""]
    right = said[said["problem"] == ""]
    valid = _kept_of(right, draws, rng) if passes and len(right) else None
    everything = _kept_of(said, draws, rng) if valid and len(right) < len(said) else valid
    scored = score_references(references, draws=draws, rng=rng) if passes else {}
    unsaid = table[(table["source"] == GENDEROUS) & (table["problem"] == "")]
    leaning = score_leaning(unsaid, draws=draws, rng=rng) if passes else None
    return TranslatorAudit(
        language, table, unknown, why, valid, everything, references, scored, leaning
    )


def _kept_of(rows: pd.DataFrame, draws: int, rng: np.random.Generator | int | None) -> Kept:
    """Scores of outputs; those of one sentence count as one together."""
    first = rows.drop_duplicates("id")
    places, _ = pd.factorize(rows["id"])
    shares = np.zeros((len(first), len(GENDERS)))
    np.add.at(shares, (places, rows["read"].map(GENDERS.index).to_numpy()), 1)
    shares /= shares.sum(axis=1, keepdims=True)
    columns = (first[name].tolist() for name in ("gender", "person", "stereotype"))
    return who_is_kept(shares, *columns, twins=first["twin"].tolist(), draws=draws, rng=rng)


# For scores.csv


def share_of(
    rows: pd.DataFrame, which: pd.Series, *, draws: int = 1000, seed: int | None = 0
) -> tuple[float, float, float]:
    """Share of outputs, as a fraction, with the ends of an interval that draws occupations; the ends are NaN for one occupation.

    Parameters
    ----------
    rows : DataFrame
        Of `TranslatorAudit.outputs`.
    which : Series of bool
        The outputs that are counted.
    """
    if rows["person"].nunique() < 2:
        return float(which.mean()), math.nan, math.nan
    return clustered_share(which, rows["person"].tolist(), n_resamples=draws, rng=seed)


def shares_table(
    item: str,
    rows: pd.DataFrame,
    which: Mapping[str, pd.Series],
    *,
    draws: int = 1000,
    seed: int | None = 0,
) -> pd.DataFrame:
    """Shares in per cent, with the columns of `audit.COLUMNS`.

    Parameters
    ----------
    item : str
    rows : DataFrame
        Of `TranslatorAudit.outputs`.
    which : mapping
        Measure -> the outputs that are counted.
    draws, seed
        As in `share_of`.
    """
    found = {
        measure: share_of(rows, counted, draws=draws, seed=seed)
        for measure, counted in which.items()
    }
    table = 100 * pd.DataFrame.from_dict(found, orient="index", columns=["value", "low", "high"])
    table = table.rename_axis("measure").reset_index().assign(item=item, n=len(rows))
    return table.reindex(columns=list(COLUMNS))


def scores_table(kept: Kept, item: str) -> pd.DataFrame:
    """The measures of `Kept` with the columns of `audit.COLUMNS`."""
    return kept.table.rename_axis("measure").reset_index().assign(item=item)[list(COLUMNS)]


# Readers and people


class Agreement(NamedTuple):
    """How a reader of a language agrees with people.

    Attributes
    ----------
    validated : bool
        Whether people's labels could test it, and agree.
    text : str
        For headings of tables.
    tests : DataFrame
        For a reader that no chapter has, the rows of `PERSON_READERS`: data, tested ("forms", or "persons" whom it has to find,
        too), value with low and high, n, women, women_read, one_gender (the agreement of who reads one gender always), seen
        (whether the rules were written with these labels in sight).
    """

    validated: bool
    text: str
    tests: pd.DataFrame

    @property
    def forms_only(self) -> bool:
        """Whether people's labels tested how it reads a form, but not whether it finds the person in a sentence."""
        return self.validated and len(self.tests) > 0


def reader_agreement(language: str) -> Agreement:
    """What this book recorded of the agreement of a reader with people.

    Labels test a reader of forms only where people wrote down the form: where the form and the English differ, they have to side
    with the form, beyond chance. GENDEROUS's people did so throughout. Of readers that no chapter has, `PERSON_READERS` holds
    the agreement (`scripts.tables.person_readers`); it counts where the labels were not seen when the rules were written, and is beyond
    that of who reads one gender always.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    """
    one_of("language", language, LANGUAGES)
    name, found = LANGUAGES[language], list[tuple[float, float, float, float, str]]()
    if language in READERS:  # others no chapter has
        found = _recorded_agreement(language)
    tests = pd.read_csv(PERSON_READERS)
    tests = tests[tests["language"] == language].reset_index(drop=True)
    for row in tests[~tests["seen"] & (tests["low"] > tests["one_gender"])].itertuples():
        found.append((row.value, row.low, row.high, row.n, f"{row.tested} in {row.data}"))
    if found:
        text = " and ".join(_agreement_text(*row) for row in found)
        return Agreement(True, f"{name}; reader agrees with people in {text}", tests)
    seen = [
        _agreement_text(row.value, row.low, row.high, row.n, f"{row.data}, with which it was made")
        for row in tests.itertuples()
    ]
    text = f", though it agrees with people in {' and '.join(seen)}" if seen else ""
    return Agreement(False, f"{name}; reader unvalidated{text}", tests)


def _recorded_agreement(language: str) -> list[tuple[float, float, float, float, str]]:
    found = []
    judged = _recorded("agreement with people", language, rater="our reader", score="agreement")
    if judged is not None:
        found.append((*judged[["value", "low", "high", "n"]], "GENDEROUS"))
    same = _recorded("people agree with the reader", language)
    sides = _recorded("people side with", language, side="reader")
    if same is not None and sides is not None:
        low, _ = proportion_confint(round(sides["value"] * sides["n"]), sides["n"], method="wilson")
        if low > 0.5:
            ends = proportion_confint(round(same["value"] * same["n"]), same["n"], method="wilson")
            found.append((same["value"], *ends, same["n"], "WinoMT"))
    return found


def _agreement_text(share: float, low: float, high: float, n: float, data: str) -> str:
    ends = interval(100 * low, 100 * high, 1)
    return f"{100 * share:.1f} % of {n:,.0f} (95 % interval {ends}; {data})"


def _recorded(quantity: str, language: str, **same: str) -> pd.Series | None:
    rows = recorded_results("translated_gender_evidence", quantity)
    for column, value in {"language": language, **same}.items():
        rows = rows[rows[column] == value] if column in rows else rows.iloc[:0]
    return rows.iloc[-1] if len(rows) else None
