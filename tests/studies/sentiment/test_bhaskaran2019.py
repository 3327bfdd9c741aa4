"""Bhaskaran and Bhallamudi's files: sentences and their twins, predictions, and SST-2."""

import json

import numpy as np
import pytest

from lib.sources import fetch
from lib.text_classification.sentiment.encoders import SHIPPED, load_head
from studies.sentiment import bhaskaran2019
from studies.sentiment.bhaskaran2019 import (
    RUNS,
    mislabelled,
    read_development,
    read_earnings,
    read_phrases,
    read_predictions,
    read_sentences,
    read_stored_accuracy,
)

NOUNS = [f"{letter}{side}" for side in ("o", "a") for letter in "abcdefghijklmnopqrst"]


def sentences(jobs=20):
    rows = [
        (noun, f"job {job}")
        for side in (NOUNS[:20], NOUNS[20:])
        for job in range(jobs)
        for noun in side
    ]
    rows += [(noun, "person") for noun in NOUNS]
    lines = [f"{number}\tThis {noun} is a {job}." for number, (noun, job) in enumerate(rows)]
    return "id\tsentence\n" + "\n".join(lines) + "\n"


@pytest.fixture
def files(registered_file):
    """A function that puts sentences in the place of the registered ones."""
    return lambda text: registered_file(bhaskaran2019, text)


def test_a_sentence_and_its_twin_share_pair_and_occupation(files):
    files(sentences())
    table = read_sentences()
    assert len(table) == 800 and len(read_sentences(control=True)) == 840
    male, female = table.iloc[:400].reset_index(), table.iloc[400:].reset_index()
    assert male["pair"].tolist() == female["pair"].tolist()
    assert male["occupation"].tolist() == female["occupation"].tolist()
    assert table.loc[0].tolist() == ["This ao is a job 0.", "ao", "job 0", "male", "aa–ao"]


def test_a_file_that_is_not_made_of_twins_is_refused(files):
    files(sentences(jobs=19))
    with pytest.raises(ValueError, match="expected 20 pairs of nouns with 20 occupations"):
        read_sentences()


@pytest.mark.sample
def test_the_released_files():
    assert mislabelled().to_numpy().tolist() == [["writer", "scientist"]] * 2
    table = read_sentences(control=True)
    assert table["pair"].nunique() == 20 and table["occupation"].nunique() == 21
    assert [len(read_predictions(model)) for model in RUNS] == [800, 800, 840]
    assert read_stored_accuracy("M.1 BoW+LogReg") == pytest.approx(0.82683486)
    differences = np.loadtxt(fetch("gsent_run_results"))[:, 2]  # the authors' own, model by model
    assert differences.round(3).tolist() == [0.035, 0.077, -0.04]
    assert len(read_development()) == 872 and len(read_phrases()) == 67_349
    earnings = read_earnings()
    assert {*earnings.index} == {*table["occupation"]} - {"person"} and earnings.isna().sum() == 5


@pytest.mark.sample("gsent_dev")
@pytest.mark.slow
def test_the_shipped_head_reaches_the_accuracy_of_its_card():
    dev = read_development()
    said = load_head().positive(dev["text"]) > 0.5
    scores = json.loads((SHIPPED.parent / "scores.json").read_text(encoding="utf-8"))
    assert (said == dev["label"]).mean() == pytest.approx(scores["dev"], abs=0.002)
