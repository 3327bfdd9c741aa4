"""How often a design finds what there is, or shows that nothing is, and how many points that takes."""

import numpy as np
import pytest

from lib.inference.correlation import correlation, power, smallest_equivalence_pvalue
from studies.predictive_validity.power import (
    fewest_to_show,
    points_to_show,
    share_found,
    share_shown_small,
    smallest_found,
)


def test_the_smallest_correlation_found_has_the_power_asked_for():
    for n in (7, 30):
        assert power(smallest_found(n), n) == pytest.approx(0.8, abs=0.002)


def test_a_treatment_without_effect_is_found_at_the_level():
    rng = np.random.default_rng(0)
    scores = np.arange(4.0) + np.zeros((200, 1))
    gaps = np.repeat(rng.standard_normal((200, 1)), 4, axis=1)
    assert share_found(scores, gaps, points=20, rng=0) == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize("bound", [0.1, 0.3, 0.5, 0.9])
def test_with_one_point_less_small_could_not_be_shown(bound):
    fewest = fewest_to_show(bound)
    at_best = [smallest_equivalence_pvalue(n, bound=bound) for n in (fewest - 1, fewest)]
    assert at_best[0] >= 0.05 > at_best[1]
    assert share_shown_small(bound, [fewest - 1, fewest]).tolist()[0] == 0


def test_a_correlation_of_zero_is_shown_to_be_small_as_often_as_said():
    rng = np.random.default_rng(0)
    for n in (7, 14, 30):
        found = [
            correlation(*rng.standard_normal((2, n)), n_resamples=1, rng=0).equivalence_pvalue
            < 0.05
            for _ in range(400)
        ]
        assert share_shown_small(0.5, n) == pytest.approx(np.mean(found), abs=0.06)


def test_thirty_two_points_show_it_four_times_in_five():
    assert fewest_to_show(0.5) == 12 and points_to_show(0.5) == 32
    assert share_shown_small(0.5, 32) >= 0.8 > share_shown_small(0.5, 31)


@pytest.mark.parametrize("wrong", [0, 1, -0.2, 2])
def test_a_bound_lies_between_none_and_all(wrong):
    for function in (fewest_to_show, points_to_show):
        with pytest.raises(ValueError, match="bound: expected"):
            function(wrong)
    with pytest.raises(ValueError, match="four points"):
        share_shown_small(0.5, 3)
    with pytest.raises(ValueError, match="share between"):
        points_to_show(0.5, share=1)
