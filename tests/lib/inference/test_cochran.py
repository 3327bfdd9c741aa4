"""Cochran's Q: the formula and a peer, McNemar's test, the level of the test, and what is refused."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from lib.inference.cochran import equal_shares


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


def test_two_questions_are_the_test_of_mcnemar():
    answers = [[True, False]] * 8 + [[False, True]] * 2 + [[True, True]] * 5
    found = equal_shares(answers, draws=20_000, rng=0)
    assert found.statistic == pytest.approx((8 - 2) ** 2 / 10)
    exact = stats.binomtest(8, 10).pvalue
    assert found.pvalue == pytest.approx(exact, abs=0.01)


def test_where_questions_do_not_matter_one_in_twenty_is_called():
    rng = np.random.default_rng(1)
    called = 0
    for _ in range(200):
        answers = rng.uniform(size=(20, 6)) < rng.uniform(size=(20, 1))
        called += equal_shares(answers, draws=99, rng=rng).pvalue <= 0.05
    assert called <= 20


def test_items_that_answer_every_question_alike_say_nothing():
    assert equal_shares([[True] * 3, [False] * 3], rng=0) == (0.0, 1.0)


@pytest.mark.parametrize("answers", [[], [[True]], [True, False], [[0, 2]]])
def test_bad_input_is_refused(answers):
    with pytest.raises(ValueError, match="True and False"):
        equal_shares(answers)
