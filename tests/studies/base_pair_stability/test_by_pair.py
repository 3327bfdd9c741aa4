"""Words scored with many pairs: the scorers are the measures, orders and sides in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.measures import direct_bias, neighbourhood_bias, neighbours, ripa
from lib.measures.outside import rank_correlations
from studies.base_pair_stability.by_pair import (
    disagreement_by_lean,
    scorers,
    standardised,
    statistics_of_random_pairs,
)

RNG = np.random.default_rng(0)
WORDS, NEUTRAL, FEMALE, MALE = (RNG.standard_normal((n, 12)) for n in (30, 90, 3, 3))


def test_scorers_give_what_the_measures_give():
    own = np.r_[np.arange(10), np.full(20, -1)]
    found = {
        name: scorer(FEMALE, MALE)
        for name, scorer in scorers(WORDS, NEUTRAL, 20, exclude=own).items()
    }
    near = neighbours(WORDS, NEUTRAL, 20, exclude=own)
    expected = {
        "DB/WA": direct_bias(WORDS, FEMALE, MALE),
        "RIPA": ripa(WORDS, FEMALE, MALE),
        "NBM": neighbourhood_bias(WORDS, FEMALE, MALE, NEUTRAL, neighbours=near),
    }
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert found[name] == pytest.approx(values)


@given(st.integers(0, 2**32 - 1))
def test_an_offset_or_a_scale_of_a_pair_changes_no_order_and_no_centred_side(seed):
    rng = np.random.default_rng(seed)
    scores, facts = rng.standard_normal((12, 5)), rng.standard_normal(12)
    moved = scores * rng.uniform(0.5, 2, 5) + rng.uniform(-9, 9, 5)
    assert standardised(moved) == pytest.approx(standardised(scores))
    assert rank_correlations(moved, facts) == pytest.approx(rank_correlations(scores, facts))
    assert disagreement_by_lean(moved) == pytest.approx(disagreement_by_lean(scores))


SCORED, VOCABULARY = np.random.default_rng(0).standard_normal((2, 400, 20))
PLACES = [[0, 1], [2, 3], [4, 5]]


def score(female, male):
    return SCORED @ (female - male).T


def test_a_statistic_may_be_several_numbers_and_base_pairs_are_never_drawn():
    seen = []

    def spied(female, male):
        seen.append(female)
        return score(female, male)

    means = {"mean": lambda scores: scores.mean(axis=0)}
    found = statistics_of_random_pairs(spied, means, VOCABULARY, PLACES, draws=200, rng=0)["mean"]
    assert found.shape == (200, 3) and abs(found.mean()) < 0.05
    given = VOCABULARY[np.ravel(PLACES)]
    assert not any((row == given).all(axis=1).any() for draw in seen for row in draw)
