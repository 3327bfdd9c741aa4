"""Vectors beside their text without constants: copies drawn anew, zero counts, and what a planted factor gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.ripa.copies import (
    ZERO_RULES,
    Counts,
    against_copies,
    counts_beside,
    size_and_slope,
    texts_of,
)
from studies.ripa.counts import PairCounts, log_ratio

FACTORS = [0.5, 2 / 3, 1, 1.5, 2, 3]


def simulated(factor=1.0, each=8, n=150, p=6, seed=0, offset=0.0):
    """Vectors that hold so many times the lean of a text, and sparse counts of that text."""
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((n, 1)) + 0.5 * rng.standard_normal((n, p)) + offset
    totals = rng.poisson(each, (n, p))
    female, male = rng.integers(1000, 5000, (2, p))
    blank = Counts(totals, np.zeros((n, p)), female, male)
    return factor * truth, blank.drawn(truth, rng)


def test_leans_without_zeros_are_log_ratios():
    rng = np.random.default_rng(0)
    female, male, of_female, of_male = (
        rng.integers(1, 90, shape) for shape in [(5, 3)] * 2 + [3] * 2
    )
    counts = Counts(female, male, of_female, of_male)
    assert counts.leans() == pytest.approx(log_ratio(female, male, of_female, of_male))
    assert counts.one_sided == counts.both_zero == 0


@given(st.integers(0, 10**6), st.sampled_from(ZERO_RULES))
def test_the_other_side_first_turns_every_sign(seed, rule):
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 5, (2, 1, 4))
    of_one, of_other = rng.integers(1, 6, (2, 4))
    leans = Counts(one, other, of_one, of_other).leans(rule)
    turned = Counts(other, one, of_other, of_one).leans(rule)
    assert leans == pytest.approx(-turned, nan_ok=True)


def test_size_and_slope_of_a_multiple():
    text = np.random.default_rng(0).standard_normal((30, 4))
    assert size_and_slope(-2.5 * text, text) == pytest.approx((2.5, -2.5))
    assert size_and_slope(text / 2, text, centred=False) == pytest.approx((0.5, 0.5))
    assert np.isnan(size_and_slope([[1.0]], [[np.nan]])).all()


@pytest.mark.parametrize(("factor", "offset"), [(0.7, 0.0), (1.5, -1.0)])
def test_the_planted_factor_is_found_whatever_the_rule_for_zeros(factor, offset):
    found = against_copies(*simulated(factor, offset=offset), FACTORS, n_draws=60, rng=0)
    assert found["factor"].to_numpy() == pytest.approx(factor, rel=0.15)
    assert (found["low factor"] <= found["factor"]).all()
    assert (found["factor"] <= found["high factor"]).all()


@pytest.mark.slow
def test_a_true_copy_is_taken_for_another_about_as_rarely_as_it_should():
    larger, smaller = [], []
    for seed in range(200):
        sides = simulated(n=60, seed=seed, offset=-1.0)
        found = against_copies(*sides, [2 / 3, 1, 1.5], n_draws=100, rng=seed)
        larger.append(found["size"] > found["null high"])
        smaller.append(found["size"] < found["null low"])
    for wrong in (larger, smaller):
        assert (np.mean(wrong, axis=0) < 0.06).all()
        assert np.all(wrong, axis=1).mean() < 0.05


def test_counts_of_words_beside_pairs_come_from_the_right_columns():
    beside = np.array([[0, 6, 1], [6, 0, 2], [1, 2, 0], [9, 3, 5]])
    table = PairCounts(
        ("she", "he", "man", "nurse"), ("she", "he", "man"), beside, np.arange(1, 5), 99
    )
    counts = counts_beside(table, ["nurse"], [("she", "he"), ("she", "man")])
    assert counts.with_female.tolist() == [[9, 9]] and counts.with_male.tolist() == [[3, 5]]
    assert counts.female.tolist() == [1, 1] and counts.male.tolist() == [2, 3]


def test_texts_that_the_vectors_would_give_lie_around_the_lean_that_was_planted():
    vectors, counts = simulated(each=400, n=30)
    drawn = texts_of(vectors, counts, zeros="prior", n_draws=100, rng=0)
    assert drawn.shape == (100, 30)
    assert drawn.mean(axis=0) == pytest.approx(vectors.mean(axis=1), abs=0.1)
    within = np.quantile(drawn, [0.025, 0.975], axis=0)
    text = counts.leans("prior").mean(axis=1)
    assert ((within[0] <= text) & (text <= within[1])).mean() > 0.8


def test_one_rule_alone_gives_what_it_gives_beside_the_others():
    sides, about = simulated(), {"n_draws": 20, "rng": 0}
    alone = against_copies(*sides, FACTORS, zeros=["prior"], **about)
    beside = against_copies(*sides, FACTORS, **about).loc[["prior"]]
    same = [column for column in alone if not column.startswith("joint")]
    assert alone[same].equals(beside[same])
