"""Leans in a text and in vectors: worked by hand, recovered from simulated noise, and words without a count."""

import numpy as np
import pytest

from studies.ripa.text_and_vectors import (
    mean_over_pairs,
    noise_of_halves,
    scores_of_halves,
    sizes,
    sizes_with_intervals,
    text_beside_vectors,
)


def simulated(factor=1.5, noise=0.6, n=4000, p=3, seed=0):
    """Text and vectors of two halves whose noise is independent, beside vectors of the whole."""
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((n, p))
    halves = [truth + noise * rng.standard_normal((n, p)) for _ in "ab"]
    vectors = factor * truth + 0.4 * rng.standard_normal((5, n, p))
    by_half = [factor * truth + noise * rng.standard_normal((3, n, p)) for _ in "ab"]
    return scores_of_halves(halves, [*by_half, vectors])


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
    noise = noise_of_halves(simulated(noise=0.8))
    shared = 1 / np.sqrt(3)  # the deviation of a mean of three standard normal leans
    assert noise["text, shared"] == pytest.approx(shared, rel=0.05)
    assert noise["text, RMS"] == pytest.approx(np.sqrt((1 + 0.64) / 3), rel=0.05)
    assert noise["vectors, shared"] == pytest.approx(1.5 * shared, rel=0.05)
    assert noise["words"] == 4000


def test_sizes_are_means_of_absolute_leans_over_known_pairs():
    text = [[1.0, np.nan], [-3.0, 1.0], [np.nan, np.nan]]
    vectors = [[[2.0, 9.0], [-2.0, -4.0], [5.0, 5.0]], [[-2.0, 9.0], [1.0, 1.0], [5.0, 5.0]]]
    assert sizes(text, vectors) == (1.0, (2 + 3 + 2 + 1) / 4)
    assert np.isnan(sizes([[np.nan]], [[[1.0]]])).all()


def test_sizes_with_intervals_say_what_training_adds():
    rng = np.random.default_rng(2)
    text = rng.standard_normal((80, 1)) + 0.2 * rng.standard_normal((80, 6))
    found = sizes_with_intervals(text, [1.5 * text], n_resamples=200, rng=0)
    value = found["value"]
    assert value["change"] == pytest.approx(value["vectors"] - value["text"])
    assert value["vectors"] == pytest.approx(1.5 * value["text"])
    assert (found["low"] < value).all() and (value < found["high"]).all()
