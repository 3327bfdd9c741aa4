"""Scores of the competition, by hand; test_intervals compares them with scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.scores import accuracy, by_gender, f1, log_loss, losses

ANSWERS = np.array([0, 1, 2, 0, 1])


def test_equal_probabilities_cost_the_logarithm_of_three_and_the_clip_bounds_a_sure_mistake():
    assert log_loss(np.ones((5, 3)), ANSWERS) == pytest.approx(np.log(3))
    assert losses([[1.0, 0.0, 0.0]], [1])[0] == pytest.approx(-np.log(1e-15))


@given(st.integers(0, 2**32 - 1))
def test_exchanging_the_two_names_changes_no_score(seed):
    rng = np.random.default_rng(seed)
    rows, right = rng.dirichlet([1, 1, 1], size=20), rng.integers(0, 3, 20)
    swapped = np.array([1, 0, 2])
    for score in (log_loss, accuracy, f1):
        assert score(rows[:, swapped], swapped[right]) == pytest.approx(
            score(rows, right), nan_ok=True
        )


def test_a_ratio_below_one_is_worse_on_feminine_pronouns_for_every_score():
    right = np.tile([0, 1, 2], 20)
    female = np.arange(60) < 30
    sure = np.where(female, 0.6, 0.9)
    rows = np.full((60, 3), 0.0)
    rows[np.arange(60), right] = sure
    rows[np.arange(60), (right + 1) % 3] = 1 - sure
    rows[:6] = rows[:6][:, [1, 2, 0]]
    assert (by_gender(rows, right, female)["ratio"] < 1).all()
    mirrored = by_gender(rows, right, ~female)["ratio"]
    np.testing.assert_allclose(mirrored, 1 / by_gender(rows, right, female)["ratio"])
