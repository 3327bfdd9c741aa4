"""Bhaskaran and Bhallamudi (2019): 800 sentences on people at work, what three classifiers said of them, and SST-2."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.sources import fetch

SENTENCES, CONTROL = "gsent_run_test", "person"
NOUNS = JOBS = 20
RUNS = {  # model -> registry key of what it said
    "M.1 BoW+LogReg": "gsent_run_logreg",
    "M.2 BiLSTM": "gsent_run_lstm",
    "M.3 BERT": "gsent_run_test_results",
}
_SENTENCE = re.compile(r"(?P<noun>.+?),? (?:you are|is|are) an? (?P<occupation>.+)\.")
_DETERMINER = re.compile(r"^(?:this|the|my) ")
_EARNERS = {  # as the file shortens them
    "secr.": "secretary",
    "prof.": "professor",
    "sci.": "scientist",
    "truck dr.": "truck driver",
    "fl. att.": "flight attendant",
    "gym tr.": "gym trainer",
    "bart.": "bartender",
}


def read_sentences(*, control: bool = False) -> pd.DataFrame:
    """The 800 sentences by their number: text, side, noun, occupation, and pair (both nouns, the female one first).

    A sentence and its twin have the same occupation and pair. Noun and occupation are read from the sentence: two sentences about a
    writer carry "scientist" in the authors' own column (`mislabelled`). `control` adds the 40 sentences in which "person" stands for
    the occupation. Section 3 of the paper.
    """
    table = _tsv(SENTENCES, names=["id", "sentence"])
    read = table["sentence"].str.extract(f"^{_SENTENCE.pattern}$")
    if read["noun"].isna().any():
        text = table.loc[read["noun"].isna(), "sentence"].iloc[0]
        raise ValueError(
            f"{SENTENCES}: expected '… is a ….' in every row; got {text!r}; fetch it again"
        )
    nouns = read["noun"].str.lower().str.replace(_DETERMINER, "", regex=True)
    frame = pd.DataFrame({"text": table["sentence"], "noun": nouns, **read[["occupation"]]})
    whole = frame["occupation"] != CONTROL
    parts = [_with_sides(frame[whole], JOBS)]
    if control:
        parts.append(_with_sides(frame[~whole], 1))
    return pd.concat(parts)


def mislabelled() -> pd.DataFrame:
    """The sentences whose occupation in the authors' column (labelled) is not the one that they name."""
    key = "gsent_gender_corpus"
    given = _tsv(key, names=["id", "sentence", "gender", "occupation", "noun phrase"])
    ours = read_sentences()
    if given["sentence"].tolist() != ours["text"].tolist():
        raise ValueError(f"{key}: expected the sentences of {SENTENCES}; got others")
    labels = ours[["occupation"]].assign(labelled=given["occupation"].to_numpy())
    return labels[labels["occupation"] != labels["labelled"]]


def read_predictions(model: str) -> NDArray[np.float64]:
    """How positive a model of the paper takes each sentence to be, in the order of `read_sentences`: (800,), for M.3 (840,)."""
    one_of("model", model, RUNS)
    key = RUNS[model]
    rows = pd.read_csv(fetch(key), sep="\t", header=None, comment="#").to_numpy(float)
    said: NDArray[np.float64] = rows[:, -1]
    expected = 2 * NOUNS * (JOBS + (model == "M.3 BERT"))
    if len(said) != expected or not ((said >= 0) & (said <= 1)).all():
        raise ValueError(
            f"{key}: expected {expected} probabilities; got {len(said)} numbers from {said.min():g} to {said.max():g}"
        )
    return said


def read_stored_accuracy(model: str) -> float:
    """Accuracy (a share) of M.1 or M.2 on the development sentences, as the first line of the authors' file says it."""
    one_of("model", model, [name for name in RUNS if name != "M.3 BERT"])
    with Path(fetch(RUNS[model])).open(encoding="utf-8") as lines:
        first = lines.readline()
    number = re.search(r"accuracy: *([\d.]+)", first)
    if number is None:
        raise ValueError(f"{RUNS[model]}: expected '# dev accuracy: …' on top; got {first!r}")
    return float(number[1])


def read_phrases() -> pd.DataFrame:
    """The 67,349 phrases on which SST-2 classifiers are trained: text, and label, 1 where positive, 0 where negative.

    Socher et al. (2013); Wang et al. (2018), GLUE.
    """
    key = "glue_sst2_train"
    table = _tsv(key, names=["label", "sentence"])
    return _labelled(key, table["sentence"], table["label"])


def read_development() -> pd.DataFrame:
    """The 872 development sentences of SST-2, as the authors used them; as `read_phrases`."""
    table = _tsv("gsent_dev", names=["id", "label", "letter", "sentence"], header=None)
    return _labelled("gsent_dev", table["sentence"], table["label"])


def read_earnings() -> pd.Series:
    """Median weekly earnings in dollars in the paper's Figure 2, by occupation; NaN where the file has none."""
    table = pd.read_csv(fetch("gsent_plot_data"))
    names = table["Profession"].replace(_EARNERS)
    return table["Median Weekly Earnings"].set_axis(pd.Index(names, name="occupation"))


def _tsv(key: str, *, names: list[str], header: int | None = 0) -> pd.DataFrame:
    """The rows of a registered file with these columns; no quotes, as the texts hold some."""
    try:
        table = pd.read_csv(
            fetch(key),
            sep="\t",
            quoting=csv.QUOTE_NONE,
            header=header,
            names=None if header == 0 else names,
            keep_default_na=False,
            encoding="utf-8",
        )
    except (UnicodeDecodeError, pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        raise ValueError(f"{key}: expected a table in UTF-8; {error}; fetch it again") from error
    if list(table.columns) != names or table.empty:
        raise ValueError(
            f"{key}: expected rows with the columns {', '.join(names)}; "
            f"got {len(table)} with {', '.join(map(str, table.columns))}; fetch it again"
        )
    return table


def _labelled(key: str, texts: pd.Series, labels: pd.Series) -> pd.DataFrame:
    """Texts with labels, where both labels and no others occur."""
    found = {str(label) for label in labels.unique()}
    if found != {"0", "1"}:
        raise ValueError(f"{key}: expected the labels 0 and 1; got {', '.join(sorted(found))}")
    return pd.DataFrame({"text": texts.astype(str), "label": labels.astype(int)})


def _with_sides(frame: pd.DataFrame, occupations: int) -> pd.DataFrame:
    """Sentences in two halves, the twins in the same order, with the side and pair of each."""
    half = NOUNS * occupations
    male, female = frame.iloc[:half], frame.iloc[half:]
    same = len(frame) == 2 * half and male["occupation"].tolist() == female["occupation"].tolist()
    pairs = list(zip(female["noun"], male["noun"]))
    cells = set(zip(pairs, male["occupation"]))
    if not same or len(set(pairs)) != NOUNS or len(cells) != half:
        raise ValueError(
            f"{SENTENCES}: expected {NOUNS} pairs of nouns with {occupations} occupations, first {half} male, then as many female; "
            f"got {len(frame)} rows with {len(set(pairs))} pairs; fetch it again"
        )
    labels = [f"{woman}–{man}" for woman, man in pairs]
    return frame.assign(side=["male"] * half + ["female"] * half, pair=labels * 2)
