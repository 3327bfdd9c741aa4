"""One text here and now: every score, a measure of one's own, and texts that are too short."""

import numpy as np
import pytest

from studies.calibration.corpus import Plan, plant
from studies.calibration.live import COUNTING, OWN, live_scores, told_apart, too_little

PLAN = Plan(sentences=3_000, types=150)


def first_pair(words, female, male):
    return words @ (female[0] - male[0])


def test_a_text_is_scored_by_every_measure_and_by_one_s_own():
    corpus = plant(np.linspace(-2, 2, 12), PLAN, rng=0)
    scores, told = live_scores(corpus, first_pair, seed=0, rng=np.random.default_rng(0))
    assert list(scores.index) == [f"target{i:04d}" for i in range(12)] and told >= 4
    assert {COUNTING, OWN, "RIPA, skip-gram", "log probability bias"} <= set(scores)
    assert scores[[COUNTING, "direct bias, skip-gram"]].corr("spearman").iloc[0, 1] > 0.7


def test_a_measure_of_another_shape_is_refused_in_words():
    corpus = plant([1.0, 0.0, -1.0], PLAN, rng=0)
    with pytest.raises(ValueError, match="each of 3 words, got shape"):
        live_scores(corpus, lambda w, f, m: w, seed=0, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("odds", "sentences", "said"),
    [
        ([1.0, 0.0, -1.0], 3_000, ""),
        ([1.0, -1.0], 3_000, "2 target words"),
        ([1.0] * 4, 2, "lacks"),
    ],
)
def test_a_text_that_is_too_short_says_what_it_lacks(odds, sentences, said):
    reason = too_little(plant(odds, Plan(sentences=sentences, types=50), rng=0))
    assert said in reason and bool(said) == bool(reason)


def test_pairs_that_mean_the_same_tell_one_another_apart():
    rng = np.random.default_rng(0)
    male = rng.standard_normal((5, 8))
    axis = 4 * np.ones(8)
    assert told_apart(male + axis, male) == 5 and told_apart(male[:1] + axis, male[:1]) == 0
