"""Agreement: against the libraries that know kappa, closed forms, properties, and what bad input says."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
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


def test_direction_kappa_of_perfect_agreement_is_one():
    assert agreement.direction_kappa([[1, 2, 3], [-1, -2, -3]]) == 1


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


def test_kappa_on_balanced_truth_is_twice_the_accuracy_minus_one():
    truth = np.repeat([1, -1], 13)  # the animals: 13 and 13, so every kappa is k/13
    values = truth[:, None] * np.where(np.arange(26) % 13 < 4, -1, 1)[:, None]
    assert agreement.agreement_with_truth(values, truth) == pytest.approx([2 * 18 / 26 - 1])


@given(st.integers(0, 9999))
@settings(max_examples=30)
def test_kappa_between_raters_is_symmetric_and_holds_the_pairwise_kappas(seed):
    values = scores(seed)
    matrix = agreement.kappa_between_raters(values)
    assert np.array_equal(matrix, matrix.T, equal_nan=True)
    assert matrix[0, 1:] == pytest.approx(
        agreement.pairwise_kappa(values[:, :1].repeat(4, 1), values[:, 1:]), nan_ok=True
    )


def test_percent_agreement_counts_pairs_of_raters():
    assert agreement.percent_agreement([[1, 1, -1], [1, 1, 1]]) == pytest.approx((1 / 3 + 1) / 2)


def test_ac1_of_gwet_follows_its_formula():
    values = np.array([[1, 1], [1, 1], [1, -1], [-1, -1]])
    prevalence = 5 / 8
    chance = 2 * prevalence * (1 - prevalence)
    assert agreement.gwet_ac1(values) == pytest.approx((3 / 4 - chance) / (1 - chance))


def test_ac1_stays_high_where_prevalence_pulls_kappa_down():
    values = np.ones((50, 2))
    values[0, 0] = values[1, 1] = -1
    assert agreement.direction_kappa(values) < 0 < 0.9 < agreement.gwet_ac1(values)


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


@given(st.integers(0, 9999), st.floats(0.01, 3))
@settings(max_examples=30)
def test_magnitude_changes_grow_rarer_with_the_scale(seed, scale):
    values = scores(seed)
    assert agreement.magnitude_change_rate(values, scale) >= agreement.magnitude_change_rate(
        values, 2 * scale
    )


def test_same_direction_share_counts_words_all_raters_judge_alike():
    assert agreement.same_direction_share([[1, 1], [1, -1], [-1, -1], [-1, 0]]) == 0.75


def test_leaving_out_the_odd_rater_raises_kappa():
    values = np.sign(np.random.default_rng(0).standard_normal((50, 1))) * np.ones((1, 4))
    values[:, 2] *= -1
    without = agreement.kappa_without_each(values)
    assert without[2] == 1
    assert without[0] == pytest.approx(agreement.direction_kappa(values[:, 1:]))


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


def test_random_pairs_agree_by_chance_only():
    rng = np.random.default_rng(0)
    words, vocabulary = rng.standard_normal((60, 20)), rng.standard_normal((500, 20))
    found = agreement.kappas_of_random_pairs(
        lambda f, m: words @ (f - m).T, vocabulary, [[0, 1], [2, 3], [4, 5]], draws=300, rng=1
    )
    assert found.shape == (300,)
    assert abs(found.mean()) < 0.02
    assert np.array_equal(
        found,
        agreement.kappas_of_random_pairs(
            lambda f, m: words @ (f - m).T, vocabulary, [[0, 1], [2, 3], [4, 5]], draws=300, rng=1
        ),
    )


def test_matched_random_words_stay_near_the_rank_of_the_word_they_stand_for():
    vocabulary, seen = np.arange(5000.0)[:, None], []

    def measure(female, male):
        seen.append(np.hstack([female, male]))
        return np.ones((3, 2)) * [1, -1]

    agreement.kappas_of_random_pairs(
        measure, vocabulary, [[1000, 4000], [10, 20]], draws=200, matched=True, rng=0
    )
    drawn = np.array(seen)
    assert (drawn[:, 0, 0] >= 750).all() and (drawn[:, 0, 0] <= 1250).all()
    assert (drawn[:, 0, 1] >= 3000).all()
    assert drawn[:, 1].max() <= 45
    assert not np.isin(drawn, [1000, 4000, 10, 20]).any()


@pytest.mark.parametrize("form", [np.ndarray.tolist, pd.DataFrame])
def test_random_pairs_come_from_lists_and_tables_as_from_arrays(form):
    rng = np.random.default_rng(0)
    words, vocabulary = rng.standard_normal((9, 4)), rng.standard_normal((60, 4))

    def kappas(space):
        return agreement.kappas_of_random_pairs(
            lambda f, m: words @ (f - m).T, space, [[0, 1], [2, 3]], draws=20, rng=1
        )

    assert np.array_equal(kappas(form(vocabulary)), kappas(vocabulary))


def test_a_random_pair_is_two_words():
    seen = []

    def measure(female, male):
        seen.extend(female == male)
        return np.ones((3, 2)) * [1, -1]

    agreement.kappas_of_random_pairs(
        measure, np.arange(7.0)[:, None], [[0, 1], [2, 3]], draws=300, rng=0
    )
    assert len(seen) == 600
    assert not np.any(seen)


def test_kappa_from_angle_matches_random_words():
    rng = np.random.default_rng(0)
    words = rng.standard_normal((200_000, 3))
    pair = np.array([[1, 0, 0], [0.6, 0.8, 0]])
    found = agreement.pairwise_kappa(words @ pair[:1].T, words @ pair[1:].T)[0]
    assert found == pytest.approx(float(agreement.kappa_from_angle(0.6)), abs=0.01)
    assert agreement.kappa_from_angle(1 + 1e-9) == 1  # of two equal vectors, rounded
    assert agreement.kappa_from_angle([1, 0, -1]) == pytest.approx([1, 0, -1])


def test_stability_table_says_what_the_functions_say():
    values = scores(2)
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


def test_what_is_undefined_has_no_interval():
    table = agreement.interval_table(
        agreement.direction_kappa, {"one side": np.ones((9, 3)), "both": scores(1)}, n_resamples=50
    )
    assert table.loc["one side"].isna().all()
    assert table.loc["both", "low"] <= table.loc["both", "value"] <= table.loc["both", "high"]


def test_a_measure_without_spread_has_no_relevant_changes():
    table = agreement.stability_table({"NBM": np.ones((5, 3))}, {"NBM": 0.0})
    assert np.isnan(table.loc["NBM", "relevant changes (%)"]) and table.loc["NBM", "zeros"] == 0


BAD = {
    "one rater": (
        lambda: agreement.direction_kappa([[1.0], [2.0]]),
        ["2 raters or more", "(2, 1)"],
    ),
    "no word": (lambda: agreement.direction_kappa(np.empty((0, 3))), ["with a word", "(0, 3)"]),
    "NaN": (lambda: agreement.direction_kappa([[1, 2], [np.nan, 1]]), ["NaN", "row 1"]),
    "an unknown rule for zeros": (
        lambda: agreement.direction_kappa([[1, 2]], zeros="skip"),
        ["zeros: expected one of second", "'skip'"],
    ),
    "only zeros, dropped": (
        lambda: agreement.direction_kappa([[0, 0]], zeros="drop"),
        ["every word", '"own"'],
    ),
    "two shapes": (
        lambda: agreement.pairwise_kappa([[1, 2]], [[1]]),
        ["one shape", "(1, 2)", "(1, 1)"],
    ),
    "a scale of zero": (
        lambda: agreement.magnitude_change_rate([[1, 2]], 0),
        ["scale", "positive", "0"],
    ),
    "positions outside the vocabulary": (
        lambda: agreement.kappas_of_random_pairs(None, np.ones((3, 2)), [[0, 3]]),
        ["positions", "vocabulary of 3"],
    ),
    "no word left to draw": (
        lambda: agreement.kappas_of_random_pairs(None, np.ones((2, 2)), [[0, 1]]),
        ["2 different words", "larger"],
    ),
    "two raters, one left out": (
        lambda: agreement.kappa_without_each([[1, 2]]),
        ["3 raters or more"],
    ),
    "a matrix of one row": (
        lambda: agreement.row_p_values(np.eye(4)[:1], np.eye(4)),
        ["two square matrices", "(1, 4)", "(4, 4)"],
    ),
    "no matrix": (
        lambda: agreement.row_p_values(np.empty((0, 0)), np.empty((0, 0))),
        ["two square matrices", "(0, 0)"],
    ),
    "no cosine": (
        lambda: agreement.kappa_from_angle([0.5, 1.5]),
        ["cosines", "from -1 to 1", "1.5"],
    ),
    "matrices of two sizes": (
        lambda: agreement.mantel(np.eye(4), np.eye(5)),
        ["one size", "(4, 4)", "(5, 5)"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses):
    refuses(*BAD[case])
