"""Orders of occupations beside women's share, beside each other, and beside random endings."""

import numpy as np
import pytest
from scipy import stats

from studies.language_models.comparison import (
    mean_intervals,
    orders,
    random_pair_orders,
    share_above,
)

SHARES = np.arange(10) / 10


def test_orders_are_spearman_s_and_a_score_follows_as_closely_as_itself():
    rng = np.random.default_rng(1)
    score, other = SHARES + 0.3 * rng.normal(size=10), rng.normal(size=10)
    found = orders({"one": score, "two": other}, SHARES, beside="one", n_resamples=50, rng=0)
    assert found.loc["two", "rho"] == pytest.approx(stats.spearmanr(other, SHARES).statistic)
    assert found.loc["two", "with"] == pytest.approx(stats.spearmanr(other, score).statistic)
    difference = found.loc["one", "rho"] - found.loc["two", "rho"]
    assert found.loc["two", "less"] == pytest.approx(difference)
    assert found.loc["one", ["with", "less", "less low", "less high"]].tolist() == pytest.approx(
        [1, 0, 0, 0]
    )


def test_a_score_with_too_few_occupations_has_a_row_without_numbers():
    few = np.where(SHARES < 0.4, SHARES, np.nan)
    found = orders({"one": SHARES, "few": few}, SHARES, beside="one", n_resamples=5, rng=0)
    assert found.loc["few", "n"] == 4 and np.isnan(found.loc["few", "rho"])


def test_random_pairs_are_all_pairs_of_means_over_beginnings():
    log_p = np.random.default_rng(0).normal(size=(10, 3, 4))
    found = random_pair_orders(log_p, SHARES)
    odds = log_p[:, :, 0].mean(axis=1) - log_p[:, :, 1].mean(axis=1)
    assert len(found) == 6 and found[0] == pytest.approx(stats.spearmanr(odds, SHARES).statistic)


def test_a_share_keeps_an_interval_where_all_lie_on_one_side():
    value, low, high = share_above(np.ones(20))
    assert (value, high) == (1, 1) and 0.8 < low < 1
    assert share_above([1, -1, 0, 2])[0] == 0.5


def test_means_have_the_interval_of_student_and_one_beginning_has_none():
    table = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    found = mean_intervals(table)
    expected = stats.t.interval(0.95, 2, 2, stats.sem(table[0]))
    assert found.loc[0, ["low", "high"]].tolist() == pytest.approx(expected)
    assert np.isnan(mean_intervals(table[:, :1])["low"]).all()
