"""The chapter `pronoun_resolution` without files, and with a reader's own."""

from unittest import mock

import nbformat
import numpy as np
import pandas as pd
import pytest

from lib.coreference.scores import by_gender
from studies.pronoun_resolution import released
from tests.support.chapter_runs import run_cells, run_some

COUNTED = ("ratios", "means", "between", "by_labels", "many", "by_change")
TABLE = {
    "feminine": [[40, 10, 9], [5, 31, 3], [5, 7, 8]],
    "masculine": [[44, 7, 2], [2, 48, 6], [2, 3, 6]],
}


def run_with(answers, **parameters):
    """The chapter with another table of answers in its cell to change."""
    read = nbformat.read

    def changed(path, as_version):
        notebook = read(path, as_version=as_version)
        cell = next(cell for cell in notebook.cells if cell.id == "change-me")
        cell.source = f"answered = {answers}"
        return notebook

    with mock.patch("nbformat.read", changed):
        return run_cells("pronoun_resolution", **parameters)


@pytest.fixture(scope="module")
def without():
    """A run without files."""
    return run_cells("pronoun_resolution", resamples=50)


def same_systems(run, other):
    """Whether a run says the same of the released systems."""
    for counted in COUNTED:
        pd.testing.assert_frame_equal(run.namespace[counted], other.namespace[counted])
    return run.namespace["sentences"] == other.namespace["sentences"]


def test_without_files_the_page_shows_what_was_recorded(without):
    assert without.namespace["ratios"]["recorded"].all()
    assert "could not be measured" not in without.text
    of_test = without.namespace["of_test"]
    assert sorted(of_test.index) == ["fine-tuned", "frozen", "place 5, again", "place 9, again"]


def test_a_table_of_answers_is_tested_and_counted_among_no_team_s_systems(without):
    run = run_with(TABLE, resamples=50)
    assert same_systems(run, without)
    assert "**your table**, counted among no team's systems: F1 ratio 0.8" in run.text
    assert run.namespace["picture"].index[-1] == "your table"
    assert len(run.namespace["picture"]) == len(without.namespace["picture"]) + 1


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({}, "there is no table of answers"),
        ({side: np.eye(3, dtype=int).tolist() for side in TABLE}, "20 passages of each gender"),
        ({side: [[40, 0, 0], [40, 0, 0], [10, 0, 0]] for side in TABLE}, "right as often"),
    ],
)
def test_a_table_that_says_nothing_ends_in_a_box(without, answers, why):
    run = run_with(answers, resamples=50)
    assert same_systems(run, without) and why in run.text


def test_a_table_of_another_form_is_refused():
    with pytest.raises(AssertionError, match="expected tables for feminine and masculine"):
        run_with({"female": TABLE["feminine"]}, resamples=50)


@pytest.mark.sample
@pytest.mark.slow
def test_predictions_of_a_reader_are_scored_and_counted_among_no_teams(tmp_path, without):
    passages = released.passages("gap_test")
    noise = np.random.default_rng(0).dirichlet([1, 1, 1], len(passages.ids))
    rows = (noise + 2 * np.eye(3)[passages.answers]) / 3
    frame = pd.DataFrame(rows, columns=["A", "B", "NEITHER"]).assign(ID=passages.ids)
    frame.to_csv(tmp_path / "blend.csv", index=False)
    mine = str(tmp_path / "blend.csv")
    run = run_cells("pronoun_resolution", resamples=50, predictions=mine)
    f1 = by_gender(rows, passages.answers, passages.female).loc["F1"]
    assert f"{f1['overall']:.3f} (" in run.text and "blend (yours), 2,000 passages" in run.text
    assert "**blend (yours)**, counted among no team's systems" in run.text
    assert "log loss" in run.text and "the labels that three teams corrected" in run.text
    assert run.namespace["picture"].index[-1] == "blend (yours)"
    assert same_systems(run, without)


@pytest.mark.sample
def test_a_file_no_better_than_one_answer_is_in_no_picture(tmp_path):
    ids = released.passages("gap_validation").ids
    always = pd.DataFrame({"ID": ids, "A": "TRUE", "B": "FALSE"})
    always.to_csv(tmp_path / "mine.tsv", sep="\t", index=False, header=False)
    cells = ["parameters", "set-up", "change-me", "answers-asked", "ratios-run", "picture-rows"]
    mine = str(tmp_path / "mine.tsv")
    run = run_some("pronoun_resolution", [*cells, "asked-shown"], predictions=mine, resamples=20)
    assert "would be right as often" in run.text and "log loss" not in run.text
    assert "mine (yours)" not in run.namespace["picture"].index
