"""Probes after a direction is out: what it alone carried is gone, what others carry stays."""

import numpy as np
import pytest

from lib.debiasing.projection import hard_debias
from lib.measures import neighbours
from studies.contextual_geometry.context_probes import extremes
from studies.contextual_geometry.geometry import classification_accuracy, neighbour_correlation
from studies.contextual_geometry.probes_after_debiasing import (
    PROBES,
    probe_without,
)

RNG = np.random.default_rng(0)
LEANS = RNG.standard_normal(80)
NOISE = RNG.standard_normal((80, 10)) / 10
FIRST = np.eye(11)[0]
ALONE = np.c_[LEANS, NOISE + 1]
TWICE = np.c_[LEANS, NOISE + 1] + 3 * np.outer(LEANS, np.eye(11)[1])


@pytest.mark.parametrize("probe", PROBES)
def test_what_a_second_direction_carries_is_recovered_and_what_the_first_alone_carried_is_not(
    probe,
):
    settings = dict(size=20, k=10)
    gone = probe_without(probe, ALONE, LEANS, FIRST, **settings)
    stays = probe_without(probe, TWICE, LEANS, FIRST, **settings)
    assert stays > 0.8 and gone < 0.75


def test_it_is_hard_debiasing_of_words_that_are_not_spared():
    changed = hard_debias(TWICE, FIRST, spared=np.zeros(80, bool), equal=[])
    near = neighbours(changed, changed, 10, exclude=np.arange(80))
    assert probe_without("neighbours", TWICE, LEANS, FIRST, k=10) == pytest.approx(
        float(neighbour_correlation(LEANS, near))
    )
    rows, labels = extremes(LEANS, 20)
    assert probe_without("classification", TWICE, LEANS, FIRST, size=20) == pytest.approx(
        classification_accuracy(changed[rows], labels, rng=0)
    )
