"""Recoverability: two groups that are told apart or not, and what bad input says."""

import numpy as np
import pytest

from lib.debiasing.recoverability import (
    Recovered,
    recoverability,
)


def two_groups(apart, n=40, d=10):
    """n + n points whose first coordinate differs by `apart` deviations."""
    labels = np.arange(2 * n) < n
    points = np.random.default_rng(1).standard_normal((2 * n, d)) + 5
    points[:, 0] += apart * labels
    return points, labels


def test_groups_far_apart_are_told_apart_and_equal_groups_are_not():
    apart = recoverability(*two_groups(30), rng=0)
    assert apart == Recovered(1.0, 1.0)
    alike = recoverability(*two_groups(0), rng=0)
    assert 0.5 <= alike.clusters < 0.7
    assert 0.3 < alike.classifier < 0.7


def test_length_of_vectors_does_not_count():
    points, labels = two_groups(2)
    scaled = points * np.linspace(0.5, 3, len(points))[:, None]
    assert recoverability(points, labels, rng=0) == recoverability(scaled, labels, rng=0)


def test_the_same_seed_gives_the_same_result():
    assert recoverability(*two_groups(1), rng=5) == recoverability(*two_groups(1), rng=5)


POINTS, LABELS = two_groups(1, n=6)
REFUSED = {
    "labels of another number": (lambda: recoverability(POINTS, LABELS[:-1]), []),
    "one group": (lambda: recoverability(POINTS, np.ones(12)), []),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])


def test_importing_loads_no_learning_library(loaded_by):
    assert loaded_by("lib.debiasing.recoverability", ["sklearn", "torch", "transformers"]) == []
