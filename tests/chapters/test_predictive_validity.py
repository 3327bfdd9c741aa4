"""What the chapter `predictive_validity` finds: the planted dependence, its null, and what the released points can say."""

import json

import pandas as pd
import pytest

from tests.chapters.runs import run_of


def settled(profile, quantity):
    """The results of a quantity with their settings as columns."""
    found = run_of(profile, "predictive_validity")
    rows = found[found["quantity"] == quantity]
    return (
        pd.json_normalize(rows["settings"].map(json.loads))
        .set_index(rows.index)
        .join(rows[["value", "low", "high", "n"]])
    )


def test_a_planted_dependence_is_found_and_exchanged_gaps_are_not():
    found = settled("embedded", "share found")
    of_resolver = found[(found["gap"] == "coreference") & (found["points"] == 30)]
    share = of_resolver.set_index("design")["value"]
    assert share["both"] > 0.95
    exchanged = found.loc[found["design"] == "gaps exchanged", "value"]
    assert exchanged.between(0.03, 0.08).all()


def test_as_trained_no_score_goes_beyond_the_search_for_one():
    found = run_of("embedded", "predictive_validity").set_index("quantity")["value"]
    assert found["largest r between corpora"] < found["95 % point of the largest r by chance"]


def test_the_rows_computed_on_the_page_are_those_recorded():
    live = settled("embedded", "live")
    recorded = settled("embedded", "correlation, forced")
    assert live["corpus"].nunique() == 3 and len(recorded) == 12


def test_released_correlations_are_as_wide_as_seven_points_make_them():
    found = settled("sample", "correlation, released")
    coref = found[found["task"] == "coreference"]
    assert len(coref) == 12 and set(coref["n"]) == {7}
    assert ((coref["high"] - coref["low"]) > 0.8).all()
    pooled = settled("sample", "pooled correlation, released").set_index(["task", "points"])
    row = pooled.loc[("coreference", "without copies")]
    assert row["value"] == pytest.approx(0.44, abs=0.01) and row["low"] < 0 < row["high"]
