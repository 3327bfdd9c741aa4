"""SemBias as its file has it, and asked of vectors with a known answer."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.contextual_geometry import sembias
from studies.contextual_geometry.sembias import most_along, sembias_answers

PAIRS = [("waiter", "waitress"), ("cup", "lid"), ("pen", "pencil"), ("doctor", "nurse")]
KINDS = ["definition", "none", "none", "stereotype"]
CONTRAST = [("woman", "man")]


def question(pairs=PAIRS, number=0):
    return pd.DataFrame(pairs, columns=["male", "female"]).assign(question=number, kind=KINDS)


def vectors(stereotype, definition):
    """Words in three dimensions, the second of which is the contrast; each pair also differs elsewhere."""
    made = {
        word: np.array([k, 0.0, side])
        for k, pair in enumerate(PAIRS)
        for side, word in enumerate(pair)
    }
    made["nurse"] = made["nurse"] + [0, stereotype, 0]
    made["waitress"] = made["waitress"] + [0, definition, 0]
    return made | {"woman": np.array([0, 1.0, 0]), "man": np.zeros(3)}


def test_the_pair_that_goes_farthest_along_the_contrast_is_the_answer():
    for stereotype, definition, kind in ((1, 2, "definition"), (2, 1, "stereotype")):
        found = sembias_answers(question(), vectors(stereotype, definition), CONTRAST)
        assert found.loc["waiter", "doctor"] == kind


def test_taking_the_contrast_out_leaves_the_words_that_are_spared():
    leaning = vectors(3, 1)
    assert sembias_answers(question(), leaning, CONTRAST).loc["waiter", "doctor"] == "stereotype"
    spared = {"waiter", "waitress"}
    found = sembias_answers(question(), leaning, CONTRAST, spared=spared)
    assert found.loc["waiter", "doctor"] == "definition"


@settings(max_examples=30)
@given(seed=st.integers(0, 999), scale=st.floats(0.01, 100), k=st.integers(2, 5))
def test_only_directions_count_and_a_turned_space_answers_alike(seed, scale, k):
    rng = np.random.default_rng(seed)
    first, second = rng.standard_normal((2, 6, k, 4))
    contrast, turn = rng.standard_normal(4), np.linalg.qr(rng.standard_normal((4, 4)))[0]
    answer = most_along(first, second, contrast)
    assert np.array_equal(most_along(first @ turn, second @ turn, scale * contrast @ turn), answer)
    longer = first + scale * (second - first)
    assert np.array_equal(most_along(first, longer, contrast), answer)


@pytest.mark.sample("sembias")
def test_every_definition_meets_every_stereotype_once():
    rows = sembias.read_sembias()
    assert len(rows) == 4 * 440
    by_kind = {kind: rows[rows["kind"] == kind].set_index("question") for kind in set(rows["kind"])}
    assert {kind: len(part) for kind, part in by_kind.items()} == {
        "definition": 440,
        "stereotype": 440,
        "none": 880,
    }
    met = by_kind["definition"].join(by_kind["stereotype"], rsuffix=" of stereotype")
    assert (met["male"].nunique(), met["male of stereotype"].nunique()) == (22, 20)
    assert not met.duplicated(["male", "male of stereotype"]).any()
    assert ("waiter", "waitress") in set(zip(met["male"], met["female"]))
