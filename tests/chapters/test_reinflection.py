"""What the chapter `reinflection` found: the printed numbers come out; what is left without punctuation; which text was looked at."""

import json

import pandas as pd
import pytest

from lib.ledger import report_card
from tests.chapters.runs import run_of

PAPER = "habash2019_arabic"


@pytest.fixture(scope="module")
def found():
    rows = run_of("sample", "reinflection")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


def test_every_number_of_the_embedded_run_is_one():
    assert run_of("embedded", "reinflection")["value"].notna().all()


@pytest.mark.sample
def test_at_least_23_of_24_cells_of_bleu_come_out():
    card = report_card(run_of("sample", "reinflection"))
    cells = card[(card["paper"] == PAPER) & (card["kind"] == "result")]
    assert (cells[cells["location"] == "Table 5"]["verdict"] == "reproduced").sum() >= 23
    rules = cells["claim_id"].isin([f"{PAPER}.table4.{n}" for n in (1, 2, 3, 13, 14, 15)])
    assert (cells[rules]["verdict"] == "reproduced").all()
    differs = cells[cells["verdict"] == "differs"]
    assert not differs["reason"].str.contains("no reason is known").any()


@pytest.mark.sample
def test_models_that_learn_lie_within_two_points_of_the_print(found):
    card = report_card(run_of("sample", "reinflection")).set_index("claim_id")
    table = found[found["claim_id"].str.startswith(f"{PAPER}.table4")]
    for row in table.itertuples():
        printed = float(card.loc[row.claim_id, "printed"].split()[0])
        assert abs(100 * row.value - printed) < 2.5, row.claim_id


@pytest.mark.sample
def test_copying_has_one_half_of_the_words_and_two_steps_answer_one_text_in_two_ways(found):
    words = found[(found["quantity"] == "score") & (found["measure"] == "words")]
    copied = words[(words["system"] == "Baseline") & (words["given"] == "arabic")]
    assert (copied["value"] == 0.5).all()
    twice = found[found["quantity"] == "pairs answered in two ways"].set_index("system")
    assert (twice.loc["Single", "value"] == 0).all() and (twice.loc["Two Step", "value"] > 40).all()


@pytest.mark.sample
def test_without_punctuation_nothing_is_left_of_the_masculine_gain(found):
    gains = found[(found["quantity"] == "gain in BLEU") & (found["split"] == "test")]
    gains = gains.set_index(["target", "scored"])
    assert gains.loc[("M", "all sentences"), "low"] > 0
    assert gains.loc[("M", "without punctuation"), "low"] < 0
    assert gains.loc[("F", "without punctuation"), "low"] > 0
