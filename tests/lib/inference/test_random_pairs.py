"""Random pairs in place of base pairs: the same draws as for kappa, and what a statistic of noise is."""

import numpy as np
import pytest

from lib.agreement import direction_kappa, kappas_of_random_pairs
from lib.inference.random_pairs import central, statistics_of_random_pairs

WORDS, VOCABULARY = np.random.default_rng(0).standard_normal((2, 400, 20))
PAIRS = [[0, 1], [2, 3], [4, 5]]


def score(female, male):
    return WORDS @ (female - male).T


@pytest.mark.parametrize("matched", [True, False])
def test_kappas_are_those_of_the_function_for_kappa(matched):
    asked = dict(draws=30, matched=matched, rng=3)
    found = statistics_of_random_pairs(
        score, {"kappa": direction_kappa}, VOCABULARY, PAIRS, **asked
    )["kappa"]
    assert found == pytest.approx(kappas_of_random_pairs(score, VOCABULARY, PAIRS, **asked))


def test_a_statistic_may_be_several_numbers_and_base_pairs_are_never_drawn():
    seen = []

    def spied(female, male):
        seen.append(female)
        return score(female, male)

    means = {"mean": lambda scores: scores.mean(axis=0)}
    found = statistics_of_random_pairs(spied, means, VOCABULARY, PAIRS, draws=200, rng=0)["mean"]
    assert found.shape == (200, 3) and abs(found.mean()) < 0.05
    given = VOCABULARY[np.ravel(PAIRS)]
    assert not any((row == given).all(axis=1).any() for draw in seen for row in draw)


def test_the_central_part_leaves_out_what_is_undefined():
    values = np.r_[np.arange(101.0), np.nan, np.inf].reshape(-1, 1)
    assert central(values, share=0.9) == (50, 5, 95)
    assert np.isnan(central([np.nan])).all()
    with pytest.raises(ValueError, match="share"):
        central(values, share=90)


def test_a_row_that_is_no_row_of_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match="positions"):
        statistics_of_random_pairs(score, {}, VOCABULARY, [[0, 400]], draws=3, rng=0)


def test_a_statistic_may_look_at_some_of_the_pairs():
    both = {"first two": np.mean, "all": lambda scores: scores[:, :2].mean()}
    how = dict(columns={"first two": [0, 1]}, draws=20, rng=0)
    found = statistics_of_random_pairs(score, both, VOCABULARY, PAIRS, **how)
    assert found["first two"] == pytest.approx(found["all"])
    with pytest.raises(ValueError, match=r"columns.*first two.*third"):
        statistics_of_random_pairs(
            score, {"first two": np.mean}, VOCABULARY, PAIRS, columns={"third": [2]}
        )
