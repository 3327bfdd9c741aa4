"""Occupations that become *she*: shares by item, statistics by name, superiority against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.translation.occupations import (
    feminine_shares,
    superiority,
    superiority_interval,
    women_by_item,
)

numbers = st.lists(st.integers(0, 5), min_size=1, max_size=8)


def test_shares_are_those_of_the_sentences_of_an_item():
    outputs = {"a": ["She is so.", "He is so.", "It is so."], "b": ["She is so."]}
    shares = feminine_shares(outputs, {"a": [0, 0, 1], "b": [1]}, ["a", "b"])
    assert shares["a"].tolist() == [0.5, 0]
    assert np.isnan(shares.loc[0, "b"]) and shares.loc[1, "b"] == 1


def test_an_occupation_has_the_share_of_its_first_name_with_one():
    shares = women_by_item({"nurse": 0.9, "smith": 0.1}, {0: ("nurse", "smith"), 1: ("x",), 2: ()})
    assert shares[0] == 0.9 and shares[[1, 2]].isna().all()


@given(numbers, numbers)
def test_superiority_is_how_often_one_value_is_above_the_other(x, y):
    above = np.mean([(a > b) + 0.5 * (a == b) for a in x for b in y])
    assert superiority(x, y) == pytest.approx(above)
    assert superiority(x, y) + superiority(y, x) == pytest.approx(1)


def test_superiority_of_nothing_is_undefined_and_its_interval_holds_the_value():
    assert np.isnan(superiority([], [1]))
    assert np.isnan(superiority_interval([1.0, 2.0], [False, False], 10, rng=0)).all()
    values = np.arange(40) / 40
    chosen = np.arange(40) % 3 == 0
    low, high = superiority_interval(values, chosen, 200, rng=0)
    assert low < superiority(values[chosen], values[~chosen]) < high
    assert (low, high) == superiority_interval(values, chosen, 200, rng=0)
