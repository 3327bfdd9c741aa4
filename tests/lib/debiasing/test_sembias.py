"""SemBias asked of vectors with a known answer."""

import numpy as np
import pandas as pd
import pytest

from lib.debiasing.sembias import sembias_answers

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


def test_a_question_with_an_unknown_word_is_left_out_and_the_rest_are_asked():
    other = [("king", "queen"), *PAIRS[1:3], ("boss", "stylist")]
    both = pd.concat([question(), question(other, 1)])
    found = sembias_answers(both, vectors(1, 2), CONTRAST)
    assert found.shape == (1, 1)
    assert sembias_answers(question(other), vectors(1, 2), CONTRAST).empty


def test_pairs_without_a_contrast_are_refused():
    with pytest.raises(ValueError, match="expected a contrast"):
        sembias_answers(question(), vectors(1, 2), [("woman", "man"), ("man", "woman")])
