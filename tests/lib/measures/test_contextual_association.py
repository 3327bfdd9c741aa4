"""CEAT: what is combined, how, and why its p is no p of words."""

import numpy as np
import pytest

from lib.association import weat
from lib.measures.contextual_association import (
    combine,
    combined_effect,
    contextual_test,
    drawn_associations,
    words_interval,
)


def sets(rng, contexts=4, apart=0.0, words=8, d=20):
    """Four sets of words with several contexts each; X is moved towards A's side."""
    middle = rng.standard_normal((4 * words, 1, d))
    middle[:words] += apart * middle[2 * words : 3 * words].mean(axis=0)
    vectors = middle + 0.5 * rng.standard_normal((4 * words, contexts, d))
    return [list(vectors[start : start + words]) for start in range(0, 4 * words, words)]


def test_with_one_context_a_word_every_draw_is_weat():
    X, Y, A, B = sets(np.random.default_rng(0), contexts=1)
    result = combined_effect(X, Y, A, B, draws=3, rng=0)
    flat = [np.concatenate(side) for side in (X, Y, A, B)]
    assert result.effects == pytest.approx(np.repeat(weat(*flat).effect_size, 3))
    assert result.effect_size == pytest.approx(result.effects[0])
    assert result.between == 0


def test_equal_variances_and_spread_effects_combine_to_their_mean_and_variance():
    effects = np.array([-1.0, 1.0, -1.0, 1.0]) * 3
    mean, p, between = combine(effects, 1000, 1000)
    assert mean == pytest.approx(0) and p == pytest.approx(1)
    assert between == pytest.approx(effects.var(ddof=1), rel=0.01)


def test_the_p_falls_with_the_number_of_draws_though_no_word_is_added():
    X, Y, A, B = sets(np.random.default_rng(2))
    few, many = (combined_effect(X, Y, A, B, draws=n, rng=0) for n in (10, 1000))
    assert few.effect_size == pytest.approx(many.effect_size, abs=0.3)
    assert many.pvalue < 1e-3 * few.pvalue


def test_words_without_a_difference_are_called_different_by_the_p_and_not_by_the_interval():
    seen, covered = 0, 0
    for seed in range(40):
        X, Y, A, B = sets(np.random.default_rng([7, seed]))
        result = combined_effect(X, Y, A, B, draws=500, rng=0)
        scores = drawn_associations([*X, *Y], A, B, draws=200, rng=0)
        low, high = words_interval(scores, len(X), n_resamples=400, rng=0)
        seen += result.pvalue < 0.05
        covered += low <= 0 <= high
    assert seen > 20 and covered > 34


def test_a_real_difference_is_found_by_words_and_random_lists_are_called_significant_too():
    rng = np.random.default_rng(5)
    X, Y, A, B = sets(rng, apart=6.0)
    pool = list(rng.standard_normal((40, 4, 20)))
    found = contextual_test(X, Y, A, B, pool, rng=0)
    assert found["low"] > 0 and found["p_many"] < 1e-6
    assert found["p_many"] <= found["p_few"]
    assert found["called"] > 0.2


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: combined_effect([[[1, 0]]], [[[1, 0]]], [[[1, 0]]], [[[0, 1]]]), "that differ"),
        (lambda: combined_effect([[[0, 0]]], [[[1, 0]]], [[[1, 0]]], [[[0, 1]]]), "direction"),
        (lambda: combine([1.0, np.nan], 2, 2), "finite"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
