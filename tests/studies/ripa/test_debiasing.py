"""Which words keep a contrast: the theorem, the rule, and strengths of analogies, worked by hand."""

import numpy as np
import pytest

from lib.debiasing import project_out
from lib.debiasing.projection import principal_directions
from studies.ripa.debiasing import (
    contrast_left,
    directions_without,
    read_gender_specific_seed,
    spared_by_rule,
    strengths,
)


def test_projecting_the_span_out_leaves_nothing_and_the_first_component_alone_leaves_much():
    rng = np.random.default_rng(0)
    words, contrasts = rng.standard_normal((50, 12)), rng.standard_normal((4, 12))
    share, largest = contrast_left(words, project_out(words, contrasts), contrasts)
    assert share < 1e-12 and largest < 1e-12
    first = principal_directions(contrasts, centred=False)
    assert 0.1 < contrast_left(words, project_out(words, first), contrasts)[0] < 1


def test_a_word_is_spared_when_it_lies_nearer_the_direction_of_gender():
    queen, nurse = [3.0, 1.0], [1.0, -2.0]
    assert spared_by_rule([queen, nurse], [1, 0], [0, 1]).tolist() == [True, False]


def test_each_analogy_can_be_judged_by_a_direction_of_its_own():
    analogies = np.array([[[2.0, 1.0], [0.0, 3.0]], [[2.0, 1.0], [0.0, 3.0]]])
    spared = spared_by_rule(analogies, [1, 0], [[0, 1], [0.1, 0]])
    assert spared.tolist() == [[True, False], [True, True]]
    assert strengths(analogies, [1, 0], spared).tolist() == [2, 2]
    assert strengths(analogies, [1, 0], ~spared).tolist() == [0, 0]


def test_strength_does_not_depend_on_which_word_comes_first():
    analogies = np.random.default_rng(1).standard_normal((6, 2, 5))
    direction = np.eye(5)[0]
    assert strengths(analogies, direction) == pytest.approx(
        strengths(analogies[:, ::-1], direction)
    )


def test_a_direction_is_made_without_the_pair_it_judges():
    differences = np.random.default_rng(2).standard_normal((5, 4))
    for place, direction in zip((2, -1), directions_without(differences, [2, -1])):
        others = differences if place < 0 else np.delete(differences, place, axis=0)
        largest = np.linalg.svd(others)[2][0]
        assert abs(direction @ largest) == pytest.approx(1)


@pytest.mark.sample("bolukbasi_gender_specific_seed")
def test_the_list_was_grown_from_as_many_words_as_published():
    words = read_gender_specific_seed()
    assert len(words) == 218 and "godfather" in words
