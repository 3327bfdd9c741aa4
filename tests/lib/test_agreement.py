"""Agreement: against the libraries that know kappa, closed forms, properties, and what bad input says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from lib import agreement


def scores(seed=0, n=40, p=5, shift=0.4):
    return np.random.default_rng(seed).standard_normal((n, p)).round(1) + shift * (seed % 3)


@settings(max_examples=50)
@given(st.integers(0, 9999))
def test_direction_kappa_equals_statsmodels(seed):
    values = scores(seed)
    expected = fleiss_kappa(aggregate_raters((values > 0).astype(int))[0])
    assert agreement.direction_kappa(values) == pytest.approx(expected)


def test_a_zero_counts_as_the_second_pole_unless_told_otherwise():
    values = np.array([[1.0, 2.0], [-1.0, 0.0], [3.0, -2.0]])
    assert agreement.direction_kappa(values) == agreement.direction_kappa(
        np.where(values == 0, -1, values)
    )
    assert agreement.direction_kappa(values, zeros="drop") == agreement.direction_kappa(
        values[[0, 2]]
    )
    assert agreement.direction_kappa(values, zeros="own") < agreement.direction_kappa(values)


@settings(max_examples=50)
@given(st.integers(0, 9999))
def test_pairwise_kappa_equals_scikit_learn(seed):
    first, second = scores(seed), scores(seed + 1)
    expected = [cohen_kappa_score(a > 0, b > 0) for a, b in zip(first.T, second.T)]
    assert agreement.pairwise_kappa(first, second) == pytest.approx(expected, nan_ok=True)


@given(st.integers(0, 9999))
@settings(max_examples=30)
def test_kappa_between_raters_is_symmetric_and_holds_the_pairwise_kappas(seed):
    values = scores(seed)
    matrix = agreement.kappa_between_raters(values)
    assert np.array_equal(matrix, matrix.T, equal_nan=True)
    assert matrix[0, 1:] == pytest.approx(
        agreement.pairwise_kappa(values[:, :1].repeat(4, 1), values[:, 1:]), nan_ok=True
    )


def test_ac1_of_gwet_follows_its_formula():
    values = np.array([[1, 1], [1, 1], [1, -1], [-1, -1]])
    prevalence = 5 / 8
    chance = 2 * prevalence * (1 - prevalence)
    assert agreement.gwet_ac1(values) == pytest.approx((3 / 4 - chance) / (1 - chance))


def test_score_correlation_is_one_for_proportional_scores_and_near_zero_for_noise():
    word = np.random.default_rng(0).standard_normal((400, 1))
    assert agreement.score_correlation(word * [1.0, 5.0, 0.2]) == pytest.approx(1)
    assert abs(agreement.score_correlation(scores(0, n=4000))) < 0.03


def test_score_correlation_equals_a_two_way_analysis_of_variance():
    values = scores(3, n=6, p=3)
    unit = values / np.sqrt((values**2).mean(axis=0))
    grand, rows, columns = unit.mean(), unit.mean(axis=1), unit.mean(axis=0)
    between = 3 * ((rows - grand) ** 2).sum() / 5
    error = (
        sum((unit[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(6) for j in range(3))
        / 10
    )
    assert agreement.score_correlation(values) == pytest.approx(
        (between - error) / (between + 2 * error)
    )


def test_magnitude_change_rate_counts_flips_of_sign_as_changes():
    assert agreement.magnitude_change_rate([[1.0, -1.0], [0.5, 0.4]], 2.0) == 0.5
    assert agreement.magnitude_change_rate([[0.0, 1.0, 2.0]], 1.0) == 1.0


def test_what_is_undefined_has_no_interval():
    table = agreement.interval_table(
        agreement.direction_kappa, {"one side": np.ones((9, 3)), "both": scores(1)}, n_resamples=50
    )
    assert table.loc["one side"].isna().all()
    assert table.loc["both", "low"] <= table.loc["both", "value"] <= table.loc["both", "high"]


def test_bad_input_says_what_was_expected_and_what_came(refuses):
    refuses(lambda: agreement.direction_kappa([[1.0], [2.0]]), ["2 raters or more", "(2, 1)"])
    refuses(lambda: agreement.direction_kappa([[1, 2], [np.nan, 1]]), ["NaN", "row 1"])
    refuses(
        lambda: agreement.direction_kappa([[1, 2]], zeros="skip"),
        ["zeros: expected one of second", "'skip'"],
    )
    refuses(lambda: agreement.pairwise_kappa([[1, 2]], [[1]]), ["one shape", "(1, 2)", "(1, 1)"])
