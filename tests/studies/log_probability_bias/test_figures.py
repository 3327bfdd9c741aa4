"""The picture of the log probability bias."""

import pytest
from matplotlib.colors import to_hex

from lib.plots import style
from tests.lib.plots.figures import FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_marks_take_the_colour_of_the_side_they_move_to():
    ax = FIGURES["odds_moved_by"]().axes[0]
    shown = ax.collections[-1]
    assert [to_hex(colour) for colour in shown.get_facecolors()] == [
        style.PALETTE["male"],
        style.PALETTE["female"],
    ]
