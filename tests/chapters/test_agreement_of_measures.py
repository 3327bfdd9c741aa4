"""What the chapter agreement_of_measures finds."""

import numpy as np

from tests.chapters.runs import run_of

RUN = ("embedded", "agreement_of_measures")


def test_every_number_is_one():
    assert run_of(*RUN)["value"].notna().all()


def test_a_reliability_and_a_correlation_are_at_most_one():
    rows = run_of(*RUN)
    kept = rows[rows["quantity"].isin(["reliability", "rank correlation"])]
    assert len(kept) > 20
    assert (np.abs(kept["value"]) <= 1 + 1e-9).all()


def test_words_gendered_by_definition_are_told_apart():
    rows = run_of(*RUN)
    known = rows[rows["quantity"] == "AUC of words gendered by definition"]
    assert (known["low"] > 0.5).all()
