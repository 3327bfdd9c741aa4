"""Variants on planted texts: the fair answer is known."""

import pandas as pd
import pytest

from studies.biographies.comparison import (
    SIGNALS,
    Size,
    averages,
    compare,
    compare_networks,
    differences,
    over_seeds,
    recorded_networks,
)
from studies.biographies.variants import gender_lists

SMALL = Size(taught=500, asked=1500, seeds=2, draws=1, n_resamples=60)


@pytest.fixture(scope="module")
def results(few_occupations, vocabulary) -> pd.DataFrame:
    signals = {name: SIGNALS[name] for name in ("none", "explicit words")}
    return compare(*vocabulary, gender_lists(), few_occupations, signals=signals, size=SMALL)


def test_no_gap_where_none_is_planted_and_one_where_words_tell(results):
    table = averages(results).set_index(["signal", "variant", "measure"])
    gap = table["value"].xs("TPR gap", level="measure")
    fair = table["null high"].xs("TPR gap", level="measure")
    assert (gap["none"] < fair["none"] * 1.2).all()
    assert gap["explicit words", "plain"] > 2 * fair["explicit words", "plain"]
    for blind in ("scrubbed", "strongly debiased"):
        assert gap["explicit words", blind] < fair["explicit words", blind] * 1.2
    assert gap["explicit words", "random direction and sets"] > 2 * fair["explicit words", "plain"]


def test_an_interval_over_seeds_is_that_of_students_t():
    rows = dict(signal="s", variant="plain", measure="TPR gap", fair=0.1)
    runs = pd.DataFrame([rows | {"value": v, "null high": 0.2} for v in (0.3, 0.4, 0.5)])
    (row,) = over_seeds(runs).to_dict("records")
    reach = 4.302653 * 0.1 / 3**0.5  # t of 2 degrees of freedom at .975
    assert row["value"] == pytest.approx(0.4) and row["excess"] == pytest.approx(0.3)
    assert row["high"] - row["value"] == pytest.approx(reach, rel=1e-6)
    assert row["excess low"] == pytest.approx(0.3 - reach, rel=1e-6)


def test_every_variant_of_each_kind_of_words_has_the_same_seeds():
    runs = recorded_networks()
    seeds = runs.groupby(["signal", "variant"])["seed"].agg(set)
    assert {*runs["signal"]} == {*SIGNALS} - {"all three"}
    assert all(there == {*runs["seed"]} for there in seeds)
    change = differences(runs, "strongly debiased", "plain")
    assert (change["low"] < change["value"]).all() and change["p"].between(0, 1).all()


def test_a_network_is_measured_as_the_linear_classifier_is(few_occupations, vocabulary):
    small = Size(taught=60, asked=120, n_resamples=20)
    given = (*vocabulary, gender_lists(), few_occupations)
    part = next(compare_networks(*given, signal="none", seeds=[3], size=small))
    assert part["measure"].tolist() == ["accuracy", "TPR gap", "TNR gap", "probe"]
    assert set(part["signal"]) == {"none"} and set(part["seed"]) == {3}
