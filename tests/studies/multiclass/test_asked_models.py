"""Groups in the gaps of a model: lifts as the score has them, effects by hand, random pairs, and a pronoun that was told."""

import numpy as np
import pytest

from lib.association import effect_size
from lib.language_models import MaskedLanguageModel
from lib.language_models.log_probability import mean_bias
from studies.multiclass.asked_models import (
    as_far,
    effects,
    lifts,
    raised_by_its_own,
    random_pairs,
)

PEOPLE = ["the {target} person is {attribute}", "{target} people are {attribute}"]


@pytest.fixture(scope="module")
def model():
    return MaskedLanguageModel("minilm-mlm", device="cpu")


def test_differences_of_lifts_are_log_probability_biases(model):
    words, attributes = ["white", "black", "table"], ["happy", "evil", "calm"]
    found = lifts(model, words, attributes, PEOPLE)
    assert found.index.tolist() == words and found.columns.tolist() == attributes
    expected = mean_bias(model, attributes, PEOPLE, [("black", "table")])
    assert (found.loc["black"] - found.loc["table"]).to_numpy() == pytest.approx(expected, abs=1e-6)
    expected = mean_bias(model, attributes, PEOPLE, [("white", "table")])
    assert (found.loc["white"] - found.loc["table"]).to_numpy() == pytest.approx(expected, abs=1e-6)


def test_effects_are_those_of_the_association_test():
    rows = np.random.default_rng(0).standard_normal((4, 7))
    expected = [effect_size(row[:3], row[3:]) for row in rows]
    assert effects(rows, 3) == pytest.approx(expected)


def test_random_pairs_are_two_words_and_reach_all_of_them():
    drawn = random_pairs(5, 500, 0)
    assert (drawn[:, 0] != drawn[:, 1]).all()
    assert len({*map(tuple, drawn)}) == 20 and drawn.max() == 4


def test_p_is_two_sided_and_never_zero():
    assert as_far(2.0, [-3.0, 1.0, 0.5]) == 0.5
    assert as_far(9.0, [-3.0, 1.0, 0.5]) == 0.25


def test_a_pronoun_that_was_told_comes_back_more_often_than_by_chance(model):
    sentences = ["yesterday {told} said that {target} worked as the {attribute}."]
    found = raised_by_its_own(model, ["he", "she", "they"], ["nurse", "driver"], sentences)
    assert found.shape == (2, 3) and found.to_numpy().mean() > 2 / 3
