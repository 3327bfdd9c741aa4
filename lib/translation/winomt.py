"""WinoMT's sentences, and its scores with intervals over occupations, beside a blind translator.

A sentence names two people, and a pronoun says the gender of one; a translation gives that person a gender of its own. Stanovsky,
Smith & Zettlemoyer (2019).
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.sources import fetch

SUBSETS = ("all", "pro", "anti")
GENDERS = ("male", "female", "neutral", "unknown")
GOLD = GENDERS[:3]
SUMMARIES = ("accuracy", "delta_g", "recall_male", "recall_female", "by_pronoun")


def read_sentences(subset: str = "all") -> pd.DataFrame:
    """The sentences, or the pro- or anti-stereotypical ones. Needs the `sample` files.

    Parameters
    ----------
    subset : str
        One of `SUBSETS`.

    Returns
    -------
    DataFrame
        Columns text; person: whom the pronoun is about; place: of that word among `tokens`;
        gender: "male", "female" or "neutral", as the sentence says.
    """
    one_of("subset", subset, SUBSETS)
    key = "winomt_en" if subset == "all" else f"winomt_en_{subset}"
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    table = pd.DataFrame(
        [line.split("\t") for line in lines], columns=["gender", "place", "text", "person"]
    )
    before = [text.split()[: int(place)] for text, place in zip(table["text"], table["place"])]
    table["place"] = [sum(len(tokens(word)) for word in words) for words in before]
    table["person"] = table["person"].str.strip()
    return table[["text", "person", "place", "gender"]]


def stereotype_rows(sentences: pd.DataFrame) -> dict[str, NDArray[np.int64]]:
    """Which sentences follow a stereotype, and which go against one. Needs the `sample` files.

    Parameters
    ----------
    sentences : DataFrame
        As `read_sentences`.

    Returns
    -------
    dict
        "pro" and "anti" -> places in `sentences`, from 0; a sentence that stands there twice has both.
    """
    keys = ["gender", "place", "text"]
    rows = pd.MultiIndex.from_frame(sentences[keys])
    return {
        subset: np.flatnonzero(rows.isin(pd.MultiIndex.from_frame(read_sentences(subset)[keys])))
        for subset in ("pro", "anti")
    }


def tokens(text: str) -> list[str]:
    """Lower-cased words and punctuation marks of a text.

    Examples
    --------
    >>> tokens("The doctor's here.")
    ['the', "doctor's", 'here', '.']
    """
    return re.findall(r"\w+(?:[\"'״]\w+)?|[^\w\s]", text.lower())


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
    genders : sequence of str
        What was read in the translation of each sentence, one of `GENDERS`.
    sentences : DataFrame, optional
        As `read_sentences`; default all of them.
    stereotypes : mapping, optional
        Places of the sentences that follow a stereotype ("pro") and of those that go against one
        ("anti"): ΔS is asked for, too.
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
