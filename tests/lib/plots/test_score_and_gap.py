"""Panels of a score and a gap: what is drawn open, and one entry a group in the legend."""

import pandas as pd
import pytest

from lib.plots.score_and_gap import score_and_gap

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_points_are_drawn_by_group_and_copies_are_open():
    points = pd.DataFrame(
        {"x": [0, 1, 2, 3], "y": [1, 2, 3, 4], "group": list("aabb"), "open": [False] * 3 + [True]}
    )
    fig = score_and_gap({"first": points, "second": points}, x="score", y="gap")
    sizes = [len(marks.get_offsets()) for marks in fig.axes[0].collections]
    assert sizes == [2, 1, 1]
    legend = [text.get_text() for box in fig.legends for text in box.get_texts()]
    assert sorted(legend) == ["a", "b"]


def test_points_without_groups_need_no_legend():
    fig = score_and_gap({"all": pd.DataFrame({"x": [0.0], "y": [1.0]})}, x="score", y="gap")
    assert not fig.legends and fig.axes[0].get_ylabel() == "gap"
