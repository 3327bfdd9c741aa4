"""Distances of clouds of tokens: closed forms, unbiased under noise, and what bad input says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.measures.token_clouds import (
    contrast_square,
    factor_shares,
    interval_over_tokens,
    share_along,
)

RNG = np.random.default_rng(0)


def cloud(mean, m=10, spread=0.0, rng=RNG):
    return np.asarray(mean, float) + spread * rng.standard_normal((m, len(mean)))


def test_without_noise_it_is_the_squared_distance_of_the_means():
    assert contrast_square([cloud([3, 4]), cloud([0, 0])], [1, -1]) == pytest.approx(25)


@pytest.mark.parametrize("paired", [False, True])
def test_clouds_around_one_place_are_at_distance_zero_on_average(paired):
    rng = np.random.default_rng(1)
    values = [
        contrast_square(
            [cloud([0] * 20, 8, 1.0, rng), cloud([0] * 20, 8, 2.0, rng)], [1, -1], paired=paired
        )
        for _ in range(600)
    ]
    mean, error = np.mean(values), np.std(values) / np.sqrt(len(values))
    assert abs(mean) < 4 * error
    uncorrected = 20 * (1 + 4) / 8  # what the means alone would give
    assert abs(mean) < 0.1 * uncorrected


def test_what_a_sentence_does_to_both_words_cancels_in_pairs():
    sentence = 50 * RNG.standard_normal((12, 4))
    first, second = sentence + np.eye(4)[0], sentence
    assert contrast_square([first, second], [1, -1], paired=True) == pytest.approx(1)


@given(st.floats(-5, 5).filter(lambda scale: abs(scale) > 0.1))
def test_it_grows_with_the_square_of_the_scale(scale):
    clouds = [cloud([1, 2], 5, 1.0, np.random.default_rng(s)) for s in (1, 2)]
    scaled = contrast_square([scale * one for one in clouds], [1, -1])
    assert scaled == pytest.approx(scale**2 * contrast_square(clouds, [1, -1]))


def test_shares_along_all_axes_add_up():
    clouds = [cloud([3, 1, 2], 6, 0.3), cloud([0, 0, 1], 6, 0.3)]
    shares = [share_along(clouds, [1, -1], [axis]) for axis in np.eye(3)]
    assert sum(shares) == pytest.approx(1)
    assert share_along(clouds, [1, -1], np.eye(3)) == pytest.approx(1)


def test_a_contrast_no_longer_than_its_noise_has_no_shares():
    clouds = [np.array([[1.0, 0], [-1.0, 0]]), np.array([[0, 1.0], [0, -1.0]])]
    assert np.isnan(share_along(clouds, [1, -1], [1.0, 0]))


def test_four_words_are_taken_apart_into_two_factors_and_their_crossing():
    base, gender, kind, both = np.eye(4)
    clouds = [
        cloud(base + (2 * gender if g else 0) + (kind if k else 0) + (both if g and k else 0))
        for k in (0, 1)
        for g in (0, 1)
    ]
    shares = factor_shares(clouds, [0, 1, 0, 1], [0, 0, 1, 1])
    assert shares["first"] == pytest.approx((4 + 1 / 4) / (4 + 1 + 3 / 4))
    assert sum(shares.values()) == pytest.approx(1)


def test_the_interval_of_a_mean_is_its_standard_error():
    tokens = np.random.default_rng(5).standard_normal((40, 1))
    low, high = interval_over_tokens(lambda clouds: float(clouds[0].mean()), [tokens], width=1)
    assert (high - low) / 2 == pytest.approx(tokens.std(ddof=1) / np.sqrt(40))


def test_the_interval_of_a_distance_covers_it_about_as_often_as_it_should():
    rng, covered = np.random.default_rng(6), 0
    for _ in range(200):
        clouds = [cloud([1, 0, 0], 20, 1.0, rng), cloud([0, 0, 0], 20, 1.0, rng)]
        low, high = interval_over_tokens(lambda two: contrast_square(two, [1, -1]), clouds)
        covered += low <= 1 <= high
    assert 170 <= covered <= 199


TWO = [cloud([1, 0]), cloud([0, 1])]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: contrast_square(TWO, [1]), "a weight for each word"),
        (lambda: contrast_square([], []), "a weight for each word"),
        (lambda: contrast_square([[[1.0]], [[1.0], [2.0]]], [1, -1]), "two tokens or more"),
        (lambda: contrast_square([cloud([1]), cloud([1, 2])], [1, -1]), "one shape"),
        (lambda: contrast_square([cloud([1]), cloud([1], 5)], [1, -1], paired=True), "one shape"),
        (lambda: contrast_square([cloud([np.nan]), cloud([1])], [1, -1]), "finite"),
        (lambda: share_along(TWO, [1, -1], [[1.0, 1.0]]), "orthonormal"),
        (lambda: share_along(TWO, [1, -1], [[1.0, 0, 0]]), "expected 2 dimensions"),
        (
            lambda: factor_shares(TWO * 2, [0, 0, 1, 1], [0, 0, 1, 1]),
            "each combination|one for each",
        ),
        (lambda: factor_shares([cloud([1.0])] * 4, [0, 0, 1, 1], [0, 1, 0, 1]), "more than noise"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
