"""Heads on frozen states: each learns what made-up states show."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers.examples import Examples
from lib.coreference.scores import log_loss
from studies.resolvers.anonymised import End2end, PureBert
from studies.resolvers.heads import (
    STEPS,
    Baseline,
    FillTheGap,
    Frozen,
    MSNet,
    SupportVectors,
    ThirdPlace,
)
from studies.resolvers.networks import divided

QUICK = {"epochs": 15, "patience": 15, "learning_rate": 0.03, "batch_size": 24}
SYSTEMS = {
    "Kurita": Baseline(**QUICK, dropout=0.1),
    **{
        f"Yang, {step}": FillTheGap(
            step=step, **QUICK, input_dropout=0.1, combined_dropout=0.1, dropout=0.1
        )
        for step in STEPS
    },
    "Yang, heads side by side": FillTheGap(
        combine="concatenation", **QUICK, input_dropout=0.1, combined_dropout=0.1, dropout=0.1
    ),
    "Wang": MSNet(top=2, similarity=8, **QUICK, dropout=0.1),
    "Liu, one scorer": End2end(**QUICK | {"epochs": 40, "patience": 40}),
    "Liu, states alone": PureBert(**QUICK, hidden=(16, 8), dropout=0.1),
    "Ionita": Frozen(**QUICK, dropout=0.1, feature_dropout=0.1),
    "Abzaliev": ThirdPlace(**QUICK, dropout=0.1),
    "Bao": SupportVectors(removed=0, reduction="PCA", share=0.5),
    "Bao, all dimensions": SupportVectors(reduction="none"),
}


def made_up(n=240, seed=0, dimensions=12):
    """Two passages a page. The pronoun's state is like that of the name it refers to; for neither, unlike both."""
    rng = np.random.default_rng(seed)
    answers = np.arange(n) % 3
    states = rng.normal(size=(n, 5, 3, dimensions)).astype(np.float32)
    states[..., :2] = 0
    states[np.arange(n), :, 0, 0] = np.where(answers < 2, 2.0, -2.0)[:, None]
    for name in (0, 1):
        states[:, :, 1 + name, 1] = np.where(answers == name, 3.0, -1.0)[:, None]
    passages = pd.DataFrame(
        {
            "Text": "Ann met Eve after she won.",
            "Pronoun": "she",
            "Pronoun-offset": 18,
            "A": "Ann",
            "A-offset": 0,
            "B": "Eve",
            "B-offset": 8,
            "answer": np.array(["A", "B", "NEITHER"])[answers],
            "gender": np.resize(["female", "male"], n),
            "URL": [f"page {row // 2}" for row in range(n)],
        }
    )
    return Examples(passages, states, f"made up {n} {seed}")


@pytest.fixture(scope="module")
def train():
    return made_up()


@pytest.fixture(scope="module")
def test():
    return made_up(90, seed=1)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_learns_what_the_states_show(name, train, test):
    probabilities = SYSTEMS[name].fit(train, rng=0).probabilities(test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)
    assert log_loss(probabilities, test.answers) < 0.7 < np.log(3)


@pytest.mark.parametrize("name", ["Yang, projection", "Bao"])
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(name, train, test):
    system = SYSTEMS[name]
    if hasattr(system, "epochs"):
        system = replace(system, epochs=3)
    one, again, other = (system.fit(train, rng=seed).probabilities(test) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_the_part_that_is_watched_shares_no_page_with_the_rest(train):
    inside, watched = divided(train, 4, np.random.default_rng(0))
    assert len(inside) + len(watched) == len(train) and 50 <= len(watched) <= 70
    assert not set(inside.pages) & set(watched.pages)
