"""Dots, diamonds and names."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from lib.plots import layout, marks, style

pytestmark = pytest.mark.usefixtures("figures_are_closed")


@pytest.fixture
def ax():
    return layout.panel_axes(height=3)[1][0]


def test_dots_carry_the_colour_of_their_side(ax):
    marks.dots(ax, [0, 1, 2], [0, 0, 0], scores=[0.2, -0.1, 0])
    colours = [to_hex(colour) for colour in ax.collections[0].get_facecolors()]
    assert colours == [style.PALETTE[side] for side in ("female", "male", "neutral")]


def test_names_do_not_cover_one_another(ax):
    rng = np.random.default_rng(0)
    places = pd.DataFrame(rng.random((60, 2)), [f"word {i}" for i in range(60)], ["x", "y"])
    marks.dots(ax, places["x"], places["y"])
    marks.name_points(ax, places)
    boxes = [text.get_window_extent() for text in ax.texts]
    assert 10 < len(boxes) < 60
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
