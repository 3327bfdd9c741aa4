"""Released points: cells against scipy, a planted correlation pooled, and nothing found in noise."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.calibration.predictive.released import cell_correlations, pooled_correlation


def points(slope, *, systems=7, seed=0, vectors=("a", "b")):
    """Points of two tests and metrics: the gap of a system is one number in all tests."""
    rng = np.random.default_rng(seed)
    rows = []
    for kind in vectors:
        for metric in ("Precision", "Recall"):
            lean, noise = rng.standard_normal((2, systems))
            for test in ("6", "7"):
                for number in range(systems):
                    x = lean[number] + 0.1 * rng.standard_normal()
                    y = slope * lean[number] + noise[number]
                    rows.append((kind, number, test, metric, x, y))
    columns = ["vectors", "number", "test", "metric", "effect", "gap"]
    return pd.DataFrame(rows, columns=columns).assign(method=None, copied=False)


@settings(max_examples=15)
@given(seed=st.integers(0, 999))
def test_each_cell_has_scipys_correlation_and_interval(seed):
    table = points(1.0, seed=seed)
    cells = cell_correlations(table)
    assert len(cells) == 8
    first = table[(table["vectors"] == "a") & (table["test"] == "6")]
    first = first[first["metric"] == "Precision"]
    theirs = stats.pearsonr(first["effect"], first["gap"])
    ends = theirs.confidence_interval()
    ours = cells.iloc[0]
    assert (ours["r"], ours["low"], ours["high"]) == pytest.approx(
        (theirs.statistic, ends.low, ends.high)
    )


def test_a_heap_is_counted_and_a_cell_of_one_effect_is_left_out():
    table = points(1.0, vectors=("a",))
    table["effect"] = np.where(table["number"] < 5, 1.82, table["effect"])
    table.loc[table["test"] == "7", "effect"] = 1.0
    cells = cell_correlations(table)
    assert set(cells["test"]) == {"6"} and set(cells["heap"]) == {5}


def test_one_cell_alone_is_pooled_to_itself():
    table = points(1.0, vectors=("a",)).query("test == '6' and metric == 'Recall'")
    cell, pooled = cell_correlations(table).iloc[0], pooled_correlation(table, rng=0)
    assert (pooled.r, pooled.low, pooled.high) == pytest.approx(
        tuple(cell[["r", "low", "high"]]), abs=1e-4
    )
    assert pooled.cells == pooled.studies == 1


def test_more_tests_of_the_same_systems_do_not_narrow_the_interval():
    table = points(1.0)
    more = pd.concat([table, table.assign(test="again " + table["test"])])
    few, many = (pooled_correlation(part, rng=0, n_resamples=9) for part in (table, more))
    assert few.r == pytest.approx(many.r) and few.cells < many.cells
    assert many.high - many.low == pytest.approx(few.high - few.low)


def test_two_studies_that_agree_are_pooled_as_one_mean_of_two_z():
    table = points(1.0, vectors=("a",)).query("test == '6' and metric == 'Recall'")
    twice = pd.concat([table, table.assign(vectors="b")])
    one, two = (pooled_correlation(part, rng=0, n_resamples=9) for part in (table, twice))
    reach = 1.959964 / np.sqrt(2 * (7 - 3))
    z = np.arctanh(one.r)
    assert two.r == pytest.approx(one.r)
    assert (two.low, two.high) == pytest.approx((np.tanh(z - reach), np.tanh(z + reach)), abs=1e-4)


def test_a_strong_dependence_is_found_and_noise_is_not():
    assert pooled_correlation(points(8.0), rng=0, n_resamples=999).pvalue < 0.01
    p = [pooled_correlation(points(0.0, seed=s), rng=s, n_resamples=99).pvalue for s in range(60)]
    assert stats.binomtest(sum(value <= 0.05 for value in p), len(p), 0.05).pvalue > 0.01


def test_too_few_points_are_refused(refuses):
    refuses(lambda: pooled_correlation(points(1.0, systems=3)), ["four points or more", "none"])
