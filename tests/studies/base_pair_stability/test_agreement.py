"""Agreement of base pairs: against closed forms, random words, and matrices that go together or not."""

import numpy as np
import pytest
from scipy import stats

from studies.base_pair_stability import agreement


def test_kappa_on_balanced_truth_is_twice_the_accuracy_minus_one():
    truth = np.repeat([1, -1], 13)  # the animals: 13 and 13, so every kappa is k/13
    values = truth[:, None] * np.where(np.arange(26) % 13 < 4, -1, 1)[:, None]
    assert agreement.agreement_with_truth(values, truth) == pytest.approx([2 * 18 / 26 - 1])


def symmetric(seed, p=9):
    values = np.random.default_rng(seed).standard_normal((p, p))
    return values + values.T


def test_mantel_finds_matrices_that_go_together_and_only_those():
    together = agreement.mantel(
        symmetric(1), symmetric(1) + 0.3 * symmetric(2), permutations=499, rng=0
    )
    assert together.correlation > 0.9
    assert together.p_value == 1 / 500
    p_values = [
        agreement.mantel(symmetric(s), symmetric(s + 500), permutations=99, rng=0).p_value
        for s in range(200)
    ]
    assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.10


def test_mantel_does_not_depend_on_the_order_of_the_things():
    order = np.random.default_rng(3).permutation(9)
    turned = [symmetric(s)[np.ix_(order, order)] for s in (1, 2)]
    assert agreement.mantel(*turned, permutations=9, rng=0).correlation == pytest.approx(
        agreement.mantel(symmetric(1), symmetric(2), permutations=9, rng=0).correlation
    )


def test_mantel_leaves_out_cells_without_a_value():
    first = symmetric(1)
    first[0, 1] = first[1, 0] = np.nan
    assert np.isfinite(agreement.mantel(first, symmetric(1), permutations=9, rng=0).correlation)


def test_kappa_from_angle_matches_random_words():
    rng = np.random.default_rng(0)
    words = rng.standard_normal((200_000, 3))
    pair = np.array([[1, 0, 0], [0.6, 0.8, 0]])
    found = agreement.pairwise_kappa(words @ pair[:1].T, words @ pair[1:].T)[0]
    assert found == pytest.approx(float(agreement.kappa_from_angle(0.6)), abs=0.01)
    assert agreement.kappa_from_angle(1 + 1e-9) == 1  # of two equal vectors, rounded
    assert agreement.kappa_from_angle([1, 0, -1]) == pytest.approx([1, 0, -1])


def test_stability_table_says_what_the_functions_say():
    values = np.random.default_rng(2).standard_normal((40, 5)).round(1)
    row = agreement.stability_table({"RIPA": values}, {"RIPA": 1.0}).loc["RIPA"]
    assert row["Fleiss kappa"] == agreement.direction_kappa(values)
    assert row["relevant changes (%)"] == 100 * agreement.magnitude_change_rate(values, 1.0)
    assert row["zeros"] == (values == 0).sum()


def test_row_p_values_are_those_of_pearson_with_and_without_the_diagonal():
    first, second = symmetric(1), symmetric(2)
    with_itself = agreement.row_p_values(first, second)
    assert with_itself[0] == stats.pearsonr(first[0], second[0]).pvalue
    without = agreement.row_p_values(first, second, diagonal=False)
    assert without[3] == stats.pearsonr(np.delete(first[3], 3), np.delete(second[3], 3)).pvalue


def test_row_p_values_are_unknown_for_two_cells_or_cells_alike():
    assert np.isnan(agreement.row_p_values(symmetric(1, p=2), symmetric(2, p=2))).all()
    assert np.isnan(agreement.row_p_values(symmetric(1), np.ones((9, 9)))).all()


def test_a_measure_without_spread_has_no_relevant_changes():
    table = agreement.stability_table({"NBM": np.ones((5, 3))}, {"NBM": 0.0})
    assert np.isnan(table.loc["NBM", "relevant changes (%)"]) and table.loc["NBM", "zeros"] == 0
