"""What the chapter `taxonomy` found: the printed numbers come out, the labels had slipped, the crowd agrees little."""

import json

import pandas as pd
import pytest

from lib.ledger import report_card
from tests.chapters.runs import run_of

PAPER = "hitti2019_taxonomy"


@pytest.fixture(scope="module")
def found():
    rows = run_of("sample", "taxonomy")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


def test_at_least_34_results_of_the_paper_are_reproduced():
    card = report_card(run_of("sample", "taxonomy"))
    cells = card[(card["paper"] == PAPER) & (card["kind"] == "result")]
    assert (cells["verdict"] == "reproduced").sum() >= 34
    differs = cells[cells["verdict"] == "differs"]
    assert not differs["reason"].str.contains("no reason is known").any()


def test_labels_belong_twenty_rows_further_down(found):
    moved = found[found["quantity"] == "agreed sentences in the list"].set_index("rows_above")
    assert moved.loc[20, "value"] == 1 and moved["value"].drop(20).max() < 0.5


def test_labels_of_the_second_batch_can_be_learnt_only_when_moved_back(found):
    batches = found[found["quantity"] == "accuracy on the second batch"].set_index("labels")
    assert batches.loc["moved back", "low"] > 0.5
    assert batches.loc["as released", "low"] < 0.5 < batches.loc["as released", "high"]


def test_the_classifier_beats_shuffled_labels(found):
    tested = found[found["quantity"] == "without its book"]
    of_all = tested.set_index(["features", "workers", "score"])
    null = found[found["quantity"] == "accuracy on shuffled labels"].iloc[0]
    assert of_all.loc[("encoder", "all", "accuracy"), "low"] > null["high"]


def test_every_number_is_one_without_downloads():
    assert run_of("embedded", "taxonomy")["value"].notna().all()
