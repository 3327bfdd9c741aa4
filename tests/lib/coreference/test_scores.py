"""Scores of the competition: against scikit-learn, and by hand."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.scores import accuracy, by_gender, f1, gap_scores, log_loss, losses

ANSWERS = np.array([0, 1, 2, 0, 1])
rng = np.random.default_rng(0)
PROBABILITIES = rng.dirichlet([1, 1, 1], size=200)
MANY = rng.integers(0, 3, 200)


def test_log_loss_and_accuracy_equal_scikit_learn():
    expected = sklearn.metrics.log_loss(MANY, PROBABILITIES)
    assert log_loss(PROBABILITIES, MANY) == pytest.approx(expected, abs=1e-12)
    expected = sklearn.metrics.accuracy_score(MANY, PROBABILITIES.argmax(axis=1))
    assert accuracy(PROBABILITIES, MANY) == expected


def test_f1_equals_scikit_learn_on_the_two_decisions_a_passage():
    said = PROBABILITIES.argmax(axis=1)
    decisions = [np.concatenate([labels == 0, labels == 1]) for labels in (MANY, said)]
    assert f1(PROBABILITIES, MANY) == pytest.approx(sklearn.metrics.f1_score(*decisions))


def test_equal_probabilities_cost_the_logarithm_of_three_and_the_clip_bounds_a_sure_mistake():
    assert log_loss(np.ones((5, 3)), ANSWERS) == pytest.approx(np.log(3))
    assert losses([[1.0, 0.0, 0.0]], [1])[0] == pytest.approx(-np.log(1e-15))


def test_neither_predicts_nothing():
    counts = gap_scores([2, 2, 2, 2, 2], ANSWERS)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (0, 0, 4, 6)
    assert counts.recall == counts.f1 == 0
    assert np.isnan(counts.precision)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=50))
def test_each_passage_is_two_decisions_and_f1_lies_between_precision_and_recall(pairs):
    said, right = map(list, zip(*pairs))
    counts = gap_scores(said, right)
    assert counts.tp + counts.fp + counts.fn + counts.tn == 2 * len(pairs)
    if counts.tp:
        low, high = sorted((counts.precision, counts.recall))
        assert low - 1e-12 <= counts.f1 <= high + 1e-12


@given(st.integers(0, 2**32 - 1))
def test_exchanging_the_two_names_changes_no_score(seed):
    rng = np.random.default_rng(seed)
    rows, right = rng.dirichlet([1, 1, 1], size=20), rng.integers(0, 3, 20)
    swapped = np.array([1, 0, 2])
    for score in (log_loss, accuracy, f1):
        assert score(rows[:, swapped], swapped[right]) == pytest.approx(
            score(rows, right), nan_ok=True
        )


def test_a_ratio_below_one_is_worse_on_feminine_pronouns_for_every_score():
    right = np.tile([0, 1, 2], 20)
    female = np.arange(60) < 30
    sure = np.where(female, 0.6, 0.9)
    rows = np.full((60, 3), 0.0)
    rows[np.arange(60), right] = sure
    rows[np.arange(60), (right + 1) % 3] = 1 - sure
    rows[:6] = rows[:6][:, [1, 2, 0]]
    assert (by_gender(rows, right, female)["ratio"] < 1).all()
    mirrored = by_gender(rows, right, ~female)["ratio"]
    np.testing.assert_allclose(mirrored, 1 / by_gender(rows, right, female)["ratio"])


def test_a_side_without_passages_has_no_ratio():
    assert by_gender(np.eye(3), [0, 1, 2], [True] * 3)["ratio"].isna().all()


@pytest.mark.parametrize(
    "call, fragments",
    [
        (lambda: log_loss(np.ones((4, 2)), ANSWERS[:4]), ("(n, 3)", "(4, 2)")),
        (lambda: log_loss(np.ones((4, 3)), ANSWERS), ("(4, 3)", "(5,)")),
        (lambda: log_loss(np.empty((0, 3)), []), ("n ≥ 1",)),
        (lambda: log_loss([[np.nan, 0.5, 0.5]], [0]), ("row 0", "nan")),
        (lambda: log_loss([[-0.5, 1.0, 0.5]], [0]), ("row 0", "-0.5")),
        (lambda: log_loss([[0.0, 0.0, 0.0]], [0]), ("row 0",)),
        (lambda: accuracy(np.ones((1, 3)), [3]), ("answers", "0 (A)")),
        (lambda: gap_scores([0, 1], [0]), ("2 and 1",)),
        (lambda: by_gender(np.eye(3), [0, 1, 2], [True]), ("female", "3 passages")),
    ],
)
def test_bad_arguments_are_refused(refuses, call, fragments):
    refuses(call, fragments)
