"""Recoverability: two groups that are told apart or not, whatever the length of their vectors."""

import numpy as np

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


def test_importing_loads_no_learning_library(loaded_by):
    assert loaded_by("lib.debiasing.recoverability", ["sklearn", "torch", "pandas"]) == []
