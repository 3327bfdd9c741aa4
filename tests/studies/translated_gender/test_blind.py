"""A blind translator with occupations drawn: what follows from both margins, and translators that read every pronoun or none."""

import numpy as np
import pandas as pd
import pytest

from lib.translation.winomt import winomt_intervals
from studies.translated_gender.blind import less_blind

RNG = np.random.default_rng(0)
SENTENCES = pd.DataFrame(
    {
        "person": np.repeat([f"job{n}" for n in range(12)], 40),
        "gender": np.tile(["male", "female"], 240),
    }
)
SIDES = {"pro": np.arange(0, 480, 3), "anti": np.arange(1, 480, 3)}
USUAL = np.repeat(np.where(np.arange(12) < 3, "female", "male"), 40)


def test_a_translator_of_usual_forms_is_its_own_blind_one():
    found = less_blind(USUAL, SENTENCES, SIDES, n_resamples=50, rng=0)
    assert np.allclose(found[["value", "low", "high"]], 0)
    assert found.loc["recall_female", "blind"] == pytest.approx(25)
    assert found.loc["recall_female", "blind low"] < 25 < found.loc["recall_female", "blind high"]


def test_one_that_reads_every_pronoun_has_half_of_it_from_the_pronoun():
    found = less_blind(SENTENCES["gender"], SENTENCES, SIDES, n_resamples=50, rng=0)
    assert found["value"][["accuracy", "recall_female"]].tolist() == [50, 50]
    assert found.loc["delta_g", "value"] == pytest.approx(0)


def test_the_blind_score_is_that_of_shuffles():
    read = np.where(RNG.random(480) < 0.3, SENTENCES["gender"], USUAL)
    found = less_blind(read, SENTENCES, SIDES, n_resamples=20, rng=0)
    shuffled = winomt_intervals(list(read), SENTENCES, stereotypes=SIDES, n_resamples=400, rng=0)
    for score in ("accuracy", "recall_female", "delta_g", "delta_s"):
        low, high = shuffled.loc[score, ["null low", "null high"]]
        assert low < found.loc[score, "blind"] < high
        assert found.loc[score, ["value", "blind"]].sum() == pytest.approx(
            shuffled.loc[score, "value"]
        )
