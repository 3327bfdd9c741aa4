"""What each read-out sees of the variants, on the vectors that come with the book."""

import numpy as np
import pytest

from lib.embeddings import Embedding, load_embedding
from lib.text_classification.occupations.printed import biographies_by_gender
from lib.text_classification.occupations.synthetic import Planted, biographies
from studies.biographies.readings import (
    CONTROLS,
    LEFT,
    RECOVERED,
    SETS,
    TESTS,
    move_beside_controls,
    read_variants,
    what_is_missing,
)
from studies.biographies.variants import gender_lists


@pytest.fixture(scope="module")
def readings():
    return read_variants(load_embedding("minilm"), gender_lists(), k=100, controls=2, rng=0)


def test_equalising_makes_sets_one_and_projecting_takes_the_direction_out(readings):
    table = readings.table
    equal = ["strongly debiased", "equalise only"]
    assert (table[SETS].drop([*equal, *CONTROLS]) == 0).all()
    assert (table.loc[equal, SETS] == readings.sets).all()
    gone = ["debiased", "strongly debiased", "project only"]
    assert (table.loc[gone, LEFT] < 1e-6).all()
    assert (table[LEFT].drop(gone) > 0.01).all()


def test_a_test_with_words_that_were_made_one_is_undefined_and_one_with_names_is_not(readings):
    with_gender, with_names = TESTS["weat7"], TESTS["weat6"]
    undefined = readings.table.index[readings.table[with_gender].isna()]
    assert set(undefined) == {"debiased", "strongly debiased", "equalise only"}
    assert readings.table[with_names].notna().all()


def test_a_variant_is_set_beside_random_controls_with_the_smallest_p_that_they_allow(readings):
    found = move_beside_controls(load_embedding("minilm"), gender_lists(), controls=4, rng=0)
    with_names = readings.table[TESTS["weat6"]]
    assert found["value"].to_dict() == pytest.approx(with_names[found.index].to_dict())
    assert found["p"].between(1 / 5, 1).all() and (found["smallest p"] == 1 / 5).all()
    undefined = move_beside_controls(
        load_embedding("minilm"), gender_lists(), test="weat7", controls=1, rng=0
    )
    assert np.isnan(undefined.loc["strongly debiased", "p"])


def test_words_that_leaned_are_recovered_after_the_direction_is_gone(readings):
    assert readings.table.loc["plain", RECOVERED] == pytest.approx(1, abs=0.01)
    assert readings.table.loc["strongly debiased", RECOVERED] > 0.65


def test_without_the_words_of_a_test_it_is_undefined():
    words = ["she", "he", "woman", "man", "mother", "father", *(f"word{i}" for i in range(40))]
    vectors = np.random.default_rng(0).normal(size=(len(words), 8))
    table = read_variants(Embedding(words, vectors), gender_lists(), k=10, controls=1, rng=0).table
    assert table[list(TESTS.values())].isna().all(axis=None)


def test_what_a_vocabulary_lacks_is_said():
    texts = biographies(200, Planted(explicit=1), biographies_by_gender(), rng=0)["text"]
    lists = gender_lists()
    assert what_is_missing(load_embedding("minilm"), lists, texts) == ""
    held = ["she", "he", "woman", "man", "mother", "father", "patients", "care"]
    few = Embedding(held, np.eye(len(held)))
    assert what_is_missing(few, lists, texts).startswith("100 words of the texts are needed")
    assert what_is_missing(few, lists._replace(definitional=()), texts).startswith("two")
