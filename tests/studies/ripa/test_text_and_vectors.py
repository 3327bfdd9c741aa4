"""Leans in a text and in vectors: worked by hand, recovered from simulated noise, and words without a count."""

import numpy as np
import pytest

from studies.ripa.text_and_vectors import (
    noise_of_halves,
    scores_of_halves,
)


def simulated(factor=1.5, noise=0.6, n=4000, p=3, seed=0):
    """Text and vectors of two halves whose noise is independent, beside vectors of the whole."""
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((n, p))
    halves = [truth + noise * rng.standard_normal((n, p)) for _ in "ab"]
    vectors = factor * truth + 0.4 * rng.standard_normal((5, n, p))
    by_half = [factor * truth + noise * rng.standard_normal((3, n, p)) for _ in "ab"]
    return scores_of_halves(halves, [*by_half, vectors])


def test_noise_that_halves_do_not_share_is_taken_out():
    noise = noise_of_halves(simulated(noise=0.8))
    shared = 1 / np.sqrt(3)  # the deviation of a mean of three standard normal leans
    assert noise["text, shared"] == pytest.approx(shared, rel=0.05)
    assert noise["text, RMS"] == pytest.approx(np.sqrt((1 + 0.64) / 3), rel=0.05)
    assert noise["vectors, shared"] == pytest.approx(1.5 * shared, rel=0.05)
    assert noise["words"] == 4000
