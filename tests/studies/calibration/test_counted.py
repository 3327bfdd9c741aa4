"""What needs no training: the same texts as those of the grid, what their counts give back, and two classifiers."""

import numpy as np
import pytest

from studies.calibration.corpus import Plan, plant
from studies.calibration.counted import SIGNED, UNSIGNED, ceilings, count_block


def test_counts_of_a_long_text_give_the_order_back_with_and_without_the_sign():
    odds = np.linspace(-3, 2.9, 20)
    corpus = plant(odds, Plan(sentences=20_000, types=100, imbalance=-1.0), rng=0)
    found = ceilings(corpus)
    assert found[SIGNED] > 0.98 and found[UNSIGNED] > 0.95


def test_a_block_has_a_row_for_each_text_and_kind_of_order():
    rows = count_block("short_text", range(2))
    assert rows.groupby("measure").size().to_dict() == {SIGNED: 2, UNSIGNED: 2}
    assert rows["value"].between(0.5, 1).all() and set(rows["seed"]) == {0, 1}


def test_where_nothing_is_planted_classifiers_are_tested():
    rows = count_block("nothing", range(1))
    assert set(rows["measure"]) == {"TPR gap", "TPR gap, blind"}
    assert rows["value"].between(0, 1).all() and set(rows["statistic"]) == {"p, shuffled genders"}


def test_a_condition_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="condition"):
        count_block("nowhere", range(1))
