"""Cells and rows of marks."""

import numpy as np
import pandas as pd
import pytest

from studies.calibration import figures
from studies.calibration.judgement import NO, OPEN, YES
from tests.support import drawn

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_a_cell_says_yes_no_a_question_mark_or_nothing():
    states = pd.DataFrame({"order": [YES, NO], "side": [OPEN, np.nan]}, ["RIPA", "MAC"])
    ax = figures.answers(states).axes[0]
    assert [text.get_text() for text in ax.texts] == ["yes", "?", "no"]
    assert len(ax.patches) == 3
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["order", "side"]


def test_rows_have_their_dot_their_mark_and_the_open_dot_where_there_is_one():
    table = pd.DataFrame({"value": [0.9, 0.5], "low": [0.8, 0.4], "high": [1.0, 0.6]}, ["a", "b"])
    fig = figures.rows_of_marks(
        {"one": table.assign(second=[0.7, 0.3]), "two": table},
        labels={"one": "order", "two": "order"},
        lines={"one": 0.9},
        bands={"two": (0.0, 0.05)},
        band="5 %",
        interval="marks",
        second="usual",
    )
    first, second = fig.axes
    assert np.allclose(first.collections[-2].get_offsets(), [[0.7, 0], [0.3, 1]])
    assert np.allclose(second.collections[-1].get_offsets(), [[0.9, 0], [0.5, 1]])
    assert len(second.patches) == 1 and not first.patches


def test_points_are_drawn_alike_every_time_a_panel_each():
    points = pd.DataFrame({"x": [1.0, -1.0, 0.5], "y": [0.2, -0.3, 0.0]}, ["a", "b", "c"])
    drawn.check(
        lambda: figures.planted_points({"one": points, "two": points}, x="planted", y="score")
    )
