"""Regressions on gaps: signed R², backward selection checked by brute force, and what selection finds in noise."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.cultures.regression import (
    detectable_r2,
    fitted_line,
    noise_null,
    r2_interval,
    regress,
    select_words,
    signed_r2,
    theme_bias,
)


def noise(n=20, w=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, w)), rng.standard_normal(n)


def with_holes(biases, share=0.2, seed=1):
    return np.where(np.random.default_rng(seed).random(biases.shape) < share, np.nan, biases)


@settings(max_examples=50)
@given(st.integers(0, 9999), st.integers(4, 30))
def test_signed_r2_is_the_squared_correlation_with_its_sign(seed, n):
    biases, gap = noise(n, 3, seed)
    r = np.array([stats.pearsonr(column, gap).statistic for column in biases.T])
    assert np.allclose(signed_r2(biases, gap), np.sign(r) * r**2)
    assert np.allclose(signed_r2(-3 * biases + 1, gap), -signed_r2(biases, gap))
    assert signed_r2(biases[:, 0], gap) == pytest.approx(signed_r2(biases, gap)[0])


def by_hand(biases, gap):
    """Backward elimination written plainly."""
    kept = list(range(biases.shape[1]))
    score = lambda words: abs(signed_r2(theme_bias(biases[:, words]), gap))  # noqa: E731
    while len(kept) > 1:
        r2, word = max((score([other for other in kept if other != word]), -word) for word in kept)
        if r2 <= score(kept):
            break
        kept.remove(-word)
    return kept


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("holes", [0, 0.2])
def test_selection_takes_words_out_as_written_by_hand(seed, holes):
    biases, gap = noise(15, 6, seed)
    biases = with_holes(biases, holes, seed)
    assert np.flatnonzero(select_words(biases, gap)).tolist() == by_hand(biases, gap)


def test_words_that_cancel_out_have_no_fit_that_selection_could_keep():
    biases, gap = noise(12, 3)
    biases = np.column_stack([biases, -biases])
    kept = select_words(biases, gap)
    assert 0 < kept.sum() < 6
    assert abs(signed_r2(theme_bias(biases[:, kept]), gap)) > 0


@settings(max_examples=30)
@given(st.integers(0, 9999), st.integers(2, 8))
def test_selection_never_lowers_r2_and_never_beats_the_best_subset(seed, w):
    biases, gap = noise(12, w, seed)
    score = lambda words: abs(float(signed_r2(theme_bias(biases[:, list(words)]), gap)))  # noqa: E731
    found = score(np.flatnonzero(select_words(biases, gap)))
    subsets = itertools.chain.from_iterable(
        itertools.combinations(range(w), k) for k in range(1, w + 1)
    )
    assert score(range(w)) - 1e-12 <= found <= max(map(score, subsets)) + 1e-12


def test_selection_on_all_cultures_finds_a_fifth_to_a_third_of_r2_in_noise():
    """20 words of noise, 51 cultures: the median and the 95 % point of |R²|, against those without selection."""
    null = noise_null(51, 20, share=1, simulations=2000, rng=0).quantiles(0.5, 0.95)
    assert null["r2"] == pytest.approx([0.20, 0.33], abs=0.015)
    assert null["unselected"] == pytest.approx(stats.beta(0.5, 24.5).ppf([0.5, 0.95]), abs=0.01)
    assert "held_out" not in null


def test_the_regression_is_selection_by_draw_and_mean_over_the_draws():
    biases, gap = noise(30, 4, 3)
    found = regress(biases, gap, resamples=5, rng=7)
    assert found.words.shape == (5, 4) and found.n == 30
    assert found.r2 == pytest.approx(
        np.mean([signed_r2(theme_bias(biases[:, words]), gap) for words in found.words])
    )
    assert found.unselected == pytest.approx(float(signed_r2(theme_bias(biases), gap)))
    whole = regress(biases, gap, share=1, resamples=5, rng=7)
    assert np.array_equal(whole.words[0], select_words(biases, gap)) and np.isnan(whole.held_out)


def test_p_values_are_valid_for_noise_where_the_usual_ones_are_not():
    """Of 200 themes of noise, about 5 % are below 0.05 when selection is part of the null, far more by the usual test."""
    honest, usual = [], []
    for seed in range(200):
        biases, gap = noise(25, 8, seed)
        found = regress(biases, gap, share=1, resamples=99, rng=seed)
        honest.append(found.p_value)
        usual.append(stats.pearsonr(theme_bias(biases[:, found.words[0]]), gap).pvalue)
    assert np.mean(np.array(honest) <= 0.05) < 0.10
    assert np.mean(np.array(usual) <= 0.05) > 0.3


def test_what_is_there_is_found_with_its_sign_and_on_the_other_cultures_too():
    biases, gap = noise(51, 8, 0)
    found = regress(0.3 * biases - gap[:, None], gap, resamples=200, rng=0)
    assert found.r2 < -0.9 and found.held_out < -0.9
    assert found.p_value == found.p_held_out == found.p_unselected == 1 / 201


def test_permuting_inside_groups_leaves_differences_between_groups_in_the_null():
    groups = np.repeat([0, 1], 20)
    biases, gap = noise(40, 3, 1)
    biases, gap = biases + 5 * groups[:, None], gap + 5 * groups
    assert regress(biases, gap, resamples=200, rng=0).p_unselected == 1 / 201
    assert regress(biases, gap, resamples=200, groups=groups, rng=0).p_unselected > 0.05


def test_detectable_r2_is_found_with_its_power():
    n, r2 = 51, detectable_r2(51)
    rng = np.random.default_rng(0)
    x, e = rng.standard_normal((2, 4000, n))
    y = r2**0.5 * x + (1 - r2) ** 0.5 * e
    p = stats.pearsonr(x, y, axis=1).pvalue
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=0.03)
    assert detectable_r2(196) < detectable_r2(99) < r2 < detectable_r2(20)


BIASES, GAP = noise()


@pytest.mark.parametrize(
    ("call", "fragments"),
    [
        (lambda: regress(BIASES[0], GAP), ["(n, w)", "(5,)"]),
        (
            lambda: regress(BIASES, np.full(20, np.nan)),
            ["3 cultures or more", "got 0", "codes must agree"],
        ),
    ],
)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)


@pytest.mark.parametrize(("r", "n"), [(0.6, 51), (-0.3, 20)])
def test_the_interval_of_r2_is_that_of_the_correlation_squared_with_its_signs(r, n):
    reach = 1.959964 / np.sqrt(n - 3)
    expected = np.tanh(np.arctanh(r) + np.array([-reach, reach]))
    assert r2_interval(r * abs(r), n) == pytest.approx(tuple(expected * abs(expected)), abs=1e-6)


def test_the_interval_of_r2_holds_the_truth_as_often_as_it_says():
    rng, r = np.random.default_rng(0), 0.5
    x, e = rng.standard_normal((2, 1000, 30))
    r2 = [float(signed_r2(a, r * a + (1 - r**2) ** 0.5 * b)) for a, b in zip(x, e)]
    held = [low < r**2 < high for low, high in (r2_interval(value, 30) for value in r2)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)


def test_a_line_and_its_band_are_those_of_least_squares():
    from statsmodels.api import OLS, add_constant

    rng = np.random.default_rng(0)
    x = rng.standard_normal(30)
    y = x + rng.standard_normal(30)
    found = fitted_line(np.append(x, np.nan), np.append(y, 1.0))
    fit = OLS(y, add_constant(x)).fit().get_prediction(add_constant(found.index.to_numpy()))
    assert np.allclose(found["line"], fit.predicted_mean) and np.allclose(
        found[["low", "high"]], fit.conf_int()
    )


def test_cultures_without_a_gap_or_a_word_are_left_out():
    biases, gap = noise(30, 4, 3)
    more = np.vstack([biases, biases[:2], np.full((1, 4), np.nan)])
    found = regress(more, np.concatenate([gap, [np.nan, np.nan, 1.0]]), resamples=20, rng=0)
    assert found.n == 30 and found.r2 == regress(biases, gap, resamples=20, rng=0).r2
