"""Planted text: its counts are what was planted."""

import numpy as np
import pytest
from scipy.stats import binom

from studies.calibration.corpus import Plan, plant


@pytest.mark.parametrize(
    "plan", [Plan(), Plan(imbalance=-1.0), Plan(polysemy=0.4, topic_spread=2.0)]
)
def test_counts_follow_the_closed_form_of_the_planted_odds(plan):
    corpus = plant([2.0, 1.0, 0.0, -1.0, -2.0], plan, rng=1)
    counts = corpus.counts()
    n, share = counts.sum(axis=1), corpus.expected_share()
    assert counts.sum() == pytest.approx(plan.sentences * (1 - plan.untargeted), rel=0.03)
    low, high = binom.interval(0.9999, n, share)
    assert ((low <= counts[:, 0]) & (counts[:, 0] <= high)).all()


def test_nothing_planted_is_symmetric():
    female, male = plant(np.zeros(5), rng=2).counts().sum(axis=0)
    low, high = binom.interval(0.9999, female + male, 0.5)
    assert low <= female <= high


def test_same_seed_same_corpus_and_another_seed_another():
    first, again, other = (
        plant([1.0, -1.0], Plan(sentences=200), rng=s).numbers for s in (3, 3, 4)
    )
    assert (first == again).all() and (first != other).any()


def test_texts_are_the_words_of_the_numbers():
    corpus = plant([1.0], Plan(sentences=5), rng=0)
    assert corpus.texts()[4][2] == corpus.words[corpus.numbers[4, 2]]
