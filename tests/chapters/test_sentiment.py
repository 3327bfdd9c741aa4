"""What the chapter `sentiment` found: the printed numbers come out, and no difference outlives other nouns."""

import json

import pandas as pd
import pytest

from lib.ledger import Ledger, report_card
from lib.ledger.claims import ClaimError
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells

PAPER = "bhaskaran2019_sentiment"
MODELS = ["M.1 BoW+LogReg", "M.2 BiLSTM", "M.3 BERT"]


@pytest.fixture(scope="module")
def found():
    rows = run_of("sample", "sentiment")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


def test_32_results_of_the_paper_are_reproduced_and_one_is_as_released():
    card = report_card(run_of("sample", "sentiment"))
    cells = card[(card["paper"] == PAPER) & (card["kind"] == "result")].set_index("claim_id")
    counts = cells["verdict"].value_counts()
    assert counts.to_dict() == {"reproduced": 32, "as released": 1, "no result": 1}
    assert cells.loc[f"{PAPER}.table1.3", "verdict"] == "as released"
    assert cells.loc[f"{PAPER}.table1.5", "verdict"] == "no result"


def test_the_papers_test_rejects_three_times_and_none_is_left_when_nouns_vary(found):
    p = found[found["quantity"] == "p of the difference"].set_index(["test", "system"])["value"]
    assert (p["each twin by itself"][MODELS] < 0.01 / 3).all()
    assert (p["nouns and occupations"][MODELS] > 0.1).all()
    assert (p["nouns of a pair exchanged"][MODELS] > 0.1).all()


def test_the_parts_of_m1_sum_to_its_difference(found):
    parts = found[found["quantity"] == "part of the difference"]["value"]
    gap = found[found["quantity"] == "largest gap to the stored probabilities"]["value"].item()
    assert len(parts) == 60 and gap < 2e-4
    assert parts.sum() == pytest.approx(0.0346, abs=1e-4)
    beyond = found[found["quantity"] == "accuracy beyond the stored one"]["value"].item()
    assert beyond == pytest.approx(0, abs=1e-12)


def test_a_result_on_our_own_sentences_is_refused_for_a_printed_number():
    ledger = Ledger("sentiment", "sample")
    about = {"system": "M.3 BERT", "procedure": "mean difference of twin sentences"}
    with pytest.raises(ClaimError, match="expected the paper's data"):
        data = "gsent_run_test; minilm@0"
        ledger.record("difference", -0.04, claim=f"{PAPER}.table1.6", data=data, **about)


def test_names_leave_no_difference_where_nouns_do(found):
    value = found.set_index("quantity")["value"]
    assert value["p of names"] > 0.05
    p = found[found["quantity"] == "p of the difference"].set_index(["test", "system"])["value"]
    assert p["nouns and occupations", "minilm with a linear head"] < 0.01


def test_one_noun_is_significant_for_the_papers_test(found):
    p = found[found["quantity"] == "p of the difference"].set_index(["test", "system"])["value"]
    assert p["each twin by itself", "opinion lexicon"] < 0.001
    assert p["nouns of a pair exchanged", "opinion lexicon"] == 1


def test_every_kind_of_vectors_has_five_networks(found):
    networks = found[found["quantity"] == "difference of a network"]
    assert networks.groupby("vectors").size().to_dict() == {"glove_6b_50d_5k": 5, "minilm": 5}


@pytest.mark.slow
def test_without_files_the_page_is_whole():
    run = run_cells("sentiment", frames=1, jobs_of_names=1)
    assert "What you will take away" in run.text and "as praise and blame should" in run.text


@pytest.mark.slow
def test_an_unknown_part_is_refused():
    with pytest.raises(AssertionError, match="parts: expected one of released"):
        run_cells("sentiment", parts=["nothing"])
