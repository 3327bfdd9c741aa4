"""Agreement of scores: closed forms, published arithmetic, properties, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib.measures.convergence import (
    disattenuated,
    rank_agreement,
    separation,
    standardised_gap,
    standing,
)


def test_separation_of_lists_that_do_not_touch_is_whole_and_has_no_width():
    result = separation([[3.0, 4.0], [5.0, 6.0]], [[-1.0, 0.0], [-2.0, -3.0]], rng=0)
    assert result == (1.0, 1.0, 1.0, 1.0)


def test_signs_are_counted_at_zero_and_the_auc_is_not():
    result = separation([[-1.0], [-2.0]], [[-3.0], [-4.0]], rng=0)
    assert (result.auc, result.signs) == (1.0, 0.5)


def test_the_interval_of_an_auc_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(1)
    truth = stats.norm.cdf(1 / np.sqrt(2))
    hits = 0
    for _ in range(150):
        first, second = rng.standard_normal((2, 20, 1))
        found = separation(first + 1, second, n_resamples=300, rng=rng)
        hits += found.low <= truth <= found.high
    assert 0.87 <= hits / 150 <= 1


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


def test_a_gap_of_two_deviations_is_two():
    rng = np.random.default_rng(0)
    marked = np.repeat([True, False], 5000)
    assert standardised_gap(rng.standard_normal(10_000) + 2 * marked, marked) == pytest.approx(
        2, abs=0.05
    )
    assert np.isnan(standardised_gap([1.0, 2.0, 3.0], [True, False, False]))


def test_a_score_that_is_the_fact_with_noise_stands_above_random_words_and_noise_does_not():
    rng = np.random.default_rng(3)
    facts = rng.uniform(size=40)
    null = rng.standard_normal((199, 40))
    real = standing(facts[:, None] + 0.1 * rng.standard_normal((40, 4)), facts, null=null, rng=0)
    noise = standing(rng.standard_normal((40, 4)), facts, null=null, rng=0)
    assert real.p_random == 1 / 200 and real.p < 0.01
    assert noise.p_random > 0.05 and noise.p > 0.05
    assert real.rho < real.corrected <= 1.05 and real.gap > 1


def test_things_without_a_score_are_left_out_of_everything():
    facts = np.linspace(0, 1, 10)
    scores = np.column_stack([facts, facts])
    scores[3] = np.nan
    found = standing(scores, facts, null=np.ones((5, 10)), rng=0)
    assert (found.n, found.rho) == (9, 1.0)
    assert found.p_random == 1 / 6


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: separation([], [[1.0]]), "two tables"),
        (lambda: separation([[1.0, 2.0]], [[1.0]]), "as many questions"),
        (lambda: separation([[np.nan]], [[1.0]]), "finite"),
        (lambda: rank_agreement({"a": [[1], [2], [3]]}), "two tables"),
        (lambda: rank_agreement({"a": [[1], [2]], "b": [[1], [2]]}), "three things"),
        (lambda: rank_agreement({"a": [[1], [2], [3]], "b": [[1], [2]]}), "shapes"),
        (
            lambda: rank_agreement(
                {"a": [[1], [2], [3]], "b": [[1, 1], [2, 1], [3, 1]]},
                questions={"a": "ours", "b": "ours"},
            ),
            "as many under 'ours'",
        ),
        (lambda: standardised_gap([1.0, 2.0], [True]), "a mark for each"),
        (lambda: standing([1.0, 2.0], [1.0, 2.0]), "a fact for each thing"),
        (lambda: standing(np.ones((6, 2)) * np.arange(6)[:, None], range(6), null=[[1]]), "null"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
