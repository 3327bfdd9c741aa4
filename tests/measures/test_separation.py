"""Separation of two groups of points: closed forms, an oracle, shuffles, and what bad input says."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score

from lib.measures.separation import separation


def clouds(apart, n=30, k=2, seed=0):
    labels = np.arange(2 * n) < n
    points = np.random.default_rng(seed).standard_normal((2 * n, k))
    points[:, -1] += apart * labels
    return points, labels


def test_four_points_by_hand():
    # first group at 3 and 1, second at 2 and 0: three of the four comparisons go the way of the means
    assert separation([3, 1, 2, 0], [1, 1, 0, 0], shuffles=10, rng=0).auc == 0.75


def test_a_clean_cut_is_1_and_swapping_the_groups_changes_nothing():
    points, labels = clouds(50)
    assert separation(points, labels, rng=0).auc == 1
    some = clouds(1)
    assert separation(*some, shuffles=1, rng=0).auc == pytest.approx(
        separation(some[0], ~some[1], shuffles=1, rng=0).auc
    )


@pytest.mark.parametrize("k", [1, 2, 5])
def test_it_is_the_area_under_the_curve_of_fishers_discriminant(k):
    points, labels = clouds(1.2, k=k, seed=k)
    scores = LinearDiscriminantAnalysis().fit(points, labels).decision_function(points)
    assert separation(points, labels, shuffles=1, rng=0).auc == pytest.approx(
        roc_auc_score(labels, scores)
    )


def test_it_does_not_depend_on_scale_place_or_rotation():
    points, labels = clouds(1)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((2, 2)))[0]
    changed = separation(points @ turn * 7 + 100, labels, shuffles=1, rng=0)
    assert changed.auc == pytest.approx(separation(points, labels, shuffles=1, rng=0).auc)


def test_shuffled_labels_of_one_cloud_part_it_as_well_as_the_real_ones():
    found = [
        separation(*clouds(0, seed=seed), shuffles=200, rng=seed).p_value for seed in range(100)
    ]
    assert 0.35 < np.mean(found) < 0.65
    assert np.mean(np.array(found) <= 0.05) < 0.12


def test_real_groups_are_beyond_shuffled_ones_and_p_is_never_0():
    found = separation(*clouds(3), shuffles=99, rng=0)
    assert found.auc > found.high > found.shuffled > 0.5
    assert found.p_value == pytest.approx(1 / 100)


def test_points_on_a_line_in_the_plane_are_no_obstacle():
    points, labels = clouds(2, k=1)
    assert separation(np.repeat(points, 2, axis=1), labels, shuffles=5, rng=0).auc == pytest.approx(
        separation(points, labels, shuffles=5, rng=0).auc
    )


REFUSED = {
    "labels of another number": (
        lambda: separation([1, 2, 3], [True, False]),
        ["labels of two groups", "(3, 1), (2,)"],
    ),
    "one group": (lambda: separation([1, 2], [True, True]), ["two groups", "2 true"]),
    "no spread": (lambda: separation([1, 1], [True, False]), ["points that differ"]),
    "a cube": (lambda: separation(np.ones((2, 2, 2)), [True, False]), ["(m, k)"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])
