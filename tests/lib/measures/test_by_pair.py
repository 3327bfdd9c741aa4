"""Words scored with many pairs: the scorers are the measures, orders and sides in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.measures import direct_bias, neighbourhood_bias, neighbours, ripa
from lib.measures.by_pair import (
    disagreement_by_lean,
    order_of_mean,
    rank_correlations,
    scorers,
    standardised,
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


def test_rank_correlations_are_those_of_scipy_ties_and_all():
    scores = RNG.integers(0, 9, (40, 3)).astype(float)
    facts = RNG.integers(0, 9, 40).astype(float)
    facts[::7] = np.nan
    known = np.isfinite(facts)
    expected = [stats.spearmanr(column[known], facts[known])[0] for column in scores.T]
    assert rank_correlations(scores, facts) == pytest.approx(expected)
    assert np.isnan(rank_correlations(np.ones((40, 2)), facts)).all()


def test_fewer_than_two_facts_give_no_order():
    assert np.isnan(rank_correlations(np.ones((3, 2)), [1, np.nan, np.nan])).all()


def test_the_mean_over_pairs_is_as_good_as_its_pairs_where_they_say_the_same():
    word, facts = RNG.standard_normal(30), RNG.standard_normal(30)
    scores = word[:, None] * [1, 5, 9] + [0, 100, -100]
    assert order_of_mean(scores, facts) == pytest.approx(rank_correlations(scores, facts)[1])


@given(st.integers(0, 2**32 - 1))
def test_an_offset_or_a_scale_of_a_pair_changes_no_order_and_no_centred_side(seed):
    rng = np.random.default_rng(seed)
    scores, facts = rng.standard_normal((12, 5)), rng.standard_normal(12)
    moved = scores * rng.uniform(0.5, 2, 5) + rng.uniform(-9, 9, 5)
    assert standardised(moved) == pytest.approx(standardised(scores))
    assert rank_correlations(moved, facts) == pytest.approx(rank_correlations(scores, facts))
    assert disagreement_by_lean(moved) == pytest.approx(disagreement_by_lean(scores))


def test_pairs_that_share_a_score_agree_and_pairs_of_noise_disagree_at_every_lean():
    word = RNG.standard_normal((900, 1))
    assert disagreement_by_lean(np.repeat(word, 5, axis=1)) == pytest.approx([0, 0, 0])
    noise = disagreement_by_lean(RNG.standard_normal((900, 8)))
    assert noise == pytest.approx([0.5, 0.5, 0.5], abs=0.03)
    mixed = disagreement_by_lean(word + 0.5 * RNG.standard_normal((900, 8)))
    assert mixed[0] > 0.3 and mixed[2] < 0.1


BAD = {
    "a fact too few": (lambda: rank_correlations(np.ones((4, 2)), [1, 2, 3]), ["(4, 2)", "(3,)"]),
    "three pairs": (lambda: disagreement_by_lean(np.ones((9, 3))), ["four pairs", "3 pairs"]),
    "two words": (lambda: disagreement_by_lean(np.ones((2, 5))), ["at least 3 words", "2 words"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])
