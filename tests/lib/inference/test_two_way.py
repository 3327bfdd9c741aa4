"""Resampling of words and pairs: widths from closed forms, no agreement of a pair with itself, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agreement import direction_kappa
from lib.inference.bootstrap import word_interval
from lib.inference.crossed import crossed_components, reliability
from lib.inference.two_way import (
    DRAWN,
    crossed_draws,
    crossed_interval,
    two_way_interval,
    two_way_table,
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


def test_without_an_effect_of_the_pair_words_alone_decide_the_width():
    scores = np.repeat(np.random.default_rng(1).standard_normal((60, 1)), 10, axis=1)
    ours = width(two_way_interval(np.mean, scores, n_resamples=3000, rng=0))
    assert ours == pytest.approx(width(word_interval(np.mean, scores, rng=0)), rel=0.08)


def test_pairs_that_agree_by_chance_are_not_said_to_agree_with_themselves():
    scores = np.random.default_rng(2).standard_normal((300, 8))
    low, high = two_way_interval(direction_kappa, scores, rng=0, **COMPARES)
    assert low < 0 < high < 0.1
    low, _ = two_way_interval(direction_kappa, scores, n_resamples=400, rng=0)
    assert low > 0  # redrawn pairs meet themselves


def test_an_odd_pair_widens_the_interval_of_kappa_beyond_the_choice_of_words():
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((200, 1)) + 0.3 * rng.standard_normal((200, 8))
    scores[:, 0] = rng.standard_normal(200)
    both = two_way_interval(direction_kappa, scores, rng=0, **COMPARES)
    words = word_interval(direction_kappa, scores, n_resamples=400, rng=0)
    assert width(both) > 1.5 * width(words)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["redrawn", "halved"]))
def test_ends_are_ordered_repeat_and_move_with_the_scores(seed, columns):
    scores = crossed(np.random.default_rng(seed), n=6, p=5)
    asked = dict(columns=columns, n_resamples=60)
    low, high = two_way_interval(np.mean, scores, rng=seed, **asked)
    assert low <= high
    assert (low, high) == two_way_interval(np.mean, scores, rng=seed, **asked)
    moved = two_way_interval(np.mean, 2 * scores + 3, rng=seed, **asked)
    assert moved == pytest.approx((2 * low + 3, 2 * high + 3))


def test_a_fact_about_a_word_is_drawn_with_it():
    scores = np.arange(20.0)[:, None] + np.zeros(6)
    ends = two_way_interval(
        lambda drawn, facts: np.abs(drawn.mean(axis=1) - facts).max(), scores, np.arange(20.0)
    )
    assert ends == (0, 0)


def test_a_table_leaves_ends_open_where_pairs_are_few():
    scores = crossed(np.random.default_rng(0), p=3)
    table = two_way_table(direction_kappa, {"a": scores, "b": np.ones((9, 5))}, **COMPARES)
    assert np.isfinite(table.loc["a", "value"]) and table.loc["a", ["low", "high"]].isna().all()
    assert table.loc["b"].isna().all()


@pytest.mark.slow
def test_words_and_pairs_cover_the_truth_where_words_alone_do_not():
    rng, runs = np.random.default_rng(7), 200
    covered = {"mean": 0, "mean, words alone": 0, "ICC": 0}

    def icc(scores):
        return reliability(crossed_components(scores))

    for _ in range(runs):
        scores = crossed(rng)
        low, high = two_way_interval(np.mean, scores, n_resamples=300, rng=rng)
        covered["mean"] += low <= 0 <= high
        low, high = word_interval(np.mean, scores, n_resamples=300, rng=rng)
        covered["mean, words alone"] += low <= 0 <= high
        low, high = two_way_interval(icc, scores, columns="halved", n_resamples=300, rng=rng)
        covered["ICC"] += low <= 0.5 <= high
    assert covered["mean"] / runs > 0.88
    assert covered["ICC"] / runs > 0.9
    assert covered["mean, words alone"] / runs < 0.75


SQUARE = np.arange(25.0).reshape(5, 5)
BAD = {
    "a list": (lambda: two_way_interval(np.mean, [1, 2, 3]), ["(words, pairs)", "(3,)"]),
    "two words": (lambda: two_way_interval(np.mean, SQUARE[:2]), ["3 words", "(2, 5)"]),
    "three pairs to halve": (
        lambda: two_way_interval(np.mean, SQUARE[:, :3], columns="halved"),
        ["4 pairs", "(5, 3)", "word_interval"],
    ),
    "NaN": (
        lambda: two_way_interval(np.mean, np.full((5, 5), np.nan)),
        ["finite", "NaN", "leave"],
    ),
    "a fact too few": (
        lambda: two_way_interval(np.mean, SQUARE, [1, 2]),
        ["facts", "5 words", "(2,)"],
    ),
    "no such way": (
        lambda: two_way_interval(np.mean, SQUARE, columns="halve"),
        ["columns", "halve", "halved"],
    ),
    "a level of 95": (
        lambda: two_way_interval(np.mean, SQUARE, confidence_level=95),
        ["confidence_level", "between 0 and 1", "95"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])


def test_a_table_of_one_number_has_no_width():
    table = np.full((4, 5), 0.2)
    for drawn in DRAWN:
        assert crossed_interval(table, drawn=drawn, n_resamples=50, rng=0) == pytest.approx(
            [0.2] * 3
        )


def test_a_shared_draw_of_pairs_cancels_in_the_difference_of_two_tables():
    table = np.arange(6.0)[:, None] + np.zeros((6, 4))
    draws = crossed_draws(table, table[:, :1] + 1, rng=0)
    assert np.allclose(draws[:, 1] - draws[:, 0], 1)


@pytest.mark.parametrize(
    "tables, drawn, message",
    [
        ([[[1.0, 2.0]], [[1.0], [2.0]]], "both", "the same pairs"),
        ([[[1.0, 2.0]]], "rows", "drawn: expected one of"),
        ([[1.0, 2.0]], "both", "pairs by occupations"),
        ([[[np.nan]]], "both", "finite differences"),
    ],
)
def test_tables_that_cannot_be_drawn_are_refused(tables, drawn, message):
    with pytest.raises(ValueError, match=message):
        crossed_draws(*tables, drawn=drawn)
