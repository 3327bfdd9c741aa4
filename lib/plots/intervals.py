"""Figures of values beside what they are judged by: intervals, nulls, printed numbers."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import themed

COLUMNS = ("panel", "row", "value", "low", "high", "null low", "null high", "paper", "second")


@themed
def interval_dots(
    table: pd.DataFrame,
    *,
    label: str,
    null: tuple[float, float] | None = None,
    interval: str = "this run, with its interval",
    band: str = "null baseline, central 95 %",
) -> Figure:
    """A dot with its interval in every row, the paper's value as an open diamond, the null in grey.

    Parameters
    ----------
    table : DataFrame
        Index of labels, columns value, low, high and, where known, paper (NaN where nothing is
        printed), and null low and null high where each row has a null of its own. Rows keep their
        order, first row on top.
    label : str
        Of the axis.
    null : (float, float), optional
        Ends of a grey band behind all rows.
    interval, band : str
        What dots and bars, and what the grey is, for the legend.

    Examples
    --------
    >>> table = pd.DataFrame({"value": [0.2], "low": [0.1], "high": [0.3]}, ["RIPA"])
    >>> interval_dots(table, label="Fleiss' kappa").axes[0].get_xlabel()
    "Fleiss' kappa"
    """
    fig, (ax,) = layout.row_axes(table.index)
    _judged(ax, table, range(len(table)), interval=interval, band=band)
    if null:
        marks.band_across(ax, *null, label=band)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table.filter(COLUMNS))


@themed
def dots_by_panel(
    table: pd.DataFrame,
    *,
    label: str,
    band: str = "",
    interval: str = "",
    second: str = "",
    sharex: bool = False,
) -> Figure:
    """Panels that share their rows: a dot each, with interval, null band and printed value if any.

    Parameters
    ----------
    table : DataFrame
        Columns panel, row, value and, each NaN where there is none, low, high, null low,
        null high, paper, and second where that is named. Panels and rows keep the order in which
        they first occur.
    label : str
        Of the axes.
    band, interval, second : str
        What the grey bar, the thin bar and the open dot are, for the legend; "" leaves the thin
        bar and the open dot out.
    sharex : bool
        One scale for all panels, where they show the same quantity.
    """
    rows = list(table["row"].unique())
    panels = dict(list(table.groupby("panel", sort=False)))
    fig, axes = layout.row_axes(rows, panels, sharex=sharex)
    for ax, part in zip(axes, panels.values()):
        y = [rows.index(row) for row in part["row"]]
        _judged(ax, part, y, interval=interval, band=band, second=second)
    layout.measure_axis(axes, label)
    layout.legend_above(fig)
    return layout.with_data(fig, table.filter(COLUMNS))


def _judged(
    ax: Axes,
    table: pd.DataFrame,
    y: Iterable[int],
    *,
    interval: str,
    band: str,
    second: str = "",
) -> None:
    """Draw values in rows with what the table holds to judge them by."""
    marks.key(ax, interval or "this run", linestyle="-" if interval else "")
    marks.dots(ax, table["value"], y, s=38)
    if second:
        marks.dots(ax, table["second"], y, filled=False, s=34, label=second)
    if interval:
        marks.intervals(ax, table, y)
    if "paper" in table:
        marks.printed_values(ax, table["paper"], y)
    if "null low" in table:
        marks.grey_bars(ax, table["null low"], table["null high"], y, width=9, label=band)
    layout.zero_line(ax)
