"""WinoMT's sentences are those of the paper; intervals hold the value, beside a blind translator."""

import numpy as np
import pandas as pd
import pytest

from lib.translation.winomt import read_sentences, stereotype_rows, tokens, winomt_intervals

KEEPS = ["gender", "place", "text"]


def people() -> pd.DataFrame:
    """Twenty sentences about five people, men and women in no order that the people explain."""
    jobs = ["doctor", "lawyer", "baker", "cook", "mover"]
    pairs = [
        (job, (first + second) % 2)
        for first, job in enumerate(jobs)
        for second in range(5)
        if first != second
    ]
    return pd.DataFrame(
        [(job, ("male", "female")[odd]) for job, odd in pairs], columns=["person", "gender"]
    )


@pytest.mark.sample("winomt_en", "winomt_en_pro", "winomt_en_anti")
def test_the_sentences_are_those_of_the_paper():
    sentences = read_sentences()
    assert len(sentences) == 3888
    assert len(read_sentences("pro")) == len(read_sentences("anti")) == 1584
    for subset in ("pro", "anti"):
        assert len(read_sentences(subset).merge(sentences.drop_duplicates(KEEPS))) == 1584
    assert all(
        tokens(text)[place].isalpha() for text, place in zip(sentences["text"], sentences["place"])
    )


def test_intervals_hold_the_value_and_a_blind_translator_keeps_no_one_better():
    asked = people()
    table = winomt_intervals(asked["gender"].tolist(), asked, n_resamples=200, rng=0)
    assert table.loc["accuracy", ["value", "low", "high"]].tolist() == [100, 100, 100]
    assert table.loc["delta_g", "value"] == 0
    assert table.loc["accuracy", "null high"] < 100
    assert table.loc["by_pronoun", "low"] > table.loc["by_pronoun", "null high"]
    first = winomt_intervals(["male"] * len(asked), asked, n_resamples=50, rng=0)
    assert first.loc["recall_male", "value"] == 100 and first.loc["recall_female", "null high"] == 0
    assert first.loc["by_pronoun", ["value", "low", "high"]].tolist() == [0, 0, 0]


def test_a_blind_translator_has_a_gap_between_stereotypes_too():
    asked = people()
    usual = asked["person"].map(lambda job: "male" if job in ("doctor", "mover") else "female")
    follows = (usual == asked["gender"]).to_numpy()
    rows = {"pro": np.flatnonzero(follows), "anti": np.flatnonzero(~follows)}
    blind = winomt_intervals(usual.tolist(), asked, stereotypes=rows, n_resamples=50, rng=0)
    gap = blind.loc["delta_s"]
    assert gap[["value", "null low", "null high"]].tolist() == [100, 100, 100]  # no pronoun is read
    right = asked["gender"].tolist()
    table = winomt_intervals(right, asked, stereotypes=rows, n_resamples=200, rng=0)
    assert table.loc["delta_s", "value"] == 0 and table.loc["delta_s", "null low"] != 0


@pytest.mark.sample("winomt_en", "winomt_en_pro", "winomt_en_anti")
def test_sentences_that_follow_a_stereotype_are_found_among_all():
    rows = stereotype_rows(read_sentences())
    assert {name: len(places) for name, places in rows.items()} == {"pro": 1584, "anti": 1584}
    assert not {*rows["pro"]} & {*rows["anti"]}
