"""Shares by occupation: pairs of systems, and what planted translators do with her, his, their and the."""

import pandas as pd
import pytest

from studies.translated_gender.occupations import (
    feminine_by_possessive,
    mean_shares,
    possessive_sentences,
)


def test_every_occupation_is_in_every_frame_with_every_determiner():
    asked = possessive_sentences()
    assert len(asked) == 24 * 4 * 4 and asked["text"].is_unique
    assert asked.groupby("says").size().eq(96).all()


def test_a_translator_that_reads_the_possessive_is_found():
    asked = possessive_sentences()
    said = ["La médica vino." if says == "her" else "El médico vino." for says in asked["says"]]
    found = feminine_by_possessive(asked, said, n_resamples=200, rng=0)
    assert found["value"].to_dict() == {
        "her": 1,
        "his": 0,
        "their": 0,
        "the": 0,
        "her − his": 1,
    }
    assert found.loc["her − his", "p"] < 0.01


def test_a_translator_that_goes_by_occupation_has_no_difference():
    asked = possessive_sentences()
    said = [
        "La enfermera vino." if job == "nurse" else "El médico vino." for job in asked["occupation"]
    ]
    found = feminine_by_possessive(asked, said, n_resamples=200, rng=0)
    assert found.loc["her", "value"] == found.loc["the", "value"] == pytest.approx(1 / 24)
    assert found.loc["her − his", "value"] == 0 and found.loc["her − his", "p"] == 1


def test_means_are_paired_with_the_first_system():
    shares = pd.DataFrame({"then": [0.0, 0.5, 1.0], "now": [0.1, 0.6, 1.1]})
    found = mean_shares(shares, n_resamples=50, rng=0)
    assert found.loc["now", ["less", "less low", "less high"]].tolist() == pytest.approx([0.1] * 3)
