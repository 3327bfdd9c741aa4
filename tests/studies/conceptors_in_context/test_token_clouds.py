"""Distances of clouds of tokens: closed forms, and unbiased under noise; and how well two clouds are parted."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score

from lib.inference.jackknife import interval_over_tokens
from studies.conceptors_in_context.token_clouds import (
    contrast_square,
    factor_shares,
    separation,
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


def test_the_interval_of_a_distance_covers_it_about_as_often_as_it_should():
    rng, covered = np.random.default_rng(6), 0
    for _ in range(200):
        clouds = [cloud([1, 0, 0], 20, 1.0, rng), cloud([0, 0, 0], 20, 1.0, rng)]
        low, high = interval_over_tokens(lambda two: contrast_square(two, [1, -1]), clouds)
        covered += low <= 1 <= high
    assert 170 <= covered <= 199


def two_clouds(apart, n=30, k=2, seed=0):
    labels = np.arange(2 * n) < n
    points = np.random.default_rng(seed).standard_normal((2 * n, k))
    points[:, -1] += apart * labels
    return points, labels


def test_four_points_by_hand():
    # first group at 3 and 1, second at 2 and 0: three of the four comparisons go the way of the means
    assert separation([3, 1, 2, 0], [1, 1, 0, 0], shuffles=10, rng=0).auc == 0.75


def test_it_is_the_area_under_the_curve_of_fishers_discriminant():
    points, labels = two_clouds(1.2, k=5, seed=5)
    scores = LinearDiscriminantAnalysis().fit(points, labels).decision_function(points)
    assert separation(points, labels, shuffles=1, rng=0).auc == pytest.approx(
        roc_auc_score(labels, scores)
    )


def test_shuffled_labels_of_one_cloud_part_it_as_well_as_the_real_ones():
    found = [
        separation(*two_clouds(0, seed=seed), shuffles=200, rng=seed).p_value for seed in range(100)
    ]
    assert 0.35 < np.mean(found) < 0.65
    assert np.mean(np.array(found) <= 0.05) < 0.12
