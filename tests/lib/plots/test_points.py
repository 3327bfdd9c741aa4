"""Figures of points on two axes."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from lib.plots import style
from tests.lib.plots.figures import FIGURES, SCORES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_points_carry_the_colour_of_their_score_and_the_named_ones_a_ring():
    ax = FIGURES["leaning_points"]().axes[0]
    *clouds, rings = ax.collections
    assert [to_hex(cloud.get_facecolors()[0]) for cloud in clouds] == list(style.PALETTE.values())
    assert [len(cloud.get_offsets()) for cloud in clouds] == [2, 1, 1]
    forms = {cloud.get_paths()[0].vertices.tobytes() for cloud in clouds}
    assert len(forms) == 3  # colour is not all that says the side
    assert np.allclose(rings.get_offsets(), SCORES[:1, :2])
    assert [text.get_text() for text in ax.texts] == ["nurse"]
