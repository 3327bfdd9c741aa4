"""The readers of what Hitti et al. released: what they give, and what they say of a file that is not so."""

from functools import partial

import pandas as pd
import pytest

from studies.taxonomy import hitti2019
from studies.taxonomy.hitti2019 import BOOKS, FILTERS
from tests.support.mutations import not_worded

HEADER = ["Sentences", *FILTERS, "Final candidates"]
QUESTION = (
    "please_identify_if_the_sentence_is_a_gender_generalization_refer_to_the_rules_provided_above"
)
CROWD = ["_golden", "_trusted_judgments", QUESTION, f"{QUESTION}:confidence", "sentence", "source"]


def table(path, header, rows, separator=","):
    lines = [separator.join(header), *(separator.join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def export(path, rows):
    return table(path, CROWD, rows)


YES, NO = "gender_generalization", "not_a_gender_generalization"
SLIPPED = [
    ["FALSE", "3", YES, "1", "A scout obeys.", "boy scouts"],
    ["FALSE", "3", YES, "1", "", ""],
    ["FALSE", "3", NO, "0.6", "", "First of the second batch."],
    ["TRUE", "70", NO, "1", "A test question.", "Second of the second batch."],
]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_log_is_read_with_either_separator(tmp_path, separator):
    rows = [["He who asks.", "1", "1", "1", "1", "1", "1"], ["Rain.", "0", "0", "0", "0", "0", "0"]]
    log = hitti2019.read_filter_log("honey", table(tmp_path / "log", HEADER, rows, separator))
    assert list(log) == ["sentence", *FILTERS.values(), "candidate"]
    assert log["candidate"].tolist() == [True, False]


def test_accents_that_were_encoded_twice_are_repaired_and_others_left():
    twice = "Fort Verchères, § 3".encode().decode("cp1252")
    assert hitti2019.repaired(twice) == "Fort Verchères, § 3"
    assert hitti2019.repaired("Fort Verchères") == "Fort Verchères"
    assert hitti2019.repaired("ï»¿The book") == "The book"


def test_sentences_of_the_second_batch_go_back_to_their_labels(tmp_path):
    rows = hitti2019.read_crowd(export(tmp_path / "crowd", SLIPPED))
    second = rows[rows["batch"] == 2]
    assert second["sentence"].tolist() == [
        "First of the second batch.",
        "Second of the second batch.",
    ]
    assert second["label"].tolist() == ["generalisation", "none"]


BAD_LOGS = {
    "columns": ("Sentences,Coreference\nA.,1\n", "is missing"),
    "cells": (",".join(HEADER) + "\nA,b.,1,1,1,1,1,1\n", "expected 7 cells in row 1, got 8"),
}


@pytest.mark.parametrize("name", BAD_LOGS)
def test_a_bad_log_is_named(tmp_path, name):
    text, message = BAD_LOGS[name]
    path = tmp_path / "log"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        hitti2019.read_filter_log("honey", path)


@pytest.mark.sample
def test_the_released_files_have_the_counts_of_the_paper():
    logs = {book: hitti2019.read_filter_log(book) for book in BOOKS}
    assert sum(map(len, logs.values())) == 55_965
    assert sum(log["candidate"].sum() for log in logs.values()) == 1627
    for book, log in logs.items():
        passes = log[list(FILTERS.values())].all(axis=1)
        assert (passes == log["candidate"]).all()
        assert log["candidate"].sum() == len(hitti2019.read_candidates(book))
    crowd = hitti2019.read_crowd()
    assert (crowd["label"] == "generalisation").sum() == 808
    assert crowd["test_question"].sum() == 20 and (crowd["sentence"] != "").all()
    assert len(hitti2019.read_confident_labels()) == 636 and len(hitti2019.read_expert()) == 180


@pytest.mark.parametrize("name", ["log", "candidates", "crowd", "confident", "expert.xlsx"])
def test_a_damaged_file_gives_rows_or_a_named_error(tmp_path, name):
    path, n = tmp_path / name, 300
    if name == "log":
        rows = [["He who asks.", *"111111"], ["Rain.", *"000000"]]
        read = partial(hitti2019.read_filter_log, "honey")
        table(path, HEADER, rows)
    elif name == "candidates":
        path.write_text("He who asks.\nA scout obeys his leader, café.\n", encoding="utf-8")
        read = partial(hitti2019.read_candidates, "honey")
    elif name == "crowd":
        read = hitti2019.read_crowd
        export(path, SLIPPED)
    elif name == "confident":
        read = hitti2019.read_confident_labels
        table(path, ["label", "sentence"], [["1", "He asks."], ["0", "Rain."]])
    else:
        read, n = hitti2019.read_expert, 150
        pd.DataFrame([[1, "He asks."], [0, "Rain."]]).to_excel(path, header=False, index=False)
    assert not_worded(lambda mutant: read(path=mutant), path, n) == []
