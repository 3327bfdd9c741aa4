"""Figures of values beside what they are judged by."""

import numpy as np
import pytest

from lib.plots import intervals, layout
from tests.lib.plots.figures import FIGURES, INTERVALS, PANELS, row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def legend(fig):
    return [text.get_text() for text in fig.legends[0].get_texts()]


def test_values_and_printed_values_stand_in_their_rows():
    fig = FIGURES["interval_dots"]()
    values, _, printed = fig.axes[0].collections[:3]
    assert np.allclose(values.get_offsets(), [[0.3, 0], [-0.1, 1], [0.0, 2]])
    assert np.allclose(np.ma.compressed(printed.get_offsets()[0]), [0.45, 0])
    assert row_labels(fig.axes[0]) == ["TX", "OH", "NY"]
    assert legend(fig) == [
        "this run, with its interval",
        "printed in the paper",
        "null baseline, central 95 %",
    ]


def test_each_row_may_have_a_null_of_its_own():
    table = INTERVALS.assign(**{"null low": -0.2, "null high": [0.1, 0.2, 0.3]})
    ax = intervals.interval_dots(table, label="score", band="random class words").axes[0]
    segments = ax.collections[-1].get_segments()
    assert [segment[1][0] for segment in segments] == [0.1, 0.2, 0.3]


def test_panels_share_rows_and_hold_their_own_values():
    fig = FIGURES["dots_by_panel"]()
    one, two = fig.axes
    assert one.get_title(loc="left") == "one" and row_labels(one) == ["a", "b"]
    assert np.allclose(two.collections[0].get_offsets(), [[0.3, 1]])
    assert legend(fig) == ["interval", "held out", "printed in the paper", "random words"]


def test_only_what_is_drawn_is_offered_as_data():
    assert "object" in PANELS and "object" not in layout.data_of(FIGURES["dots_by_panel"]())
