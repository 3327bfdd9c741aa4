"""Bhaskaran and Bhallamudi's files: sentences and their twins, predictions, and SST-2."""

import json

import pytest

from lib.text_classification.sentiment.encoders import SHIPPED, load_head
from lib.text_classification.sentiment.lexicons import Vader, opinion_lexicon, valued_words
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
    read_stored_tests,
)

NOUNS = [f"{letter}{side}" for side in ("o", "a") for letter in "abcdefghijklmnopqrst"]


def sentences(jobs=20, control=True):
    rows = [
        (noun, f"job {job}")
        for side in (NOUNS[:20], NOUNS[20:])
        for job in range(jobs)
        for noun in side
    ]
    rows += [(noun, "person") for noun in NOUNS] if control else []
    lines = [f"{number}\tThis {noun} is a {job}." for number, (noun, job) in enumerate(rows)]
    return "id\tsentence\n" + "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A function that puts texts in the place of registered files."""

    def write(**texts):
        for key, text in texts.items():
            (tmp_path / key).write_bytes(text if isinstance(text, bytes) else text.encode())

    monkeypatch.setattr(bhaskaran2019, "fetch", lambda key: tmp_path / key)
    return write


def test_a_sentence_and_its_twin_share_pair_and_occupation(files):
    files(gsent_run_test=sentences())
    table = read_sentences()
    assert len(table) == 800 and len(read_sentences(control=True)) == 840
    male, female = table.iloc[:400].reset_index(), table.iloc[400:].reset_index()
    assert male["pair"].tolist() == female["pair"].tolist()
    assert male["occupation"].tolist() == female["occupation"].tolist()
    assert table.loc[0].tolist() == ["This ao is a job 0.", "ao", "job 0", "male", "aa–ao"]


@pytest.mark.parametrize(
    "text, message",
    [
        (b"", "gsent_run_test: expected a table in UTF-8"),
        (b"id\tsentence\n", "got 0 with id, sentence"),
        (b"id,sentence\n0,x\n", "expected rows with the columns id, sentence"),
        ("id\tsentence\n0\tElle est née.\n".encode("latin-1"), "expected a table in UTF-8"),
        (b"id\tsentence\n0\tNo job here.\n", "expected '… is a …\\.'"),
        (sentences(jobs=19).encode(), "expected 20 pairs of nouns with 20 occupations"),
        (
            sentences(control=False).replace("ba is", "aa is", 1).encode(),
            "with 21 pairs",
        ),
    ],
)
def test_a_file_that_is_not_made_of_twins_is_refused(files, text, message):
    files(gsent_run_test=text)
    with pytest.raises(ValueError, match=message):
        read_sentences()


@pytest.mark.parametrize(
    "texts, read, message",
    [
        ({"gsent_run_logreg": "# dev accuracy: 0.8\n0.5\n"}, "M.1 BoW+LogReg", "got 1 numbers"),
        ({"gsent_run_logreg": "2.0\n" * 800}, "M.1 BoW+LogReg", "from 2 to 2"),
        ({}, "M.4", "model: expected one of M.1"),
    ],
)
def test_predictions_are_probabilities_of_all_sentences(files, texts, read, message):
    files(**texts)
    with pytest.raises(ValueError, match=message):
        read_predictions(read)


def test_a_file_without_its_accuracy_is_refused(files):
    files(gsent_run_lstm="0.5\n")
    with pytest.raises(ValueError, match="expected '# dev accuracy"):
        read_stored_accuracy("M.2 BiLSTM")


@pytest.mark.parametrize(
    "text, message",
    [
        ("label\tsentence\n1\tgood\n", "expected the labels 0 and 1; got 1"),
        ("label\tsentence\n1\tgood\n0\tbad\n2\tfair\n", "got 0, 1, 2"),
        ("sentence\tlabel\ngood\t1\n", "expected rows with the columns label, sentence"),
    ],
)
def test_phrases_need_both_labels(files, text, message):
    files(glue_sst2_train=text)
    with pytest.raises(ValueError, match=message):
        read_phrases()


def test_phrases_keep_quotes_and_lose_carriage_returns(files):
    files(glue_sst2_train='label\tsentence\r\n1\t"good\r\n0\tnull\r\n')
    assert read_phrases()["text"].tolist() == ['"good', "null"]


@pytest.mark.sample
def test_the_released_files():
    assert mislabelled().to_numpy().tolist() == [["writer", "scientist"]] * 2
    table = read_sentences(control=True)
    assert table["pair"].nunique() == 20 and table["occupation"].nunique() == 21
    assert [len(read_predictions(model)) for model in RUNS] == [800, 800, 840]
    assert read_stored_accuracy("M.1 BoW+LogReg") == pytest.approx(0.82683486)
    assert read_stored_tests()["difference"].round(3).tolist() == [0.035, 0.077, -0.04]
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


@pytest.mark.sample("nltk_opinion_lexicon", "gsent_run_test")
def test_one_noun_of_forty_has_a_value_in_the_opinion_lexicon():
    texts = read_sentences()["text"].tolist()
    assert valued_words(opinion_lexicon(), texts) == {"spinster": -1.0}
    assert valued_words(Vader(), texts) == {}
