"""Specification curves: sorted values, their nulls, and a tick for each choice."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

from studies.base_pair_stability.figures import specification_curve
from tests.lib.plots.figures import FIGURES


def test_values_stand_in_order_and_rows_without_one_are_left_out(figures_are_closed):
    fig = FIGURES["specification_curve"]()
    top, bottom = fig.axes
    heights = np.sort(np.concatenate([dots.get_offsets()[:, 1] for dots in top.collections[2:]]))
    assert heights.tolist() == [0.2, 0.3, 0.6]
    ticks = {
        label.get_text(): line.get_xdata().tolist()
        for label, line in zip(bottom.get_yticklabels(), bottom.get_lines())
    }
    assert ticks == {"MiniLM": [0, 2], "Twitter": [1], "she-he": [1, 2], "gal-guy": [0]}


def test_more_sets_than_colours_are_all_drawn_each_with_a_look_of_its_own(figures_are_closed):
    names = [f"vectors {number}" for number in range(11)]
    table = pd.DataFrame({"vectors": names, "value": np.linspace(0, 1, 11)})
    for end in ("low", "high", "null low", "null high"):
        table[end] = table["value"]
    fig = specification_curve(table, ["vectors"], label="rank correlation")
    top, bottom = fig.axes
    dots = top.collections[2:]
    assert sum(len(mark.get_offsets()) for mark in dots) == len(names)
    looks = {
        (tuple(mark.get_facecolor()[0]), mark.get_paths()[0].vertices.tobytes()) for mark in dots
    }
    assert len(looks) == len(names)
    colours = [tuple(mark.get_facecolor()[0]) for mark in dots]
    assert [to_rgba(line.get_color()) for line in bottom.get_lines()] == colours
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == ["random pairs, central 95 %"]
