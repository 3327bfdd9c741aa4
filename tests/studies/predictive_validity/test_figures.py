"""Panels of a score and a gap: what is drawn open, and one entry a group in the legend."""

import pandas as pd
import pytest

from studies.predictive_validity.figures import score_and_gap
from tests.support import drawn

pytestmark = pytest.mark.usefixtures("figures_are_closed")


POINTS = pd.DataFrame(
    {"x": [0, 1, 2, 3], "y": [1, 2, 3, 4], "group": list("aabb"), "open": [False] * 3 + [True]}
)


def two_panels():
    return score_and_gap({"first": POINTS, "second": POINTS}, x="score", y="gap")


def test_a_figure_is_as_figures_of_the_book_are():
    drawn.check(two_panels)


def test_points_are_drawn_by_group_and_copies_are_open():
    fig = two_panels()
    sizes = [len(marks.get_offsets()) for marks in fig.axes[0].collections]
    assert sizes == [2, 1, 1]
    legend = [text.get_text() for box in fig.legends for text in box.get_texts()]
    assert sorted(legend) == ["a", "b"]
