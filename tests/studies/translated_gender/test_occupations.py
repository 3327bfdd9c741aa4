"""Shares by occupation: pairs of systems, and what planted translators do with her, his, their and the."""

from lib.translation.evaluation_sets import possessive_sentences
from studies.translated_gender.occupations import feminine_by_possessive


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
