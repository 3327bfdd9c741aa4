"""Panels, rows and legends."""

import pytest

from lib.plots import layout, marks

pytestmark = pytest.mark.usefixtures("figures_are_closed")


@pytest.mark.parametrize("count, rows, columns", [(1, 1, 1), (3, 1, 3), (4, 2, 2), (5, 2, 3)])
def test_panels_fill_rows_evenly(count, rows, columns):
    fig, axes = layout.panel_axes(map(str, range(count)), height=1)
    grid = axes[0].get_subplotspec().get_gridspec()
    assert len(fig.axes) == len(axes) == count
    assert (grid.nrows, grid.ncols) == (rows, columns)


def test_the_first_row_stands_on_top_and_all_panels_share_it():
    _, axes = layout.row_axes(["a", "b"], ["one", "two"])
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]
    assert axes[1].get_ylim() == (1.5, -0.5)


def test_labels_of_two_lines_get_higher_rows():
    low, high = (layout.row_axes(labels)[0].get_figheight() for labels in (["a"] * 9, ["a\nb"] * 9))
    assert high > low


def test_a_long_title_is_wrapped():
    _, axes = layout.panel_axes(["a title that is far too long for a panel"] * 3, height=1)
    assert "\n" in axes[0].get_title()


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


def test_a_contrast_names_both_poles():
    _, (ax,) = layout.panel_axes(height=1)
    layout.label_poles(ax, "RIPA")
    assert ax.get_xlabel() == "← male-leaning   RIPA   female-leaning →"
