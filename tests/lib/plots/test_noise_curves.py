"""What noise reaches by the number of words, and printed values beside it."""

import numpy as np
import pytest

from lib.plots.layout import data_of
from tests.lib.plots.figures import FIGURES, NOISE_BEYOND, NOISE_LIMITS

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_each_correlation_is_a_curve_in_both_panels():
    fig = FIGURES["noise_by_words"]()
    for ax, table in zip(fig.axes, (NOISE_LIMITS, NOISE_BEYOND)):
        curves = [line for line in ax.lines if line.get_marker() != "None"]
        assert [line.get_ydata().tolist() for line in curves] == table.T.to_numpy().tolist()


def test_printed_values_stand_beside_the_curves_and_are_open():
    limits, counts = FIGURES["noise_by_words"]().axes
    diamonds = limits.collections[0]
    assert np.allclose(diamonds.get_offsets()[:, 1], [0.15, 0.25, 0.6])
    assert (diamonds.get_offsets()[:, 0] > NOISE_LIMITS.index.max()).all()
    assert len(diamonds.get_facecolors()) == 0 and counts.get_ylim()[1] > 3


def test_the_figure_knows_limits_and_counts():
    table = data_of(FIGURES["noise_by_words"]())
    assert table.loc[(20, 0.5)].tolist() == [0.2, 2]
