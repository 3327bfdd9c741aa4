"""Planted text: its counts are what was planted."""

import pytest
from scipy.stats import binom

from studies.calibration.corpus import Plan, plant


@pytest.mark.parametrize("plan", [Plan(), Plan(imbalance=-1.0, polysemy=0.4, topic_spread=2.0)])
def test_counts_follow_the_closed_form_of_the_planted_odds(plan):
    corpus = plant([2.0, 1.0, 0.0, -1.0, -2.0], plan, rng=1)
    counts = corpus.counts()
    n, share = counts.sum(axis=1), corpus.expected_share()
    assert counts.sum() == pytest.approx(plan.sentences * (1 - plan.untargeted), rel=0.03)
    low, high = binom.interval(0.9999, n, share)
    assert ((low <= counts[:, 0]) & (counts[:, 0] <= high)).all()
