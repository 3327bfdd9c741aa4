"""Agreement of scores with one another and with a fact: closed forms, published arithmetic, properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studies.sentence_measures.agreement import (
    agreement_by_kind,
    agreement_of_draws,
    disattenuated,
    holm,
    rank_agreement,
    standing,
)


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_rank_agreement_is_that_of_scipy_and_ignores_scale(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, 12, 3))
    table = rank_agreement({"a": a, "b": b, "c": 2 * np.exp(a[:, :1])}, n_resamples=50, rng=0)
    expected = stats.spearmanr(a.mean(axis=1), b.mean(axis=1)).statistic
    assert table.loc[0, "rho"] == pytest.approx(expected)
    assert (table["low"] <= table["high"]).all()
    again = rank_agreement({"a": 5 * a + 1, "b": b}, n_resamples=50, rng=0)
    assert again.loc[0, "rho"] == pytest.approx(expected)


def test_scores_of_the_same_questions_have_intervals_around_their_correlation():
    rng = np.random.default_rng(2)
    a = rng.standard_normal((30, 5))
    scores = {"a": a, "prior off": a - a.mean(axis=0), "other": rng.standard_normal((30, 5))}
    labels = dict.fromkeys(["a", "prior off"], "ours")
    apart = rank_agreement(scores, n_resamples=200, rng=0).iloc[0]
    alike = rank_agreement(scores, questions=labels, n_resamples=200, rng=0).iloc[0]
    assert apart["high"] < 1 == pytest.approx(apart["rho"])
    assert alike[["rho", "low", "high"]].tolist() == pytest.approx([1, 1, 1])


def test_a_correlation_of_seven_tenths_with_reliabilities_of_eight_tenths_is_seven_eighths():
    assert disattenuated(0.7, 0.8, 0.8) == pytest.approx(0.875)
    assert np.isnan(disattenuated(0.5, -0.1)) and np.isnan(disattenuated(0.5, -0.5, -0.5))


def test_a_score_that_is_the_fact_with_noise_stands_above_random_words_and_noise_does_not():
    rng = np.random.default_rng(3)
    facts = rng.uniform(size=40)
    null = rng.standard_normal((199, 40))
    real = standing(facts[:, None] + 0.1 * rng.standard_normal((40, 4)), facts, null=null, rng=0)
    noise = standing(rng.standard_normal((40, 4)), facts, null=null, rng=0)
    assert real.p_random == 1 / 200 and real.p < 0.01
    assert noise.p_random > 0.05 and noise.p > 0.05
    assert real.least == 1 / 200 and real.null_low < 0 < real.null_high < real.rho
    assert real.rho < real.corrected <= 1.05 and real.gap > 1


def test_scores_that_share_an_order_stand_above_words_that_change_places():
    rng = np.random.default_rng(4)
    truth = rng.standard_normal((30, 1))
    scores = {name: truth + 0.3 * rng.standard_normal((30, 4)) for name in "ab"}
    scores["c"] = rng.standard_normal((30, 4))
    kinds = {"alike": [("a", "b")], "turned round": [("b", "a")], "apart": [("a", "c"), ("c", "b")]}
    table = agreement_by_kind(scores, kinds, n_resamples=200, rng=0)
    assert table.loc["alike", "low"] > table.loc["alike", "null high"]
    assert table.loc["apart", "null low"] < table.loc["apart", "value"] < table.loc["alike", "low"]
    assert table.loc["alike"].tolist() == table.loc["turned round"].tolist()
    draws = agreement_of_draws({name: of.T for name, of in scores.items()})
    expected = stats.spearmanr(scores["a"][:, 2], scores["c"][:, 2]).statistic
    assert draws.shape == (4, 3) and draws["a", "c"][2] == pytest.approx(expected)


def test_holm_multiplies_the_smallest_by_all_and_leaves_out_what_is_not_there():
    assert holm([0.01, 0.04, np.nan, 0.03]) == pytest.approx(
        [0.03, 0.06, np.nan, 0.06], nan_ok=True
    )
    assert holm([0.9, 0.8]).tolist() == [1, 1]
