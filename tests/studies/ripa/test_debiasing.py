"""Which words keep a contrast: the theorem, the rule, and strengths of analogies, worked by hand."""

import numpy as np
import pytest

from lib.debiasing import project_out
from lib.debiasing.projection import principal_directions
from studies.ripa.debiasing import (
    contrast_left,
    read_gender_specific_seed,
    spared_by_rule,
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


@pytest.mark.sample("bolukbasi_gender_specific_seed")
def test_the_list_was_grown_from_as_many_words_as_published():
    words = read_gender_specific_seed()
    assert len(words) == 218 and "godfather" in words
