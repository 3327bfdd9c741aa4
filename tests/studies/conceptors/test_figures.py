"""Figures of matrices in the plane."""

import numpy as np
import pytest

from tests.lib.plots.figures import FIGURES, MOVES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_the_ellipse_is_what_the_matrix_makes_of_the_circle():
    first, second = FIGURES["ellipse_panels"]().axes
    for ax, (wide, high) in ((first, (2, 1)), (second, (0.2, 0.5))):
        corners = ax.patches[0].get_xy()
        assert np.allclose(np.abs(corners).max(axis=0), (wide, high), atol=1e-3)


def test_a_word_that_moves_has_an_arrow_and_one_that_stays_none():
    first, second = FIGURES["ellipse_panels"]().axes
    arrows = [
        sum(text.arrow_patch is not None for text in ax.texts if hasattr(text, "arrow_patch"))
        for ax in (first, second)
    ]
    assert arrows == [0, len(MOVES)]
