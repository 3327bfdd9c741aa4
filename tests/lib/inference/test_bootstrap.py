"""Bootstrap intervals: coverage, closed forms, and bad input."""

import numpy as np
import pytest
from scipy import stats

from lib.inference.bootstrap import bca_interval, clustered_share, word_interval


def test_word_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(200):
        low, high = word_interval(np.mean, rng.standard_normal((40, 1)), n_resamples=200, rng=seed)
        covered += low <= 0 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_several_lists_are_resampled_each_by_itself():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(12) + 2, rng.standard_normal(9)
    ends = bca_interval(
        lambda a, b: x[a].mean(axis=-1) - y[b].mean(axis=-1), [12, 9], n_resamples=400, rng=1
    )
    theirs = stats.bootstrap(
        (x, y), lambda a, b: a.mean() - b.mean(), n_resamples=400, vectorized=False, rng=1
    )
    assert ends == pytest.approx(tuple(theirs.confidence_interval))


def test_a_share_of_clusters_of_one_is_the_binomial_bootstrap():
    rng = np.random.default_rng(1)
    leans = rng.random(400) < 0.3
    share, low, high = clustered_share(leans, rows=np.arange(400), n_resamples=4000, rng=0)
    half = 1.96 * np.sqrt(share * (1 - share) / 400)
    assert share == leans.mean()
    assert (low, high) == pytest.approx((share - half, share + half), abs=0.008)


def test_items_that_say_the_same_in_a_cluster_widen_the_interval():
    rng = np.random.default_rng(1)
    one_a_cluster = rng.random(40) < 0.5
    copied, labels = np.repeat(one_a_cluster, 10), np.repeat(np.arange(40), 10)
    wide = clustered_share(copied, rows=labels, rng=0)
    narrow = clustered_share(copied, rows=np.arange(400), rng=0)
    assert wide[0] == narrow[0]
    assert wide[2] - wide[1] > 2.5 * (narrow[2] - narrow[1])


def test_bad_input_says_what_was_expected_and_what_came(refuses):
    refuses(lambda: word_interval(np.mean, [1, 2]), ["three words or more", "[2]"])
    refuses(
        lambda: word_interval(np.mean, [1, 2, 4], confidence_level=95), ["confidence_level", "95"]
    )
