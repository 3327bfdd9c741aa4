"""A correlation over few points: golden numbers, properties, what equivalence and power say."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.inference.correlation import correlation, points_needed


def test_a_perfect_correlation_has_the_p_of_two_orders_in_all():
    result = correlation([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert result.r == pytest.approx(1)
    assert result.pvalue == pytest.approx(2 / 120)
    assert result.without_one == pytest.approx((1, 1))


@settings(max_examples=25)
@given(seed=st.integers(0, 999), n=st.integers(4, 7), slope=st.floats(-2, 2))
def test_r_and_interval_are_those_of_scipy_and_do_not_depend_on_units(seed, n, slope):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(n)
    y = slope * x + rng.standard_normal(n)
    ours, theirs = correlation(x, y), stats.pearsonr(x, y)
    interval = theirs.confidence_interval()
    assert (ours.r, ours.low, ours.high) == pytest.approx(
        (theirs.statistic, interval.low, interval.high)
    )
    other = correlation(3 * x + 1, -2 * y)
    assert (other.r, other.pvalue) == pytest.approx((-ours.r, ours.pvalue))
    assert other.equivalence_pvalue == pytest.approx(ours.equivalence_pvalue)


def test_equivalence_takes_many_points():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(400)
    y = rng.standard_normal(400)
    y -= x * (x @ y) / (x @ x)
    assert correlation(x, y, rng=0).verdict == "equivalent to none"
    assert (
        correlation(range(15), [3, 9, 1, 7, 4, 12, 2, 8, 6, 14, 5, 0, 13, 10, 11], rng=0).verdict
        == "not found"
    )


@pytest.mark.parametrize(("n", "fits"), [(7, False), (11, False), (12, True)])
def test_what_could_not_have_been_shown_is_said(n, fits):
    x = np.arange(n) - (n - 1) / 2
    flat = correlation(x, x**2, rng=0)  # a correlation of zero
    assert flat.equivalence_pvalue == pytest.approx(flat.smallest_equivalence_pvalue)
    assert flat.verdict == ("equivalent to none" if fits else "too few points")


def test_two_sided_means_the_size_where_points_share_a_score():
    x, y = [-2, 0, 0, 0, 0, 0, 1], [9, 4, 11, 6, 8, 5, 1]
    orders = np.array(list(itertools.permutations(y)), float)
    sizes = np.abs([np.corrcoef(x, order)[0, 1] for order in orders])
    found = correlation(x, y)
    assert found.pvalue == pytest.approx((sizes >= abs(found.r) - 1e-12).mean())
    assert found.smallest_pvalue == pytest.approx((sizes >= sizes.max() - 1e-12).mean())
    doubled = stats.pearsonr(x, y, method=stats.PermutationMethod(n_resamples=np.inf)).pvalue
    assert found.pvalue != pytest.approx(doubled)


@pytest.mark.slow
def test_each_test_errs_in_one_of_twenty_at_its_border():
    rng, n, trials = np.random.default_rng(0), 60, 400
    none, equal = 0, 0
    for _ in range(trials):
        x, noise = rng.standard_normal((2, n))
        none += correlation(x, noise, n_resamples=199, rng=rng).pvalue <= 0.05
        at_bound = 0.5 * x + np.sqrt(0.75) * noise
        equal += correlation(x, at_bound, n_resamples=1, rng=rng).equivalence_pvalue <= 0.05
    for count in (none, equal):
        assert stats.binomtest(int(count), trials, 0.05).pvalue > 0.001


@pytest.mark.parametrize(("r", "n"), [(0.5, 30), (0.3, 85), (0.1, 783)])
def test_points_needed_are_those_of_the_tables(r, n):
    """Cohen (1988), table 3.4.1 rounds to 28, 85 and 783; Fisher's z gives these."""
    assert points_needed(r) in (n, n - 1)
    assert points_needed(-r) == points_needed(r)


def test_bad_input_is_refused(refuses):
    refuses(lambda: correlation([1, 2, np.nan], [1, 2, 3]), ["finite"])
    refuses(lambda: correlation([1, 1, 1], [1, 2, 3]), ["constant"])
