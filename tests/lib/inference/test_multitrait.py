"""Agreement within and across two measurements, on scores whose reliability is planted."""

import numpy as np
import pytest

from lib.inference.multitrait import icc_interval, multitrait_multimethod

KEYS = [("lean", "a"), ("lean", "b"), ("size", "a"), ("size", "b")]


def measured(seed, n=4_000):
    """Two measurements of two traits by two methods; each method adds its own error of variance one."""
    rng = np.random.default_rng(seed)
    truth = {trait: rng.standard_normal(n) for trait in ("lean", "size")}
    return [
        {(trait, method): truth[trait] + rng.standard_normal(n) for trait, method in KEYS}
        for _ in range(2)
    ]


def test_planted_reliability_of_a_half_comes_back_and_correction_gives_one():
    table = multitrait_multimethod(*measured(0), n_resamples=20, rng=0).set_index("kind")
    spearman_of_half = 6 / np.pi * np.arcsin(0.5 / 2)  # of a Pearson correlation of .5
    assert table.loc["reliability", "across"].to_numpy() == pytest.approx(
        [spearman_of_half] * 4, abs=0.04
    )
    assert table.loc["same trait", "corrected"].to_numpy() == pytest.approx([1.0] * 2, abs=0.06)
    assert table.loc["same method", "across"].abs().max() < 0.06
    assert table.loc["neither", "across"].abs().max() < 0.06


def test_noise_shared_by_two_methods_is_agreement_within_and_not_across():
    rng = np.random.default_rng(1)
    noise = [rng.standard_normal(2_000) for _ in range(2)]
    first, second = (
        {("lean", m): n + 0.1 * rng.standard_normal(2_000) for m in "ab"} for n in noise
    )
    row = (
        multitrait_multimethod(first, second, n_resamples=10, rng=0)
        .query("kind == 'same trait'")
        .iloc[0]
    )
    assert row["within"] > 0.95 and abs(row["across"]) < 0.06


def test_a_corrected_correlation_has_an_interval_around_the_planted_one():
    table = multitrait_multimethod(*measured(3, 200), n_resamples=200, rng=0).set_index("kind")
    row = table.loc["same trait"].iloc[0]
    assert row["corrected low"] < 1 < row["corrected high"]
    assert row["corrected low"] < row["corrected"] < row["corrected high"]


def test_an_interval_of_reliability_is_that_of_shrout_and_fleiss_and_closes_without_error():
    scores = [
        [9, 2, 5, 8],
        [6, 1, 3, 2],
        [8, 4, 6, 8],
        [7, 1, 2, 6],
        [10, 5, 6, 9],
        [6, 2, 4, 7],
    ]
    assert icc_interval(scores) == pytest.approx((0.342, 0.946), abs=1e-3)
    assert icc_interval(scores, 4) == pytest.approx((0.676, 0.986), abs=1e-3)
    assert icc_interval([[1, 2], [2, 3], [5, 6]]) == (1.0, 1.0)
