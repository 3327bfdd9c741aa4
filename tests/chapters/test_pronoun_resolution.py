"""What the chapter `pronoun_resolution` found: printed cells come out, few ratios differ from 1, a reader's file joins in."""

import json

import numpy as np
import pandas as pd
import pytest

from lib.coreference.scores import by_gender
from lib.ledger import Ledger, report_card
from lib.ledger.claims import ClaimError
from studies.pronoun_resolution import released
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells, run_some

PAPER = "ionita2019_resolving"


@pytest.fixture(scope="module")
def found():
    rows = run_of("sample", "pronoun_resolution")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


def test_at_least_75_results_of_the_paper_are_reproduced():
    card = report_card(run_of("sample", "pronoun_resolution"))
    cells = card[(card["paper"] == PAPER) & (card["kind"] == "result")]
    assert (cells["verdict"] == "reproduced").sum() >= 75
    tables = card[card["claim_id"].str.match(rf"{PAPER}\.table[23]\.")]
    assert len(tables) == 72 and set(tables["verdict"]) == {"reproduced"}


def test_place_5_of_the_overview_comes_out():
    card = report_card(run_of("sample", "pronoun_resolution")).set_index("claim_id")
    assert card.loc["gap_shared_task.table2.14", "verdict"] == "reproduced"


def test_the_test_set_decides_on_which_side_of_one_a_ratio_lies(found):
    means = found[(found["quantity"] == "mean ratio of a part") & (found["score"] == "F1")]
    means = means.set_index("part")
    assert means.loc["GAP test", "high"] < 1
    assert (means["low"].drop("GAP test") < 1).all() and (means["high"].drop("GAP test") > 1).all()


def test_failed_submissions_are_scored_and_named(found):
    ratios = found[(found["quantity"] == "bias ratio") & (found["score"] == "F1")]
    ratios = ratios[ratios["drawn"] == "passages"]
    assert len(ratios) == 44
    assert set(ratios.loc[ratios["failed"].astype(bool), "system"]) == {
        "SVM 0224 1226",
        "mlp 0308 1447",
        "transformer 0308 1332",
        "transformer 0308 1543",
    }


def test_corrections_raise_every_f1_ratio(found):
    changes = found[found["quantity"] == "change of the ratio by corrections"]
    f1 = changes[changes["score"] == "F1"]
    assert len(f1) == 57 and (f1["value"] > 0).all()


def test_the_floor_alone_decides_which_system_wins(found):
    loss = found[
        (found["quantity"] == "log loss in the multiverse") & (found["labels"] == "ionita")
    ]
    loss = loss[loss["place"] != "each"].set_index(["system", "floor"])["value"]
    assert loss["fine-tuned", 0] > loss["frozen", 0] > loss["fine-tuned", 0.005]


def test_a_result_on_other_labels_is_refused_for_a_printed_cell():
    ledger = Ledger("pronoun_resolution", "sample")
    about = {"system": "blend", "of": "f1", "procedure": "the authors' scoring code"}
    with pytest.raises(ClaimError, match="expected the paper's data"):
        ledger.record("ratio", 0.99, claim=f"{PAPER}.table2.36", data="gap_test; liu_x", **about)


def test_without_files_the_page_shows_what_was_recorded():
    run = run_cells("pronoun_resolution", resamples=50)
    assert "recorded in the profile sample" in run.text
    assert run.namespace["f1_ratios"]["recorded"].all()


@pytest.mark.sample
@pytest.mark.slow
def test_predictions_of_a_reader_are_scored_and_counted_among_no_teams(tmp_path):
    passages = released.passages("gap_test")
    noise = np.random.default_rng(0).dirichlet([1, 1, 1], len(passages.ids))
    rows = (noise + 2 * np.eye(3)[passages.answers]) / 3
    frame = pd.DataFrame(rows, columns=["A", "B", "NEITHER"]).assign(ID=passages.ids)
    frame.to_csv(tmp_path / "blend.csv", index=False)
    mine = str(tmp_path / "blend.csv")
    run, without = (
        run_cells("pronoun_resolution", resamples=50, **given)
        for given in ({"predictions": mine}, {})
    )
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
