"""Errors by gender: sklearn's confusion matrix, and a planted gap that a ratio hides."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from lib.coreference.scores import by_gender
from studies.pronoun_resolution.errors import equalised_odds, error_types, opposite_errors
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system()
SAID = SHARES.argmax(axis=1)


def test_error_types_add_up_to_what_is_wrong():
    table = error_types(SAID, ANSWERS, FEMALE, rng=0)
    counts = confusion_matrix(ANSWERS[FEMALE], SAID[FEMALE])
    expected = [
        counts[0, 1] + counts[1, 0],
        counts[2, :2].sum(),
        counts[:2, 2].sum(),
    ]
    assert table["feminine"].to_numpy() == pytest.approx(np.array(expected) / FEMALE.sum())
    assert table["masculine"].sum() == pytest.approx((SAID != ANSWERS)[~FEMALE].mean())


def test_the_largest_difference_rejects_a_true_null_at_the_nominal_rate():
    found = 0
    for seed in range(150):
        shares, answers, female, _ = system(300, seed=seed)
        said = shares.argmax(axis=1)
        found += equalised_odds(said, answers, female, n_resamples=200, rng=seed).pvalue <= 0.05
    assert found / 150 < 0.1


def test_a_ratio_near_one_hides_errors_that_are_opposite():
    answers = np.tile([0, 1, 2, 0, 1, 2, 0, 1, 0, 1], 100)
    female = np.repeat([True, False], 500)
    said = answers.copy()
    rows = np.arange(1000)
    said[female & (rows % 10 == 0)] = 1  # wrong name: two errors of the scorer
    said[~female & (rows % 10 == 2)] = 0  # a name for neither: one error
    said[~female & (rows % 10 == 3)] = 2  # neither for a name: one error
    table = opposite_errors({"hides": said, "right": answers}, answers, female, rng=0)
    hides = table.loc["hides"]
    assert hides["ratio"] == by_gender(np.eye(3)[said], answers, female).loc["F1", "ratio"] == 1
    assert hides["wrong name"] == 0.1
    assert hides["missed neither"] == hides["false neither"] == -0.1
    assert hides["opposite"] == pytest.approx(0.1)
    assert hides["odds"] == pytest.approx(0.5)
    assert (hides["answer"], hides["rate"]) == ("NEITHER", "true positive")
    assert hides["pvalue"] < 0.01
    assert table.loc["right", ["opposite", "odds"]].tolist() == [0, 0]
    assert table.loc["right", "pvalue"] == 1
