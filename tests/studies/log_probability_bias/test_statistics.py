"""Variance components, Cochran's Q and effect sizes from t: closed forms, peers, recovery from simulations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from lib.association import effect_size
from studies.log_probability_bias.statistics import (
    effect_size_from_t,
    equal_shares,
    generalisability,
    variance_components,
)

NAMES = [
    "word",
    "template",
    "pair",
    "word × template",
    "word × pair",
    "template × pair",
    "word × template × pair",
]


def crossed(n, t, p, deviations, seed=0):
    """Scores made of seven independent normal effects with the given standard deviations, in the order of NAMES."""
    rng = np.random.default_rng(seed)
    shapes = [(n, 1, 1), (1, t, 1), (1, 1, p), (n, t, 1), (n, 1, p), (1, t, p), (n, t, p)]
    return sum(
        deviation * rng.standard_normal(shape) for deviation, shape in zip(deviations, shapes)
    )


def test_scores_that_depend_on_the_word_alone_have_one_component():
    scores = np.broadcast_to(np.array([0.0, 2.0, 4.0])[:, None, None], (3, 4, 2))
    found = variance_components(scores)
    assert list(found.index) == NAMES
    assert found["word"] == pytest.approx(4)  # the sample variance of 0, 2, 4
    assert found.drop("word").to_numpy() == pytest.approx(0, abs=1e-12)
    assert generalisability(found, 1, 1) == pytest.approx(1)


def test_components_are_recovered_from_a_simulated_crossed_design():
    deviations = [2.0, 1.0, 0.5, 0.8, 0.6, 0.4, 0.7]
    runs = [variance_components(crossed(40, 12, 8, deviations, seed)) for seed in range(60)]
    mean = pd.DataFrame(runs).mean()
    assert mean.to_numpy() == pytest.approx(np.square(deviations), rel=0.15)


def test_generalisability_grows_with_templates_and_ignores_what_moves_all_words_alike():
    components = pd.Series([1.0, 9.0, 9.0, 2.0, 1.0, 9.0, 4.0], NAMES)
    assert generalisability(components, 1, 1) == pytest.approx(1 / 8)
    assert generalisability(components, 4, 2) == pytest.approx(1 / (1 + 0.5 + 0.5 + 0.5))
    assert np.isnan(generalisability(pd.Series(0.0, NAMES), 1, 1))


def test_the_statistic_is_that_of_the_formula_and_p_that_of_its_limit():
    rng = np.random.default_rng(0)
    answers = rng.uniform(size=(200, 4)) < [0.4, 0.45, 0.5, 0.55]
    sums, of_items = answers.sum(axis=0), answers.sum(axis=1)
    by_hand = 3 * (4 * (sums**2).sum() - sums.sum() ** 2)
    by_hand /= 4 * of_items.sum() - (of_items**2).sum()
    found = equal_shares(answers, draws=4999, rng=0)
    assert found.statistic == pytest.approx(by_hand)
    assert found.statistic == pytest.approx(cochrans_q(answers).statistic)
    assert found.pvalue == pytest.approx(stats.chi2.sf(by_hand, 3), abs=0.02)


def test_where_questions_do_not_matter_one_in_twenty_is_called():
    rng = np.random.default_rng(1)
    called = 0
    for _ in range(200):
        answers = rng.uniform(size=(20, 6)) < rng.uniform(size=(20, 1))
        called += equal_shares(answers, draws=99, rng=rng).pvalue <= 0.05
    assert called <= 20


@given(st.integers(2, 30), st.integers(0, 2**32 - 1), st.floats(-3, 3))
def test_the_effect_size_follows_from_t_and_the_length(n, seed, apart):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    t = stats.ttest_ind(x + apart, y).statistic
    assert effect_size_from_t(t, n) == pytest.approx(effect_size(x + apart, y), rel=1e-9, abs=1e-12)
