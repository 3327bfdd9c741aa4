"""What the chapter agreement_of_measures finds."""

import json

import pandas as pd
import pytest

from lib.ledger.results import recorded_rows
from tests.chapters.runs import run_of


def with_settings(found):
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]], index=found.index)
    return found.join(settings).set_index("quantity")


@pytest.fixture(scope="module")
def rows():
    return with_settings(run_of("embedded", "agreement_of_measures"))


def test_measures_agree_more_on_the_same_vectors_than_with_themselves_on_another_half(rows):
    within = rows.loc["rank correlation on the same vectors"]
    within = within[within["first"] != within["second"]]
    half = rows.loc["correlation of halves of the text"]
    assert (half["low"] < half["value"]).all() and (half["value"] < half["high"]).all()
    assert within["value"].median() > half["value"].median()


def test_seeds_repeat_a_score_better_than_another_half_of_the_text(rows):
    seeds = rows.loc["correlation of seeds on one half"].set_index("measure")["value"]
    halves = rows.loc["correlation of halves of the text"].set_index("measure")["value"]
    assert (seeds > halves[seeds.index]).all() and len(seeds) == 6


def test_known_words_are_told_apart_by_every_measure_of_vectors(rows):
    assert (rows.loc["AUC of words gendered by definition", "value"] > 0.8).all()


def test_bare_words_know_no_template():
    kept = with_settings(recorded_rows("agreement_of_measures"))
    distinct = kept.loc["Delobelle, distinct templates"].set_index("vectors")["value"]
    assert (distinct[["no_context", "no_context_pooled", "layers"]] == 1).all()
    assert (distinct[["cls", "word_first", "word_pooled"]] == 11).all()


def test_corrected_correlations_have_intervals_and_some_leave_out_one():
    kept = with_settings(recorded_rows("agreement_of_measures"))
    corrected = kept.loc["corrected for attenuation"]
    corrected = corrected[~corrected[["first", "second"]].eq("log probability bias").any(axis=1)]
    corrected = corrected[corrected["trait"] == "female–male"]
    assert len(corrected) == 15 and (corrected["low"] <= corrected["high"]).all()
    assert corrected["value"].median() > 0.9


def test_reliability_over_five_models_is_less_sure_than_over_twenty_lists():
    kept = with_settings(recorded_rows("agreement_of_measures"))
    one = kept.loc["Delobelle, reliability of one template"]
    width = (one["high"] - one["low"]).groupby(one["what"]).mean()
    assert width["models"] > width["jobs"] > 0
