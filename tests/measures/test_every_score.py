"""Every signed score of a list of words, pair by pair."""

import numpy as np
import pytest

from lib.measures.every_score import every_score


@pytest.fixture
def parts():
    rng = np.random.default_rng(1)
    return [rng.standard_normal((n, 6)) for n in (7, 3, 3, 20)]


def test_measures_that_are_one_by_algebra_are_equal(parts):
    scores = every_score(*parts, k=5)
    for first, second in [
        ("direct bias", "MAC difference"),
        ("RIPA", "axis projection"),
    ]:
        np.testing.assert_allclose(scores[first], scores[second], atol=1e-12)


def test_the_others_are_not_equal(parts):
    scores = every_score(*parts, k=5)
    kinds = ["direct bias", "polarity", "RIPA", "norm difference", "neighbourhood"]
    for place, first in enumerate(kinds):
        for second in kinds[place + 1 :]:
            assert not np.allclose(scores[first], scores[second]), (first, second)


def test_a_word_on_the_first_pole_leans_to_it_with_every_measure():
    first, second = np.array([[1.0, 0.2]]), np.array([[-1.0, 0.2]])
    neutral = np.array([[0.9, 0.1], [0.8, 0.3], [-0.9, 0.1], [-0.8, 0.3]])
    scores = every_score([[1.0, 0.1], [-1.0, 0.1]], first, second, neutral, k=2)
    for name, values in scores.items():
        assert values[0, 0] > 0 > values[1, 0], name


def test_swapped_poles_change_every_sign_but_ties(parts):
    words, first, second, neutral = parts
    scores, swapped = every_score(*parts, k=5), every_score(words, second, first, neutral, k=5)
    for name, values in scores.items():
        np.testing.assert_allclose(values, -swapped[name], atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": np.ones((2, 6))}, "expected as many female as male"),
        ({"words": np.ones((2, 5))}, "dimensions|d"),
        ({"k": 21}, "k"),
    ],
)
def test_bad_input_is_named(parts, change, message):
    given = dict(zip(("words", "first", "second", "neutral"), parts)) | {"k": 5} | change
    with pytest.raises(ValueError, match=message):
        every_score(**given)
