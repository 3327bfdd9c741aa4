"""What the chapter `equalizing` found: made-up translators, the printed tables, the size of the test."""

import json

import pandas as pd
import pytest

from lib.ledger import report_card
from tests.chapters.runs import run_of

PAPER = "font2019_equalizing"


def with_settings(rows):
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


@pytest.fixture(scope="module")
def found():
    return with_settings(run_of("embedded", "equalizing"))


def test_the_score_sees_who_follows_the_sentence_and_not_the_occupation(found):
    made = found.pivot_table("value", "translator", "quantity")
    assert made.loc["always amigo", ["mean accuracy", "changed by her"]].tolist() == [50, 0]
    for name in ("follows the sentence", "right friend, masculine occupation"):
        assert made.loc[name, ["mean accuracy", "changed by her"]].tolist() == [100, 100]
    assert made.loc["right friend, masculine occupation", "occupation changed by her"] == 0


def test_outputs_hardly_follow_the_context_while_the_control_moves_the_odds(found):
    friends = found[(found["quantity"] == "accuracy") & (found["reading"] == "friend")]
    friends = friends.pivot(index="translator", columns="context", values="value")
    assert (friends["her"] < 20).all() and (friends["him"] > 80).all()
    changed = found[found["quantity"] == "change of log odds"].set_index("contexts")
    assert (changed.loc["She − He", "low"] > 0.5).all()
    assert (changed.loc["her − him", "value"] < changed.loc["She − He", "value"].min()).all()


def test_no_printed_gain_is_beyond_chance_and_table_6_is_shifted(found):
    gains = found[found["quantity"] == "mean gain over GloVe, as printed"]
    assert len(gains) == 6 and gains["p"].min() > 0.05
    chances = found[found["quantity"].str.startswith("chance of Table 6")].set_index("of")["value"]
    assert chances["refrigeration mechanic, chance"] < 1e-6 < 0.5 < chances["shifted, chance"]


def test_the_size_of_the_test_is_reproduced():
    card = report_card(run_of("sample", "equalizing"))
    cells = card[(card["paper"] == PAPER) & (card["kind"] == "result")].set_index("claim_id")
    for number in (10, 11, 12):
        assert cells.loc[f"{PAPER}.table2.{number}", "verdict"] == "reproduced"
