"""Draws of sums: closed forms, scipy and plain loops as peers, exchangeability, and bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.inference.sums import (
    central,
    p_of_draws,
    resampled_sums,
    share_reaching,
    shuffled_sums,
    swapped_sums,
)

RNG = np.random.default_rng(7)
TABLE = RNG.normal(size=(60, 2))
LABELS = RNG.random(60) < 0.4
PAGES = RNG.integers(0, 25, size=60)


def test_the_spread_of_a_resampled_mean_is_its_standard_error():
    draws = resampled_sums(TABLE, n_resamples=20_000, rng=0) / 60
    assert draws.std(axis=0) == pytest.approx(TABLE.std(axis=0) / np.sqrt(60), rel=0.03)
    assert draws.mean(axis=0) == pytest.approx(TABLE.mean(axis=0), abs=0.004)


def test_a_stratum_keeps_its_number_of_rows_and_of_pages():
    ones = np.column_stack([LABELS, ~LABELS]).astype(float)
    draws = resampled_sums(ones, strata=LABELS, rng=0)
    assert (draws == ones.sum(axis=0)).all()
    first = ~np.isin(np.arange(60), np.unique(PAGES, return_index=True)[1])
    pages = resampled_sums((~first).astype(float)[:, None], clusters=PAGES, strata=LABELS, rng=0)
    assert (pages == len(np.unique(PAGES))).all()


def test_clusters_of_copies_are_as_uncertain_as_one_row_each():
    copied, pages = np.repeat(TABLE, 5, axis=0), np.repeat(np.arange(60), 5)
    one = resampled_sums(TABLE, rng=3)
    assert resampled_sums(copied, clusters=pages, rng=3) == pytest.approx(5 * one)


def test_shuffled_labels_give_the_permutation_test_of_scipy():
    values, labels = TABLE[:, 0] + 0.6 * LABELS, LABELS
    shuffled = shuffled_sums(values[:, None], labels, n_resamples=20_000, rng=0)[:, 0]
    n = labels.sum()
    null = shuffled / n - (values.sum() - shuffled) / (60 - n)
    observed = values[labels].mean() - values[~labels].mean()
    theirs = stats.permutation_test(
        (values[labels], values[~labels]),
        lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
        vectorized=True,
        rng=1,
    )
    assert share_reaching(observed, null) == pytest.approx(theirs.pvalue, abs=0.006)


def test_labels_of_mixed_pages_are_exchanged_within_them():
    terms = [[1.0], [10.0], [100.0], [1000.0]]
    sums = shuffled_sums(terms, [True, False, True, False], clusters=["a", "a", "b", "c"], rng=0)
    assert set(sums[:, 0].tolist()) == {101, 110, 1001, 1010}


def test_swapped_arms_give_the_sign_flip_test_of_scipy():
    first, second = TABLE[:, 0] + 0.3, TABLE[:, 1]
    a, b = swapped_sums(first[:, None], second[:, None], n_resamples=20_000, rng=0)
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y, axis: x.sum(axis=axis) - y.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        rng=1,
    )
    ours = share_reaching((first - second).sum(), (a - b)[:, 0])
    assert ours == pytest.approx(theirs.pvalue, abs=0.012)
    assert a + b == pytest.approx(np.full_like(a, (first + second).sum()))


def test_pages_are_swapped_as_a_whole():
    a, _ = swapped_sums([[1.0], [2.0], [4.0]], [[0.0]] * 3, clusters=["x", "x", "y"], rng=0)
    assert set(a[:, 0].tolist()) == {0, 3, 4, 7}


def test_p_is_never_zero_and_nan_where_undefined():
    assert share_reaching(9.0, np.zeros(99)) == 0.01
    assert share_reaching(0.0, np.zeros(99)) == 1
    assert np.isnan(share_reaching([np.nan], np.zeros((9, 1)))).all()


NUMBERS = st.floats(-9, 9, allow_nan=False)


@given(NUMBERS, st.lists(st.tuples(NUMBERS, st.booleans()), min_size=1, max_size=30))
def test_an_undefined_draw_never_makes_a_p_smaller(value, drawn):
    draws = np.array([draw for draw, _ in drawn])
    undefined = np.where([gone for _, gone in drawn], np.nan, draws)
    without = undefined[~np.isnan(undefined)]
    for p in (p_of_draws, lambda v, d: float(share_reaching(v, d))):
        assert p(value, draws) <= p(value, undefined) <= 1
        if len(without):
            assert p(value, without) <= p(value, undefined)


def test_p_of_draws_counts_as_a_loop_does():
    draws = RNG.normal(size=99)
    assert p_of_draws(0.5, draws) == (1 + sum(draw >= 0.5 for draw in draws)) / 100
    assert p_of_draws(1.0, [1 - 1e-13], tolerance=1e-12) == 1
    assert np.isnan(p_of_draws(np.nan, draws))
    assert p_of_draws(0.5, [np.nan, np.nan, np.nan, 0.1]) == 0.8


def test_what_would_be_drawn_wrongly_is_refused(refuses):
    terms = [[1.0], [2.0]]
    refuses(lambda: resampled_sums([[1.0], [np.nan]]), ["terms", "finite numbers", "in row 1"])
    refuses(lambda: resampled_sums(terms, clusters=[1]), ["clusters: expected 2 labels"])
    refuses(lambda: shuffled_sums(terms, [1, 0]), ["labels: expected True or False"])
    refuses(lambda: swapped_sums([[1.0]], terms), ["two arms over the same rows"])
    refuses(lambda: p_of_draws(0.5, []), ["draws", "one draw or more", "(0,)"])


def test_the_central_part_leaves_out_what_is_undefined():
    values = np.r_[np.arange(101.0), np.nan, np.inf].reshape(-1, 1)
    assert central(values, share=0.9) == (50, 5, 95)
    assert np.isnan(central([np.nan])).all()
    with pytest.raises(ValueError, match="share"):
        central(values, share=90)
