"""Panels, rows and legends."""

import pytest
from matplotlib.colors import to_hex

from lib.plots import layout, marks, style

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_the_first_row_stands_on_top_and_all_panels_share_it():
    _, axes = layout.row_axes(["a", "b"], ["one", "two"])
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]
    assert axes[1].get_ylim() == (1.5, -0.5)


def test_a_legend_names_every_mark_once():
    fig, axes = layout.panel_axes(["one", "two"], height=1)
    for ax in axes:
        marks.dots(ax, [0], [0], label="ours")
        marks.printed_values(ax, [1], [0])
    layout.legend_above(fig)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == [
        "ours",
        "printed in the paper",
    ]
    assert all(ax.get_legend() is None for ax in axes)


def test_both_poles_stand_above_the_panels_and_the_measure_below():
    fig, axes = layout.panel_axes(["one", "two", "three", "four"], height=1, columns=2)
    layout.measure_axis(axes, "← he   log odds of he   she →")
    strips = [[text.get_text() for text in ax.texts] for ax in axes]
    assert strips == [["← he"], ["she →"]] * 2
    assert fig.get_supxlabel() == "log odds of he"
    colours = [to_hex(ax.texts[0].get_color()) for ax in axes[:2]]
    assert colours == [style.PALETTE["male"], style.PALETTE["female"]]


def test_an_axis_with_female_on_the_left_is_turned():
    _, (ax,) = layout.panel_axes(height=1)
    layout.measure_axis([ax], "← first list leans female   effect size   first list leans male →")
    assert ax.xaxis_inverted() and ax.get_xlabel() == "effect size"
    assert [text.get_text() for text in ax.texts] == [
        "← first list leans male",
        "first list leans female →",
    ]
