"""Shares and tests over a crossed design whose answer is known."""

import itertools

import numpy as np
import pandas as pd
import pytest

from lib.datasets.genderous import GENDERS
from studies.translated_gender.genderous import (
    feminine_shares,
    judge_agreement,
    stereotype_test,
)


def design(person) -> pd.DataFrame:
    """Six occupations and six adjectives, two of each stereotype; person(occupation's, adjective's)."""
    rows = [
        ("adjectives", f"job {i}", f"word {j}", GENDERS[i // 2], GENDERS[j // 2])
        for i, j in itertools.product(range(6), range(6))
    ]
    columns = ["kind", "occupation", "adjective", "stereotype", "adjective_stereotype"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(
        person=[person(*pair) for pair in zip(table["stereotype"], table["adjective_stereotype"])]
    )


def test_shares_by_stereotype_are_those_that_were_made():
    table = design(lambda job, word: "feminine" if job == "feminine" else "masculine")
    shares = feminine_shares(table, n_resamples=50, rng=0)["value"]
    assert shares["all", ""] == pytest.approx(1 / 3)
    assert shares["occupation", "feminine"] == 1 and shares["occupation", "masculine"] == 0
    assert shares["occupation difference", ""] == 1 and shares["adjective difference", ""] == 0
    assert stereotype_test(table, "occupation") == pytest.approx(1 / 6)  # one of six divisions
    assert stereotype_test(table, "adjective") == 1


def test_kappa_is_that_of_scikit_learn():
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(1)
    person, judge = rng.choice(GENDERS, (2, 300))
    table = pd.DataFrame({"person": person, "judge": judge, "occupation": "nurse"})
    found = judge_agreement(table, n_resamples=5, rng=0)["value"]
    assert found["kappa"] == pytest.approx(cohen_kappa_score(person, judge))
    only = [np.where(labels == "neutral", 1, 0) for labels in (person, judge)]
    assert found["kappa neutral"] == pytest.approx(cohen_kappa_score(*only))
