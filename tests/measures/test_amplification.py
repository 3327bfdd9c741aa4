"""Leans in a text and in vectors: worked by hand, recovered from simulated noise, and words without a count."""

import numpy as np
import pytest

from lib.measures.amplification import (
    amplification,
    mean_over_pairs,
    noise_of_halves,
    scores_of_halves,
    text_beside_vectors,
)


def simulated(factor=1.5, noise=0.6, n=4000, p=3, seed=0):
    """Text and vectors of the whole, and of two halves whose noise is independent."""
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((n, p))
    halves = [truth + noise * rng.standard_normal((n, p)) for _ in "ab"]
    text = sum(halves) / 2
    vectors = factor * truth + 0.4 * rng.standard_normal((5, n, p))
    by_half = [factor * truth + noise * rng.standard_normal((3, n, p)) for _ in "ab"]
    return text, vectors, scores_of_halves(halves, [*by_half, vectors])


def test_a_pair_without_a_count_is_left_out_on_both_sides():
    text = np.array([[1.0, np.nan], [np.nan, np.nan], [1.0, 3.0]])
    vectors = np.array([np.full((3, 2), 2.0), [[4, 100], [0, 0], [4, 8]]])
    table = text_beside_vectors(text, vectors, ["a", "b", "c"])
    assert table.index.tolist() == ["a", "c"]
    assert table.loc["a"].tolist() == [1, 3, 2, 4, 3]
    assert table.loc["c", "vectors"] == 4 and table.loc["c", "text"] == 2
    assert np.isnan(mean_over_pairs(text, ~np.isnan(text))[1])


def test_halves_are_averaged_over_pairs_that_both_know():
    text = [[[1.0, 5.0]], [[3.0, np.nan]]]
    halves = scores_of_halves(text, [np.full((2, 1, 2), 7.0)] * 3)
    assert halves.iloc[0].tolist() == [1, 3, 7, 7, 7]


def test_noise_that_halves_do_not_share_is_taken_out():
    noise = noise_of_halves(simulated(noise=0.8)[2])
    shared = 1 / np.sqrt(3)  # the deviation of a mean of three standard normal leans
    assert noise["text, shared"] == pytest.approx(shared, rel=0.05)
    assert noise["text, RMS"] == pytest.approx(np.sqrt((1 + 0.64) / 3), rel=0.05)
    assert noise["vectors, shared"] == pytest.approx(1.5 * shared, rel=0.05)
    assert noise["words"] == 4000


def test_amplification_is_recovered_and_each_answer_errs_to_its_own_side():
    table = amplification(*simulated(), n_resamples=200, rng=0)
    value = table["value"]
    assert value["slope, halves"] == pytest.approx(1.5, abs=0.05)
    assert value["ratio, halves"] == pytest.approx(1.5, abs=0.05)
    assert value["slope, whole"] < 1.45 and value["ratio, whole"] < 1.45
    assert value["slope, upper end"] >= value["slope, halves"] - 0.05
    assert (table["low"] < value).all() and (value < table["high"]).all()
    assert (table["words"] == 4000).all()


def test_the_same_seed_gives_the_same_interval():
    sides = simulated(n=50)
    first, second = (amplification(*sides, n_resamples=50, rng=4) for _ in range(2))
    assert first.equals(second)
