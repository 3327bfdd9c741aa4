"""What the chapter sentence_measures finds, whatever the model of the day says."""

import json

import pandas as pd
import pytest

from studies.sentence_measures.lean_scores import LEAN_SCORES
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells


@pytest.fixture(scope="module")
def rows():
    found = run_of("embedded", "sentence_measures")
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]], index=found.index)
    return found.join(settings).set_index("quantity")


def test_every_two_of_nine_scores_are_compared(rows):
    between = rows.loc["rank correlation of two scores"]
    assert len(between) == 36
    assert between["value"].between(-1, 1).all()
    assert (between["low"] <= between["high"]).all()


def test_the_prior_moves_zero_and_not_the_order_of_words_of_one_piece(rows):
    between = rows.loc["rank correlation of two scores"].set_index(["first", "second"])
    assert between.loc[("log probability bias", "gap: log odds"), "value"] > 0.999


def test_the_interval_of_one_order_asked_twice_holds_it(rows):
    between = rows.loc["rank correlation of two scores"].set_index(["first", "second"])
    twice = between.loc[("log probability bias", "gap: log odds")]
    assert twice["low"] <= twice["value"] <= twice["high"] + 1e-12


def test_every_score_is_checked_on_known_words_and_beside_womens_share(rows):
    names = set(rows.loc["order beside women's share", "system"])
    assert len(names) == 9 == len(LEAN_SCORES) + 2
    assert names == set(rows.loc["AUC of words gendered by definition", "system"])
    assert names == set(rows.loc["p, random words", "system"])


def test_ceat_calls_random_attributes_significant_too_often(rows):
    called = rows.loc["random attributes that CEAT calls significant", "value"]
    assert len(called) == 4 and called.mean() > 0.2


def test_pairs_and_their_twins_are_decided_by_six_rules(rows):
    changes = rows.loc["share of pairs that change sides"]
    assert set(changes["pairs"]) == {"own, negation", "own, rewording"}
    assert changes["rule"].nunique() == 6 and changes["value"].between(0, 1).all()
    for quantity in ("twins that prefer the first", "pairs decided as the gender word alone"):
        kept = rows.loc[f"share of {quantity}"]
        assert len(kept) == 12 and (kept["low"] <= kept["value"]).all()
    assert len(rows.loc["share that would change sides by chance"]) == 12


FEW = {"device": "cpu", "jobs": 8, "known": 3, "frames": 3, "random_pairs": 2, "draws": 20}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "bert-cased"])
def test_a_model_of_few_whole_words_ends_green_with_boxes(kind, tiny_model):
    run = run_cells("sentence_measures", model=str(tiny_model(kind)), **FEW)
    assert "could not be measured" in run.text
    assert "Recorded: " not in run.text


@pytest.mark.slow
def test_a_causal_model_of_few_words_ends_green_with_boxes(tiny_causal_model):
    run = run_cells("sentence_measures", causal=str(tiny_causal_model), **FEW)
    assert "could not be measured" in run.text
