"""Accuracy, consistency, gaps and leans on sentences that differ in a pronoun, P(neither): closed forms and nulls."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.coreference.sentences import occupation_leans
from studies.resolvers.contrasts import (
    accuracy_by,
    is_right,
    neither_gap,
    paired_gap,
    rank_correlation,
    stereotype_sides,
)
from studies.resolvers.sentences import own_sentences, share_of_women

PRONOUNS = ("she", "he", "they", "xe")


@pytest.fixture(scope="module")
def own():
    return own_sentences(PRONOUNS)


def certain(table, code):
    rows = np.full((len(table), 3), 0.1)
    rows[np.arange(len(table)), code] = 0.8
    return rows


def test_wilson_is_that_of_scipy_and_has_a_width_where_all_are_right():
    table = pd.DataFrame({"case": "nominative", "cluster": range(10)})
    row = accuracy_by(table, [True] * 10, ["case"], rng=0).iloc[0]
    assert (row["low"], row["high"]) == (1, 1)
    expected = stats.binomtest(10, 10).proportion_ci(method="wilson")
    assert row["wilson low"] == pytest.approx(expected.low)
    assert row["wilson low"] == pytest.approx(10 / (10 + 1.959964**2), rel=1e-6)


def test_a_gap_is_the_mean_difference_and_its_p_the_share_of_sign_flips():
    pairs = np.array([1, 1, 1, 1, 1, 0.0])
    table = pd.DataFrame(
        {
            "template": np.repeat(range(6), 2),
            "cluster": np.repeat(range(6), 2),
            "pronouns": ["she", "he"] * 6,
        }
    )
    values = np.stack([pairs, np.zeros(6)], axis=1).ravel()
    gap = paired_gap(table, values, ("she", "he"), draws=20_000, rng=0)
    assert gap.value == pytest.approx(5 / 6)
    assert gap.pvalue == pytest.approx(2 / 2**5, abs=0.01)
    assert (gap.n, gap.clusters) == (6, 6)
    back = paired_gap(table, values, ("he", "she"), draws=200, rng=0)
    assert back.value == -gap.value


def test_a_resolver_that_follows_the_stereotype_is_right_on_the_pro_side_only(own):
    women = share_of_women()
    sides = stereotype_sides(own, women)
    assert sides.value_counts().to_dict() == {"": 576, "pro": 144, "anti": 144}
    fits = (own["occupation"].map(women) > 50) == (own["gender"] == "female")
    occupation_first = own["A"].str.lower() == own["occupation"]
    rows = certain(own, np.where(fits == occupation_first, 0, 1))
    right = is_right(own, rows)
    assert right[sides == "pro"].all()
    assert not right[sides == "anti"].any()
    gap = paired_gap(
        own.assign(side=sides),
        right,
        ("pro", "anti"),
        column="side",
        draws=500,
        n_resamples=100,
        rng=0,
    )
    assert (gap.value, gap.low, gap.high) == (1, 1, 1)
    leans = occupation_leans(own, rows)
    assert leans[women.index[women > 50]].to_numpy() == pytest.approx(0.7)
    assert leans[women.index[women < 50]].to_numpy() == pytest.approx(-0.7)


def test_the_correlation_is_spearmans_and_its_null_is_centred():
    rng = np.random.default_rng(1)
    x = rng.normal(size=40)
    y = np.round(x + rng.normal(size=40), 1)  # with ties
    found = rank_correlation(x, y, draws=2000, n_resamples=500, rng=0)
    assert found.value == pytest.approx(stats.spearmanr(x, y).statistic)
    assert found.low < found.value < found.high
    assert found.null_low == pytest.approx(-found.null_high, abs=0.06)
    assert found.pvalue < 0.01


def test_a_planted_gap_is_found_and_none_is_not():
    rng = np.random.default_rng(0)
    female = np.arange(400) % 2 == 0
    pages = [f"page {number // 3}" for number in range(400)]
    noise = rng.uniform(0, 0.2, 400)
    planted = neither_gap(noise + 0.05 * female, female, pages, draws=2000, rng=0)
    assert planted.low < planted.value < planted.high
    assert planted.low > 0
    assert planted.pvalue < 0.001
    assert (planted.n, planted.clusters) == (200, 134)
    none = neither_gap(noise, female, pages, draws=2000, rng=0)
    assert none.low < 0 < none.high
    assert none.pvalue > 0.05


def test_a_small_gap_has_the_p_of_all_partitions():
    gap = neither_gap(
        [0.5, 0.4, 0.3, 0.1, 0.2, 0.0], [True] * 3 + [False] * 3, list("abcdef"), rng=0
    )
    assert gap.value == pytest.approx(0.3)
    assert gap.pvalue == pytest.approx(2 / 20)
