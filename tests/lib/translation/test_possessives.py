"""Own sentences with her, his, their and the: what planted translators do with them."""

import pytest

from lib.translation.possessives import feminine_by_possessive, possessive_sentences


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


def test_too_few_translations_are_refused(refuses):
    refuses(
        lambda: feminine_by_possessive(possessive_sentences(), ["x"]),
        ["expected 384 translations", "got 1"],
    )
