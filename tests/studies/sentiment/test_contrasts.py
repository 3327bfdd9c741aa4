"""Differences between twin sentences: closed forms, what random pairs and occupations do, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studies.sentiment.contrasts import (
    crossed_test,
    differences,
    flip_p,
    twin_test,
)


def sentences(pairs=("she–he", "widow–widower"), jobs=("baker", "chef", "pilot")):
    rows = [(pair, side, job) for side in ("male", "female") for job in jobs for pair in pairs]
    return pd.DataFrame(rows, columns=["pair", "side", "occupation"])


def test_differences_are_female_minus_male_whatever_the_order_of_rows():
    rows = sentences().assign(said=np.arange(12.0))
    table = differences(rows, rows["said"])
    assert (table == 6).all(axis=None) and table.shape == (2, 3)
    mixed = rows.sample(frac=1, random_state=0)
    pd.testing.assert_frame_equal(
        differences(mixed, mixed["said"]).loc[table.index, table.columns], table
    )


def test_with_one_effective_side_the_crossed_test_is_the_t_test_on_its_means():
    means = np.array([0.3, -0.1, 0.2, 0.4, 0.1])
    table = means[:, None] + np.zeros((5, 20))
    expected = stats.ttest_1samp(means, 0)
    found = crossed_test(table)
    assert (found.statistic, found.pvalue, found.df) == pytest.approx(
        (expected.statistic, expected.pvalue, 4)
    )


def test_a_null_with_pairs_and_occupations_is_rejected_as_often_as_the_level_says():
    rng = np.random.default_rng(0)
    rejected = {"crossed": 0, "twins": 0}
    for _ in range(400):
        table = rng.normal(size=(12, 1)) + rng.normal(size=(1, 12)) + rng.normal(size=(12, 12))
        rejected["crossed"] += crossed_test(table).pvalue < 0.05
        rejected["twins"] += twin_test(table).pvalue < 0.05
    assert rejected["crossed"] < 0.09 * 400 and rejected["twins"] > 0.3 * 400


@given(st.lists(st.floats(-1, 1).filter(lambda x: abs(x) > 1e-3), min_size=2, max_size=8))
def test_exchanging_nouns_is_exact_and_does_not_know_a_sign(means):
    table = np.array(means)[:, None]
    p = flip_p(table)
    assert 2 / 2 ** len(means) <= p + 1e-12 <= 1 + 1e-12 and p == flip_p(-table)
    assert p * 2 ** len(means) == pytest.approx(round(p * 2 ** len(means)))
