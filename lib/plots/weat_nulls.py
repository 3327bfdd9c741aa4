"""Effect sizes of association tests beside what random words give in place of either pair of lists."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import INK, themed

COLUMNS = ("panel", "row", "value", "low", "high", "paper")
ENDS = ("targets low", "targets high", "attributes low", "attributes high")


@themed
def effects_and_nulls(table: pd.DataFrame, *, label: str, interval: str) -> Figure:
    """A panel for each test: a dot in each row, its range, both null bands, the printed value.

    Parameters
    ----------
    table : DataFrame
        Columns panel, row, value and, each NaN where there is none, low, high, attributes low and
        attributes high (drawn as a grey bar), targets low and targets high (ticks), paper. Panels and rows keep the order in which they first occur.
    label : str
        Of the axes, naming both poles.
    interval : str
        What low to high is, for the legend.
    """
    rows = list(table["row"].unique())
    panels = dict(list(table.groupby("panel", sort=False)))
    fig, axes = layout.row_axes(rows, panels, sharex=True)
    for ax, part in zip(axes, panels.values()):
        y = [rows.index(row) for row in part["row"]]
        marks.key(ax, interval, linestyle="-")
        marks.grey_bars(
            ax,
            part["attributes low"],
            part["attributes high"],
            y,
            width=11,
            label="random attributes, central 95 %",
        )
        _narrow(ax, part, y)
        marks.dots(ax, part["value"], y, s=34, zorder=3)
        marks.intervals(ax, part, y)
        marks.printed_values(ax, part["paper"], y)
        layout.zero_line(ax)
    layout.measure_axis(axes, label)
    layout.legend_above(fig)
    return layout.with_data(fig, table.filter([*COLUMNS, *ENDS]))


def _narrow(ax: Axes, part: pd.DataFrame, y: list[int]) -> None:
    """Ticks at the ends of the band of random targets, which lies inside the other or nearly so."""
    look = {"marker": "|", "markersize": 9, "color": INK, "linestyle": "", "zorder": 1}
    for end in ("targets low", "targets high"):
        ax.plot(part[end], y, **look)
    marks.key(ax, "ends of the same for random targets", marker="|", markersize=9)
