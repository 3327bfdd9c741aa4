"""Vectors beside their text without constants: copies drawn anew, zero counts, and what a planted factor gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.ripa.copies import (
    ZERO_RULES,
    Counts,
    against_copies,
    cell_correlation,
    cell_correlations_of_other_words,
    copies,
    counts_beside,
    factor_of,
    size_and_slope,
    slope_without_noise,
    without_offsets,
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


def test_a_zero_is_left_out_or_filled_and_no_count_at_all_means_no_lean_by_the_prior():
    counts = Counts([[0, 0, 3]], [[0, 2, 0]], [10, 10, 10], [30, 30, 10])
    assert np.isnan(counts.leans("drop")).all()
    half, prior = counts.leans("half")[0], counts.leans("prior")[0]
    assert half[0] == pytest.approx(np.log(3)) and prior[0] == pytest.approx(0)
    assert half[1] == pytest.approx(np.log(0.5 / 2.5) + np.log(3))
    assert prior[1] == pytest.approx(np.log(0.25 / 2.75) + np.log(3))
    assert counts.one_sided == pytest.approx(2 / 3) and counts.both_zero == pytest.approx(1 / 3)


@given(st.integers(0, 10**6), st.sampled_from(ZERO_RULES))
def test_the_other_side_first_turns_every_sign(seed, rule):
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 5, (2, 1, 4))
    of_one, of_other = rng.integers(1, 6, (2, 4))
    leans = Counts(one, other, of_one, of_other).leans(rule)
    turned = Counts(other, one, of_other, of_one).leans(rule)
    assert leans == pytest.approx(-turned, nan_ok=True)


def test_counts_drawn_anew_keep_their_totals_and_follow_the_leans():
    leans = np.array([[0.0, 2.0], [-2.0, 0.5]])
    counts = Counts(np.full((2, 2), 50_000), np.full((2, 2), 50_000), [300, 100], [100, 100])
    drawn = counts.drawn(leans, np.random.default_rng(0))
    assert np.array_equal(drawn.sides.sum(axis=0), counts.sides.sum(axis=0))
    assert drawn.leans() == pytest.approx(leans, abs=0.05)


def test_size_and_slope_of_a_multiple():
    text = np.random.default_rng(0).standard_normal((30, 4))
    assert size_and_slope(-2.5 * text, text) == pytest.approx((2.5, -2.5))
    assert size_and_slope(text / 2, text, centred=False) == pytest.approx((0.5, 0.5))
    assert np.isnan(size_and_slope([[1.0]], [[np.nan]])).all()


def test_what_all_words_share_with_a_pair_is_no_lean_of_theirs():
    rng = np.random.default_rng(0)
    text, (one, other) = rng.standard_normal((30, 4)), 9 * rng.standard_normal((2, 4))
    text[0, 1] = np.nan
    assert size_and_slope(2 * text + one, text + other) == pytest.approx((2, 2))
    assert size_and_slope(2 * text + one, text + other, centred=False) != pytest.approx((2, 2))
    known = ~np.isnan(text)
    left = without_offsets(text, known)
    assert np.nanmean(left, axis=0) == pytest.approx(np.zeros(4))
    assert np.array_equal(np.isnan(left), ~known)


def test_a_pair_of_which_no_word_is_known_has_no_offset():
    assert np.isnan(without_offsets([[1.0], [2.0]], [[False], [False]])).all()


def test_a_copy_of_sparse_counts_does_not_give_one():
    vectors, counts = simulated(each=3)
    sizes = copies(vectors, counts, [1.0], n_draws=50, rng=0)[0, :, :, 0].mean(axis=1)
    assert (sizes > 1.2).all() and np.ptp(sizes) > 0.05
    raw = copies(vectors, counts, [1.0], centred=False, n_draws=50, rng=0)[0, :, :, 0]
    assert raw.mean(axis=1) != pytest.approx(sizes)


@pytest.mark.parametrize("offset", [0.0, -1.0])
@pytest.mark.parametrize("factor", [0.7, 1.0, 1.5])
def test_the_planted_factor_is_found_whatever_the_rule_for_zeros(factor, offset):
    found = against_copies(*simulated(factor, offset=offset), FACTORS, n_draws=60, rng=0)
    assert found["factor"].to_numpy() == pytest.approx(factor, rel=0.15)
    assert (found["low factor"] <= found["factor"]).all()
    assert (found["factor"] <= found["high factor"]).all()


def test_the_power_of_all_rules_at_once_is_at_most_that_of_the_weakest():
    found = against_copies(*simulated(each=3, n=40), FACTORS, n_draws=80, rng=0)
    for kind in ("power", "power below"):
        assert (found[f"joint {kind}"] <= found[kind].min()).all()
    strong = against_copies(*simulated(), FACTORS, n_draws=60, rng=0)
    assert (strong[["joint power", "joint power below"]] > 0.9).all(axis=None)


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, -1.0])
def test_a_true_copy_is_taken_for_another_about_as_rarely_as_it_should(offset):
    larger, smaller = [], []
    for seed in range(200):
        sides = simulated(n=60, seed=seed, offset=offset)
        found = against_copies(*sides, [2 / 3, 1, 1.5], n_draws=100, rng=seed)
        larger.append(found["size"] > found["null high"])
        smaller.append(found["size"] < found["null low"])
    for wrong in (larger, smaller):
        assert (np.mean(wrong, axis=0) < 0.06).all()
        assert np.all(wrong, axis=1).mean() < 0.05


def test_a_factor_beyond_those_planted_is_not_told():
    assert factor_of([0.1, 0.4, 0.9, 5.0], [0.5, 1.0], [0.4, 0.9]).tolist() == [0, 0.5, 1, np.inf]


def test_cells_correlate_where_words_do_and_with_other_words_by_their_pairs_alone():
    rng = np.random.default_rng(0)
    words, pairs = rng.standard_normal((200, 1)), 3 * rng.standard_normal(6)
    text = words + rng.standard_normal((200, 6))
    text[:5, 2] = np.nan
    known, ours = ~np.isnan(text), words + np.zeros(6)
    by_hand = np.corrcoef(ours[known], text[known])[0, 1]
    assert cell_correlation(ours, text) == pytest.approx(by_hand)
    alone = cell_correlations_of_other_words(words + pairs, text + pairs, n_draws=30, rng=0)
    assert 0.5 < alone.mean() < cell_correlation(words + pairs, text + pairs)
    assert np.isnan(cell_correlation([[1.0, 2.0]], [[1.0, np.nan]]))


def test_halves_take_the_noise_of_counts_out_of_the_slope():
    rng = np.random.default_rng(0)
    truth = rng.standard_normal((4000, 3))
    halves = [truth + rng.standard_normal((4000, 3)) for _ in "ab"]
    assert slope_without_noise(1.5 * truth, *halves) == pytest.approx(1.5, abs=0.05)
    assert size_and_slope(1.5 * truth, halves[0])[1] < 0.9
    assert np.isnan(slope_without_noise([[1.0]], [[1.0]], [[-1.0]]))


def test_counts_of_words_beside_pairs_come_from_the_right_columns():
    beside = np.array([[0, 6, 1], [6, 0, 2], [1, 2, 0], [9, 3, 5]])
    table = PairCounts(
        ("she", "he", "man", "nurse"), ("she", "he", "man"), beside, np.arange(1, 5), 99
    )
    counts = counts_beside(table, ["nurse"], [("she", "he"), ("she", "man")])
    assert counts.with_female.tolist() == [[9, 9]] and counts.with_male.tolist() == [[3, 5]]
    assert counts.female.tolist() == [1, 1] and counts.male.tolist() == [2, 3]
