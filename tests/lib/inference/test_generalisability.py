"""Variance components of three crossed facets, and what a mean over them would keep."""

import numpy as np
import pandas as pd
import pytest

from lib.inference.generalisability import (
    generalisability,
    generalisability_interval,
    three_way_components,
)

SIZES = (2000, 6, 5)


def made(occupation=1.0, by_beginning=0.5, by_pair=0.8, rest=0.6, seed=0):
    rng = np.random.default_rng(seed)
    n, b, p = SIZES
    parts = [
        occupation * rng.normal(size=(n, 1, 1)),
        by_beginning * rng.normal(size=(n, b, 1)),
        by_pair * rng.normal(size=(n, 1, p)),
        rest * rng.normal(size=(n, b, p)),
    ]
    return sum(parts)


def test_components_are_those_that_the_scores_were_made_of():
    found = three_way_components(made())
    parts = ["occupation", "occupation × beginning", "occupation × pair", "rest"]
    assert found[parts].tolist() == pytest.approx([1.0, 0.25, 0.64, 0.36], rel=0.1)
    assert found[["beginning", "pair", "beginning × pair"]].max() < 0.01


def test_components_of_a_small_table_by_hand():
    # two occupations, two beginnings, two pairs; all effects of the occupation, one of a beginning
    table = np.zeros((2, 2, 2))
    table[1] += 2
    table[:, 1] += 4
    found = three_way_components(table)
    assert found.to_dict() == {
        "occupation": 2.0,
        "beginning": 8.0,
        "pair": 0.0,
        "occupation × beginning": 0.0,
        "occupation × pair": 0.0,
        "beginning × pair": 0.0,
        "rest": 0.0,
    }
    assert generalisability(found) == 1


def test_more_beginnings_and_pairs_keep_more_and_by_the_formula():
    parts = pd.Series(
        {"occupation": 1.0, "occupation × beginning": 1.0, "occupation × pair": 2.0, "rest": 4.0}
    )
    assert generalisability(parts) == pytest.approx(1 / 8)
    assert generalisability(parts, 2, 4) == pytest.approx(1 / (1 + 0.5 + 0.5 + 0.5))


def test_an_interval_holds_its_value_and_what_a_column_adds_to_all_changes_nothing():
    table = made()[:80]
    value = generalisability(three_way_components(table), 6, 5)
    low, high = generalisability_interval(table, 6, 5, n_resamples=100, rng=0)
    assert low < value < high
    moved = table + np.arange(6)[:, None] + 3 * np.arange(5)
    assert generalisability(three_way_components(moved), 6, 5) == pytest.approx(value)


@pytest.mark.parametrize("shape", [(3, 2), (1, 2, 2), (3, 1, 2)])
def test_tables_that_leave_nothing_to_compare_are_refused(shape):
    with pytest.raises(ValueError, match="two or more of each"):
        three_way_components(np.zeros(shape))
