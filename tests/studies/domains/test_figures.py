"""Dots of effects beside chance, and of tests in several texts."""

import numpy as np
import pandas as pd
import pytest

from studies.domains import figures
from tests.lib.plots.figures import row_labels
from tests.support import drawn

pytestmark = pytest.mark.usefixtures("figures_are_closed")
BESIDE = pd.DataFrame(
    {"value": [1.2, -0.4], "low": [0.9, np.nan], "high": [1.4, np.nan]}
    | {"words low": -1, "words high": 1, "groups low": -1.3, "groups high": 1.2},
    ["news", "Wikipedia (GAP)"],
)
TESTS = pd.DataFrame(
    {"row": ["B1 career vs family", "B1 career vs family", "B2"], "name": ["news", "film", "film"]}
    | {"value": [1.2, 0.3, -0.8], "first": [True, False, True], "second": [True, True, False]}
)
SIDES = ("male", "female")


def beside(gendered=True):
    return figures.effects_beside_chance(BESIDE, label="d", sides=SIDES, gendered=gendered)


def of_tests():
    return figures.dots_by_test(TESTS, label="d", sides=SIDES, bars=("words", "groups"))


@pytest.mark.parametrize("draw", [beside, lambda: beside(False), of_tests])
def test_figures_of_the_study_are_legible(draw):
    drawn.check(draw)


def test_female_stands_right_and_each_row_has_both_bars():
    ax = beside().axes[0]
    assert ax.xaxis_inverted() and row_labels(ax) == ["news", "Wikipedia (GAP)"]
    assert [text.get_text() for text in ax.texts] == ["← male", "female →"]


def test_a_ring_takes_both_bars_and_a_name_the_first():
    ax = of_tests().axes[0]
    assert [text.get_text() for text in ax.texts][:2] == ["news", "film"]
    rings = ax.collections[-1].get_offsets()
    assert np.allclose(rings, [[1.2, 0]])
