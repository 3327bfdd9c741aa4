"""Words scored with many pairs: the scorers are the measures, orders and sides in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.agreement import direction_kappa
from lib.measures import direct_bias, neighbourhood_bias, neighbours, ripa
from lib.measures.outside import rank_correlations
from studies.base_pair_stability.by_pair import (
    disagreement_by_lean,
    order_of_mean,
    scorers,
    standardised,
    statistics_of_random_pairs,
    two_way_table,
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


def test_a_table_leaves_ends_open_where_pairs_are_few():
    scores = np.random.default_rng(0).standard_normal((40, 3))
    table = two_way_table(direction_kappa, {"a": scores, "b": np.ones((9, 5))}, columns="halved")
    assert np.isfinite(table.loc["a", "value"]) and table.loc["a", ["low", "high"]].isna().all()
    assert table.loc["b"].isna().all()


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


def test_a_statistic_may_look_at_some_of_the_pairs():
    both = {"first two": np.mean, "all": lambda scores: scores[:, :2].mean()}
    how = dict(columns={"first two": [0, 1]}, draws=20, rng=0)
    found = statistics_of_random_pairs(score, both, VOCABULARY, PLACES, **how)
    assert found["first two"] == pytest.approx(found["all"])
    with pytest.raises(ValueError, match=r"columns.*first two.*third"):
        statistics_of_random_pairs(
            score, {"first two": np.mean}, VOCABULARY, PLACES, columns={"third": [2]}
        )
