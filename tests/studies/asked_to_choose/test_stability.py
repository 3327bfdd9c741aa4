"""Shares, reliability and variance of choices, on answerers whose habits are known."""

import numpy as np
import pandas as pd
import pytest

from studies.asked_to_choose import stability
from studies.asked_to_choose.questions import WORDINGS, choices, options_of

WORDS = [f"word{number}" for number in range(20)]
RIGHT = ["she", "he"] * 10


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def answered(habit):
    """All questions about the words, answered by a habit."""
    rows = choices(WORDS, "known", right=RIGHT)
    return rows.assign(choice=[habit(row) for row in rows.itertuples()])


BY_ORDER = answered(lambda row: options_of(row.order)[0])
BY_WORD = answered(lambda row: row.right)
ALWAYS_SHE = answered(lambda row: "she")
HABITS = {"order": BY_ORDER, "word": BY_WORD, "she": ALWAYS_SHE}


@pytest.mark.parametrize(
    ("habit", "first", "same", "right", "icc"),
    [("order", 1, 0, 0.5, 0), ("word", 0.5, 1, 1, 1), ("she", 0.5, 1, 0.5, 0)],
)
def test_an_answerer_s_habit_shows_in_its_shares(habit, first, same, right, icc, rng):
    rows = HABITS[habit]
    assert stability.names_first(rows, rng).value == first
    assert stability.same_in_both(rows, rng).value == same
    assert stability.right(rows, rng).value == right
    assert stability.icc(stability.cube(rows, "choice")).value == icc


@pytest.mark.parametrize(
    ("habit", "outcome"), [("order", "failed"), ("word", "passed"), ("she", "failed")]
)
def test_only_who_answers_by_the_word_passes(habit, outcome, rng):
    rows = HABITS[habit]
    found = (stability.right(rows, rng), stability.icc(stability.cube(rows, "choice")))
    gates = pd.Series([stability.gate(found[0], 0.9), stability.gate(found[1], 0.5)])
    assert stability.verdict(gates) == outcome


def test_misses_are_no_answers_and_a_word_with_one_is_left_out_of_the_cube(rng):
    rows = BY_WORD.copy()
    rows.loc[0, "choice"] = "refused"
    assert len(stability.read_rows(rows)) == len(rows) - 1
    assert stability.cube(rows, "choice").shape == (19, len(WORDINGS), 2)


def test_words_right_in_most_questions_are_counted_and_coins_have_a_bound():
    assert stability.words_right(BY_WORD) == (20, 20)
    assert stability.words_right(ALWAYS_SHE) == (10, 20)
    assert stability.chance_bound(24) == 17


def test_the_reliability_is_that_of_shrout_and_fleiss():
    scores = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = stability.icc(scores)
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (0.71, 0.34, 0.95)


def test_shares_of_variance_are_those_that_were_put_in(rng):
    word = rng.normal(size=(30, 1, 1))
    word -= word.mean()
    wording = np.array([-1.0, 0.0, 1.0])[None, :, None]
    order = np.array([-2.0, 2.0])[None, None, :]
    shares = stability.variance_shares(word + wording + order)
    parts = np.array([4, 2 / 3, word.var()])
    assert shares.to_numpy() == pytest.approx([*parts / parts.sum(), 0], abs=1e-12)


def test_shuffled_words_give_the_share_that_noise_gives(rng):
    table = rng.normal(size=(10, 6, 2))
    anew, shuffled = stability.variance_draws(table, 400, rng)
    # 9 of 119 degrees of freedom, less what orders and wordings took
    assert shuffled.mean() == pytest.approx(9 / 119, abs=0.01)
    assert anew.sum(axis=1).to_numpy() == pytest.approx(1)


def test_planted_answers_come_back_as_they_get_stronger(rng):
    table = rng.normal(scale=0.2, size=(12, 6, 2)) + np.array([-1.0, 1.0])
    leans = rng.normal(size=12)
    found = [
        stability.icc((stability.planted(table, leans, times) > 0).astype(float)).value
        for times in (0, 1, 4)
    ]
    assert found[0] < 0.2 < found[1] < found[2] == 1


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (0.91, 0.99, "passed"),
        (0.5, 0.8, "failed"),
        (0.8, 0.95, "undecided"),
        (np.nan, np.nan, "not measured"),
    ],
)
def test_a_gate_is_where_the_interval_lies(low, high, outcome):
    value = (low + high) / 2
    assert stability.gate(stability.Share(value, low, high, 9), 0.9) == outcome


def test_few_words_or_words_that_are_alike_have_no_rank_correlation(rng):
    assert np.isnan(stability.rank_correlation([1, 2, 3], [1, 2, 3], 20, rng).value)
    assert np.isnan(stability.rank_correlation([1] * 6, range(6), 20, rng).value)
    assert stability.rank_correlation(range(9), range(9), 20, rng)[:3] == pytest.approx((1, 1, 1))
