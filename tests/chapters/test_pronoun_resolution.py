"""The chapter `pronoun_resolution` without files, and with a reader's own."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.scores import by_gender
from studies.pronoun_resolution import released
from tests.support.chapter_runs import run_cells, run_some


@pytest.fixture(scope="module")
def without():
    """A run without files."""
    return run_cells("pronoun_resolution", resamples=50)


def test_without_files_the_page_shows_what_was_recorded(without):
    assert "recorded in the profile sample" in without.text
    assert without.namespace["f1_ratios"]["recorded"].all()


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
    assert f"{f1['overall']:.3f} (" in run.text and "blend (yours) on GAP test" in run.text
    assert f"**Your file**, blend (yours), has F1 {f1['overall']:.3f}" in run.text
    assert run.namespace["pictured"]["system"].iloc[-1] == "blend (yours)"
    for counted in ("f1_ratios", "corrected", "changes", "near", "scores"):
        pd.testing.assert_frame_equal(run.namespace[counted], without.namespace[counted])
    assert run.namespace["sentences"][:3] == without.namespace["sentences"][:3]


@pytest.mark.sample
def test_a_file_no_better_than_one_answer_is_in_no_picture(tmp_path):
    ids = released.passages("gap_validation").ids
    always = pd.DataFrame({"ID": ids, "A": "TRUE", "B": "FALSE"})
    always.to_csv(tmp_path / "mine.tsv", sep="\t", index=False, header=False)
    cells = [
        *("parameters", "effective-parameters", "imports", "read-systems", "interval-text"),
        *("score-systems", "read-results", "own-scores", "own-scores-shown"),
    ]
    mine = str(tmp_path / "mine.tsv")
    run = run_some("pronoun_resolution", cells, predictions=mine, resamples=20)
    assert "would be right as often" in run.text and "log loss" not in run.text
    assert run.namespace["pictured"] is run.namespace["f1_ratios"]
