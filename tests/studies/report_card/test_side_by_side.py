"""Printed numbers beside ours: one unit, correlation and slope, the file for programs."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from lib.ledger import claims, report_card
from lib.ledger.results import RESULT_COLUMNS
from studies.report_card.side_by_side import agreement, as_json, side_by_side

CLAIM = "zhang2020_base_pairs.table2.2"


@pytest.fixture(scope="module")
def card():
    """A card with one number that was read from the authors' file."""
    claim = claims.row(CLAIM)
    settings = {**claims.subject(claim), "procedure": "as released"}
    value = claims.printed(CLAIM)
    row = {
        **dict.fromkeys(RESULT_COLUMNS, ""),
        "chapter": claim["chapter"],
        "profile": "sample",
        "quantity": "as printed",
        "claim_id": CLAIM,
        "value": value,
        "low": value - 0.1,
        "high": value + 0.1,
        "settings": json.dumps(settings),
        "data": f"{claim['released'].split('|')[0]}@sha256:ab12",
    }
    return report_card(pd.DataFrame([row]))


def test_both_numbers_are_in_the_unit_that_is_printed(card):
    (row,) = side_by_side(card).to_dict("records")
    claim = claims.row(CLAIM)
    scale = float(claim["value"]) / claims.printed(CLAIM)
    assert row["claim_id"] == CLAIM and row["verdict"] == "as released"
    assert row["printed number"] == float(claim["value"])
    assert row["ours"] == pytest.approx(float(claim["value"]))
    assert row["high"] - row["low"] == pytest.approx(0.2 * scale)
    assert (
        row["metric"] == claim["metric"].replace("_", " ") and row["metric"] not in row["subject"]
    )


def test_correlation_and_slope_are_those_of_least_squares():
    rng = np.random.default_rng(0)
    ours = rng.standard_normal(50)
    printed = 0.5 * ours + rng.standard_normal(50)
    line = agreement(pd.Series(printed), pd.Series(ours))
    assert line.slope == pytest.approx(np.polyfit(ours, printed, 1)[0])
    assert line.correlation == pytest.approx(np.corrcoef(ours, printed)[0, 1])


def test_the_file_for_programs_has_every_printed_number_with_what_was_found(card):
    split = json.loads(as_json(card))
    objects = [dict(zip(split["columns"], row)) for row in split["data"]]
    read = pd.read_json(io.StringIO(as_json(card)), orient="split")
    assert list(read.columns) == split["columns"] and len(read) == len(card)
    objects = {entry["claim_id"]: entry for entry in objects}
    assert list(objects) == card.claim_id.tolist()
    entry = objects[CLAIM]
    assert entry["ours"] == claims.printed(CLAIM) and len(entry["interval"]) == 2
    assert entry["verdict"] == "as released" and entry["inputs"][0].endswith("@sha256:ab12")
    empty = next(entry for entry in objects.values() if entry["verdict"] == "no result")
    assert empty["ours"] is None and empty["interval"] is None and empty["inputs"] == []
