"""Shares by occupation: pairs of systems, and what planted translators do with her, his, their and the."""

import numpy as np
import pytest

from lib.translation.evaluation_sets import possessive_sentences
from studies.translated_gender.occupations import (
    exchanged,
    feminine_by_possessive,
    in_spanish,
    named,
    own_sentences,
)


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


def test_five_occupations_that_move_can_show_nothing():
    assert exchanged(np.array([0.25] * 5 + [0.0] * 19)) == (0.0625, 0.0625, 5)
    assert exchanged(np.zeros(24)) == (1.0, 1.0, 0)
    p, least, moved = exchanged(np.ones(24))
    assert p == pytest.approx(1e-5, rel=0.1) and least == 2.0**-23 and moved == 24


def test_one_occupation_is_too_few():
    asked = own_sentences(["nurse"], ["The {occupation} lost {says} keys."])
    found = feminine_by_possessive(asked, ["La enfermera vino."] * 4, rng=0)
    assert found[["value", "p"]].isna().all(axis=None)


def test_own_sentences_are_those_of_the_book_for_its_own():
    book = possessive_sentences()
    assert own_sentences(book["occupation"].unique(), list(book["frame"].unique())).equals(book)
    with pytest.raises(ValueError, match=r"expected \{occupation\} in each"):
        own_sentences(["nurse"], ["The nurse lost {says} keys."])


def test_keys_that_lose_keys_are_no_carpenter():
    words = in_spanish([("carpenter", "carpintera", "carpintero")])
    assert words["carpenter"] == "carpintera/carpintero" and words["nurse"] == ""
    forms = words["carpenter"].split("/")
    assert named("El carpintero perdió sus llaves.", forms)
    assert not named("Las llaves perdieron sus llaves.", forms)
    assert not named("Las llaves carpintera perdieron.", forms) and not named("", [""])
