"""Accuracy, consistency, gaps and leans on sentences that differ in a pronoun, P(neither): closed forms and nulls."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.coreference.sentences import occupation_leans
from studies.resolvers import contrasts
from studies.resolvers.contrasts import (
    accuracy_by,
    case_contrast,
    consistency,
    decisions,
    is_right,
    neither_gap,
    paired_gap,
    rank_correlation,
    stereotype_sides,
    topic_bias,
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


def test_a_resolver_that_always_says_the_first_is_right_in_half_of_ours_where_one_is_meant(own):
    meant = own[own["about"] != "neither"]
    right = is_right(meant, certain(meant, 0))
    table = accuracy_by(meant, right, ["pronouns", "case"], n_resamples=50, rng=0)
    assert (table["accuracy"] == 0.5).all()
    assert not is_right(
        own[own["about"] == "neither"], certain(own[own["about"] == "neither"], 0)
    ).any()


def test_wilson_is_that_of_scipy_and_has_a_width_where_all_are_right():
    table = pd.DataFrame({"case": "nominative", "cluster": range(10)})
    row = accuracy_by(table, [True] * 10, ["case"], rng=0).iloc[0]
    assert (row["low"], row["high"]) == (1, 1)
    expected = stats.binomtest(10, 10).proportion_ci(method="wilson")
    assert row["wilson low"] == pytest.approx(expected.low)
    assert row["wilson low"] == pytest.approx(10 / (10 + 1.959964**2), rel=1e-6)


def test_without_neither_the_choice_is_between_two():
    rows = [[0.1, 0.2, 0.7], [0.3, 0.2, 0.5]]
    assert decisions(rows).tolist() == [2, 2]
    assert decisions(rows, neither=False).tolist() == [1, 0]


def test_one_answer_for_everything_is_consistent_and_chance_says_so(own):
    found = consistency(own, np.zeros(len(own), int), PRONOUNS, n_resamples=50, rng=0)
    assert (found.same, found.chance, found.n) == (1, 1, 216)
    assert found.right == 72 / 216


@pytest.mark.parametrize("seed", [0, 1])
def test_random_answers_are_as_consistent_as_chance_says(seed):
    rng = np.random.default_rng(seed)
    n = 3000
    table = pd.DataFrame(
        {
            "template": np.repeat(np.arange(n), 2),
            "cluster": np.repeat(np.arange(n) % 50, 2),
            "pronouns": ["she", "he"] * n,
            "answer": "A",
        }
    )
    chosen = rng.choice(3, size=2 * n, p=[0.5, 0.3, 0.2])
    found = consistency(table, chosen, ("she", "he"), n_resamples=10, rng=0)
    assert found.chance == pytest.approx(0.25 + 0.09 + 0.04, abs=0.05)
    assert found.same == pytest.approx(found.chance, abs=0.06)


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


def test_templates_of_one_cluster_are_flipped_together():
    table = pd.DataFrame(
        {
            "template": np.repeat(range(20), 2),
            "cluster": np.repeat([0, 1], 20),
            "pronouns": ["she", "he"] * 20,
        }
    )
    gap = paired_gap(table, [1, 0] * 20, ("she", "he"), draws=2000, rng=0)
    assert gap.pvalue == pytest.approx(0.5, abs=0.05)


def test_a_gap_in_one_case_only_is_found_and_one_in_all_cases_is_none(own):
    she = (own["pronouns"] == "she").to_numpy()
    nominative = (own["case"] == "nominative").to_numpy()
    noise = np.random.default_rng(0).normal(0, 0.01, len(own))
    apart = case_contrast(own, noise + (she & nominative), ("she", "he"), draws=500, rng=0)
    assert apart.value == pytest.approx(1, abs=0.01)
    assert apart.pvalue < 0.01
    assert 0.98 < apart.low < apart.high < 1.02
    alike = case_contrast(own, noise + she, ("she", "he"), draws=500, rng=0)
    assert abs(alike.value) < 0.01


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


def test_a_text_said_twice_has_the_same_lean_per_weight_and_a_larger_sum(monkeypatch):
    sport, home = "striker goal football", "kitchen baby dinner"
    texts = [sport, home, sport, home, f"{sport} {sport}", f"{home} {home}"]
    men = {word: 1.0 for word in sport.split()} | {word: -1.0 for word in home.split()}
    monkeypatch.setattr(contrasts, "mean_bias", lambda model, words, *asking: pd.Series(men)[words])
    sums = topic_bias(texts, None, topics=2)
    leans = topic_bias(texts, None, topics=2, per_weight=True)
    assert np.abs(sums[4]) > np.abs(sums[0])
    assert leans[4] == pytest.approx(leans[0], rel=1e-3)
    assert leans[:2] == pytest.approx([1, -1])
