"""What the chapter `base_pair_stability` found: stored outputs beside the print, and nothing judged on other vectors."""

import json

import numpy as np

from lib.ledger import report_card
from tests.chapters.runs import run_of


def test_minilm_answers_no_printed_number():
    assert (run_of("embedded", "base_pair_stability")["claim_id"] == "").all()


def test_the_notebook_holds_the_printed_kappas_and_public_rows_the_cosines():
    card = report_card(run_of("sample", "base_pair_stability"))
    card = card[(card["paper"] == "zhang2020_base_pairs") & (card["kind"] == "result")]
    tables = card[card["location"].isin([f"Table {number}" for number in range(1, 7)])]
    assert set(tables["verdict"]) == {"as released"} and len(tables) == 243
    verdicts = card.set_index("claim_id")["verdict"]
    for number in (6, 8, 9, 10, 12, 17):  # two cosines, and counts of the analogy test set
        assert verdicts[f"zhang2020_base_pairs.sec7.{number}"] == "reproduced"
    assert set(card["verdict"]) == {"as released", "reproduced", "no result"}


def test_surgeon_has_the_stored_scores():
    found = run_of("sample", "base_pair_stability")
    found = found[found["quantity"] == "score of a word, also in the stored outputs"]
    stored = [json.loads(settings)["stored"] for settings in found["settings"]]
    assert len(found) == 3 and np.allclose(found["value"], stored, rtol=0, atol=1e-7)
