"""Scores beside an outside fact: Spearman's correlation, and what cannot be answered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.measures.outside import order_by_share, rank_correlations

SCORES = [0.2, 0.1, 0.0, -0.1, -0.2, -0.3, 0.15]
WOMEN = [0.9, 0.8, 0.6, 0.7, 0.2, 0.2, 0.3]


def test_rho_is_that_of_scipy_with_ties_at_mean_ranks():
    found = order_by_share(SCORES, WOMEN, n_resamples=200, rng=0)
    assert found.rho == pytest.approx(stats.spearmanr(SCORES, WOMEN).statistic)
    assert found.low <= found.rho <= found.high and found.n == 7 and found.reason == ""


def test_p_is_that_of_all_pairings():
    exact = stats.permutation_test(
        (WOMEN,), lambda y: stats.spearmanr(SCORES, y).statistic, permutation_type="pairings"
    ).pvalue
    found = order_by_share(SCORES, WOMEN, n_resamples=20_000, rng=0)
    assert found.p == pytest.approx(exact, abs=0.01)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.1, 10), st.floats(-5, 5))
def test_offset_and_scale_make_no_difference(seed, scale, offset):
    rng = np.random.default_rng(seed)
    scores, facts = rng.normal(size=(2, 12))
    plain = order_by_share(scores, facts, n_resamples=50, rng=1)
    moved = order_by_share(scale * scores + offset, facts, n_resamples=50, rng=1)
    assert moved.rho == pytest.approx(plain.rho) and moved.p == pytest.approx(plain.p)


@pytest.mark.parametrize(
    ("scores", "facts", "says"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], "4 with both"),
        ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5], "scores are all equal"),
    ],
)
def test_where_no_order_can_be_had_it_says_why(scores, facts, says):
    found = order_by_share(scores, facts, rng=0)
    assert np.isnan(found[:4]).all() and says in found.reason


def test_with_pairs_the_mean_is_ordered_and_the_interval_gets_wider():
    rng = np.random.default_rng(0)
    facts = rng.normal(size=60)
    pairs = facts[:, None] * np.linspace(-1, 3, 6) + rng.normal(size=(60, 6))
    both = order_by_share(pairs, facts, n_resamples=500, rng=0)
    words = order_by_share(pairs.mean(axis=1), facts, n_resamples=500, rng=0)
    assert both.rho == pytest.approx(words.rho) and both.n == words.n
    assert both.high - both.low > words.high - words.low
    alone = order_by_share(pairs[:, :1], facts, n_resamples=500, rng=0)
    assert alone == order_by_share(pairs[:, 0], facts, n_resamples=500, rng=0)


def test_bad_inputs_are_refused(refuses):
    refuses(lambda: order_by_share([1, 2], [1, 2, 3]), ["(2,)", "(3,)", "reindex"])
    refuses(lambda: order_by_share([1, np.inf], [1, 2]), ["infinity", "leave it out"])


@pytest.mark.slow
def test_random_scores_are_rejected_in_five_per_cent_and_covered_in_most():
    rng = np.random.default_rng(0)
    runs = [order_by_share(*rng.normal(size=(2, 40)), n_resamples=400, rng=rng) for _ in range(300)]
    assert np.mean([run.p <= 0.05 for run in runs]) == pytest.approx(0.05, abs=0.035)
    assert np.mean([run.low <= 0 <= run.high for run in runs]) > 0.9


def test_rank_correlations_are_those_of_scipy_ties_and_all():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 9, (40, 3)).astype(float)
    facts = rng.integers(0, 9, 40).astype(float)
    facts[::7] = np.nan
    known = np.isfinite(facts)
    expected = [stats.spearmanr(column[known], facts[known])[0] for column in scores.T]
    assert rank_correlations(scores, facts) == pytest.approx(expected)
    assert np.isnan(rank_correlations(np.ones((40, 2)), facts)).all()
