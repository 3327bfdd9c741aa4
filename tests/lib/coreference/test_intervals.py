"""Intervals of the scores by gender: the scores themselves, sklearn, closed forms and bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from lib.coreference.intervals import gender_intervals
from lib.coreference.scores import by_gender
from lib.coreference.terms import measures_from, row_terms
from tests.lib.coreference.synthetic import system

SHARES, ANSWERS, FEMALE, PAGES = system()


def test_values_are_the_scores_by_gender():
    table = gender_intervals(SHARES, ANSWERS, FEMALE, rng=0)["value"].unstack()
    scores = by_gender(SHARES, ANSWERS, FEMALE)
    assert table.loc[scores.index, scores.columns].to_numpy() == pytest.approx(scores.to_numpy())


@given(st.integers(3, 80), st.integers(0, 1000))
@settings(max_examples=30)
def test_sums_of_terms_give_the_scores_of_sklearn(n, seed):
    shares, answers, _, _ = system(n, sharpness=1, seed=seed)
    loss, accuracy, f1 = measures_from(row_terms(shares, answers).sum(axis=0))
    said = shares.argmax(axis=1)
    assert loss == pytest.approx(metrics.log_loss(answers, shares, labels=[0, 1, 2]))
    assert accuracy == pytest.approx(metrics.accuracy_score(answers, said))
    names = np.eye(3, dtype=int)[:, :2]
    theirs = metrics.f1_score(
        names[answers].ravel(), names[said].ravel(), zero_division=np.nan, average="binary"
    )
    assert f1 == pytest.approx(theirs, nan_ok=True)


def test_copied_rows_on_one_page_widen_the_interval():
    copies = [np.repeat(array, 6, axis=0) for array in (SHARES, ANSWERS, FEMALE)]
    pages = np.repeat(np.arange(600), 6)
    of_rows, of_pages = (
        gender_intervals(*copies, pages=labels, rng=0).loc[("F1", "ratio")]
        for labels in (None, pages)
    )
    assert of_rows["value"] == of_pages["value"]
    width = [table["high"] - table["low"] for table in (of_rows, of_pages)]
    assert width[1] == pytest.approx(width[0] * np.sqrt(6), rel=0.1)


def test_the_interval_covers_a_true_ratio_of_one_as_often_as_it_says():
    covered = 0
    for seed in range(150):
        shares, answers, female, _ = system(400, seed=seed)
        table = gender_intervals(shares, answers, female, n_resamples=400, rng=seed)
        covered += table.loc[("F1", "ratio"), "low"] <= 1 <= table.loc[("F1", "ratio"), "high"]
    assert 0.89 <= covered / 150 <= 0.99


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"female": np.ones(600, bool)}, "expected pronouns of both genders, got 600 of one"),
        ({"probabilities": np.full((600, 3), np.nan)}, "row 0: expected probabilities"),
        ({"pages": PAGES[1:]}, "clusters: expected 600 labels"),
    ],
)
def test_bad_input_gets_a_clear_error(change, message):
    good = {"probabilities": SHARES, "answers": ANSWERS, "female": FEMALE}
    with pytest.raises(ValueError, match=message):
        gender_intervals(**good | change, rng=0)
