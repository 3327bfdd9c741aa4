"""Resampling of words and pairs: widths from closed forms, no agreement of a pair with itself, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agreement import direction_kappa
from lib.inference.bootstrap import word_interval
from lib.inference.crossed import crossed_components, reliability
from lib.inference.two_way import (
    crossed_draws,
    two_way_interval,
    words_and_pairs_interval,
)

COMPARES = dict(columns="halved", n_resamples=400)


def crossed(rng, n=40, p=10, word=1.0, pair=1.0, rest=1.0):
    """Scores with an effect of the word, of the pair, and of each cell."""
    return (
        word * rng.standard_normal((n, 1))
        + pair * rng.standard_normal((1, p))
        + rest * rng.standard_normal((n, p))
    )


def width(ends):
    return ends[1] - ends[0]


@pytest.mark.parametrize("columns", ["redrawn", "halved"])
def test_an_effect_of_the_pair_alone_gives_the_width_of_a_mean_over_pairs(columns):
    pair = np.random.default_rng(1).standard_normal(16)
    scores = np.tile(pair, (30, 1))
    found = width(two_way_interval(np.mean, scores, columns=columns, n_resamples=4000, rng=0))
    assert found == pytest.approx(2 * 1.96 * pair.std() / 4, rel=0.08)


def test_pairs_that_agree_by_chance_are_not_said_to_agree_with_themselves():
    scores = np.random.default_rng(2).standard_normal((300, 8))
    low, high = two_way_interval(direction_kappa, scores, rng=0, **COMPARES)
    assert low < 0 < high < 0.1
    low, _ = two_way_interval(direction_kappa, scores, n_resamples=400, rng=0)
    assert low > 0  # redrawn pairs meet themselves


@given(st.integers(0, 2**32 - 1), st.sampled_from(["redrawn", "halved"]))
def test_ends_are_ordered_repeat_and_move_with_the_scores(seed, columns):
    scores = crossed(np.random.default_rng(seed), n=6, p=5)
    asked = dict(columns=columns, n_resamples=60)
    low, high = two_way_interval(np.mean, scores, rng=seed, **asked)
    assert low <= high
    assert (low, high) == two_way_interval(np.mean, scores, rng=seed, **asked)
    moved = two_way_interval(np.mean, 2 * scores + 3, rng=seed, **asked)
    assert moved == pytest.approx((2 * low + 3, 2 * high + 3))


@pytest.mark.slow
def test_words_and_pairs_cover_the_truth_where_words_alone_do_not():
    rng, runs = np.random.default_rng(7), 60
    covered = {"mean": 0, "mean, words alone": 0, "ICC": 0}

    def icc(scores):
        return reliability(crossed_components(scores))

    for _ in range(runs):
        scores = crossed(rng)
        low, high = two_way_interval(np.mean, scores, n_resamples=200, rng=rng)
        covered["mean"] += low <= 0 <= high
        low, high = word_interval(np.mean, scores, n_resamples=200, rng=rng)
        covered["mean, words alone"] += low <= 0 <= high
        low, high = two_way_interval(icc, scores, columns="halved", n_resamples=200, rng=rng)
        covered["ICC"] += low <= 0.5 <= high
    assert covered["mean"] / runs > 0.88
    assert covered["ICC"] / runs > 0.9
    assert covered["mean, words alone"] / runs < 0.75


SQUARE = np.arange(25.0).reshape(5, 5)


def test_bad_input_says_what_was_expected(refuses):
    refuses(
        lambda: two_way_interval(np.mean, SQUARE[:, :3], columns="halved"),
        ["4 pairs", "(5, 3)", "word_interval"],
    )


def test_an_interval_over_words_and_pairs_is_wider_than_one_over_words_where_pairs_differ():
    rng = np.random.default_rng(0)
    text = rng.standard_normal((60, 1)) + 2 * rng.standard_normal((1, 8))
    low, high = words_and_pairs_interval(np.mean, text, n_resamples=400, rng=0)
    over_words = text.mean(axis=1)[rng.integers(60, size=(400, 60))].mean(axis=1)
    assert high - low > 2 * np.ptp(np.quantile(over_words, [0.025, 0.975]))
    assert low < text.mean() < high


def test_all_sides_are_resampled_by_the_same_words_and_pairs():
    text = np.random.default_rng(1).standard_normal((20, 5))
    low, high = words_and_pairs_interval(
        lambda a, b: float(np.abs(b - 3 * a).max()), text, np.stack([3 * text] * 2), rng=0
    )
    assert low == high == 0


def test_too_few_words_or_pairs_have_no_interval_and_other_shapes_are_an_error():
    assert np.isnan(words_and_pairs_interval(np.mean, np.ones((2, 5)))).all()
    assert np.isnan(words_and_pairs_interval(np.mean, np.ones((5, 1)))).all()
    with pytest.raises(ValueError, match="one shape"):
        words_and_pairs_interval(np.mean, np.ones((4, 3)), np.ones((4, 2)))


def test_a_shared_draw_of_pairs_cancels_in_the_difference_of_two_tables():
    table = np.arange(6.0)[:, None] + np.zeros((6, 4))
    draws = crossed_draws(table, table[:, :1] + 1, rng=0)
    assert np.allclose(draws[:, 1] - draws[:, 0], 1)
