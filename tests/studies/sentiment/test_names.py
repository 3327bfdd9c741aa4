"""The null of random pairs: its closed form, what it cannot see, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.text_classification.sentiment.lexicons import Vader
from studies.sentiment.names import (
    null_differences,
    own_names,
    phrase_scores,
)

GROUPS = ["f"] * 40 + ["m"] * 40


def scores(seed=0, phrases=80, occupations=5):
    return np.random.default_rng(seed).random((phrases, occupations))


def test_its_deviation_is_that_of_differences_of_means():
    """Independent values of variance v, one column: the mean of p differences has variance 2v / p."""
    drawn = np.random.default_rng(1).standard_normal((4000, 1))
    null = null_differences(drawn, ["one"] * 4000, pairs=20, draws=4000, rng=0)
    assert null.std() == pytest.approx(np.sqrt(2 / 20), rel=0.05)
    assert abs(null.mean()) < 4 * null.std() / np.sqrt(4000)


@settings(max_examples=20)
@given(st.floats(-10, 10))
def test_a_difference_between_the_groups_cannot_enter(gap):
    values = scores()
    moved = values + np.where(np.array(GROUPS) == "f", gap, 0)[:, None]
    one, other = (null_differences(rows, GROUPS, 20, 50, rng=3) for rows in (values, moved))
    np.testing.assert_allclose(one, other, atol=1e-10)


def test_a_valued_adjective_is_far_outside_the_null_and_a_plain_one_inside():
    names = own_names()[::8]
    model = Vader().positive
    plain, kind = (phrase_scores(model, names["phrase"], adjective=a) for a in ("", "kind"))
    null = null_differences(plain, names["group"], pairs=4, draws=200, rng=0)
    assert abs((kind - plain).mean()) > np.abs(null).max()
    local = phrase_scores(model, names["phrase"], adjective="local")
    np.testing.assert_array_equal(local, plain)
