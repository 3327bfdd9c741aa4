"""Specification curves: sorted values, their nulls, and a tick for each choice."""

import numpy as np

from tests.plots.figures import FIGURES


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
