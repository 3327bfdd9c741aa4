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
    one_less_the_others,
    pair_tests,
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


def test_ranks_over_pairs_are_wilcoxons_exact_test_and_the_mean_is_that_of_exchanged_nouns():
    means = np.array([0.3, -0.1, 0.25, 0.4, 0.12, -0.05, 0.07])
    found = pair_tests(means)
    assert found.loc["ranks", "p"] == pytest.approx(stats.wilcoxon(means, method="exact").pvalue)
    assert found.loc["mean", "p"] == flip_p(means[:, None])
    assert found.loc["mean", "value"] == pytest.approx(means.mean())
    assert (found["smallest p"] == 2 / 2**7).all() and (found["n"] == 7).all()
    assert found["low"].to_numpy() == pytest.approx(-found["high"].to_numpy())


def test_pairs_without_a_difference_do_not_count_and_one_odd_pair_moves_the_ranks_less():
    even = [0.02, 0.04, 0.01, 0.03, 0.05, 0.02, 0.03]
    assert pair_tests([*even, 0.0]).loc["ranks", "n"] == 7
    odd = pair_tests([*even, -0.4])
    assert np.sign(odd["value"]).tolist() == [-1, 1] and odd.loc["mean", "p"] == 1


def test_with_more_than_20_pairs_ways_to_exchange_nouns_are_drawn_and_p_is_never_0():
    found = pair_tests(np.linspace(0.1, 1, 23), draws=199, rng=0)
    assert (found["p"] == 1 / 200).all() and (found["smallest p"] == 1 / 200).all()


def test_of_one_pair_nothing_could_be_shown_and_of_none_nothing_is_said():
    assert (pair_tests([0.3])[["p", "smallest p"]] == 1).all(axis=None)
    assert (pair_tests([0.0, 0.0])["p"] == 1).all()
    for wrong in ([], [[0.1]], [np.nan]):
        with pytest.raises(ValueError, match="a finite number a pair"):
            pair_tests(wrong)


def test_each_word_is_set_against_all_others():
    table = pd.DataFrame([[1.0, 2.0, 6.0], [1.0, 2.0, 6.0]], columns=["a", "b", "c"])
    assert one_less_the_others(table).to_dict() == {"a": -3.0, "b": -1.5, "c": 4.5}
