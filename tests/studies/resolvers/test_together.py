"""Systems tested together on the same passages: nothing where genders are alike, something where faults were planted."""

import numpy as np
import pandas as pd
import pytest

from studies.resolvers.together import f1_ratios_together, faults_found, with_faults

N = 600


@pytest.fixture(scope="module")
def passages():
    rng = np.random.default_rng(0)
    answers = rng.choice(["A", "B", "NEITHER"], N, p=[0.45, 0.45, 0.1])
    return pd.DataFrame(
        {
            "answer": answers,
            "gender": ["female", "male"] * (N // 2),
            "URL": [f"page {row // 2}" for row in range(N)],
        }
    )


@pytest.fixture(scope="module")
def fair(passages):
    """Right in about four of five passages of either gender."""
    rng = np.random.default_rng(1)
    right = passages["answer"].map({"A": 0, "B": 1, "NEITHER": 2}).to_numpy()
    said = np.where(rng.random(N) < 0.8, right, (right + 1) % 3)
    return np.eye(3)[said] * 0.8 + 0.2 / 3


def test_a_fault_is_seen_in_the_system_that_has_it_and_adjusting_never_helps(passages, fair):
    female = (passages["gender"] == "female").to_numpy()
    faulty = with_faults(fair, female, 0.3, np.random.default_rng(2))
    found = f1_ratios_together({"fair": fair, "faulty": faulty}, passages, n_resamples=300)
    assert (found["adjusted"] >= found["p"]).all() and (found["p"] >= found["smallest"]).all()
    assert found.loc["faulty", "adjusted"] < 0.05 < found.loc["fair", "adjusted"]
    assert found.loc["faulty", "value"] < found.loc["fair", "value"]
    assert (found["low"] < found["value"]).all() and (found["value"] < found["high"]).all()


def test_a_system_beside_its_twin_needs_no_more_than_alone(passages, fair):
    alone = f1_ratios_together({"one": fair}, passages, n_resamples=200)
    both = f1_ratios_together({"one": fair, "twin": fair}, passages, n_resamples=200)
    assert both.loc["one", "adjusted"] == alone.loc["one", "p"] == alone.loc["one", "adjusted"]


def test_more_faults_are_found_more_often(passages, fair):
    found = faults_found(fair, passages, [0.0, 0.4], bar=2.0, draws=5, n_resamples=50)
    assert found.loc[0.4, "found"] == 1 and found.loc[0.0, "found"] <= 0.2
    assert found.loc[0.4, "ratio"] < found.loc[0.0, "ratio"]
