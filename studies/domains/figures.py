"""Figures: effect sizes beside what random words give in place of either pair of lists, and a number under every setting."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import INK, NEUTRAL, SOLID, themed

COLUMNS = ("panel", "row", "value", "low", "high", "paper")
ENDS = ("targets low", "targets high", "attributes low", "attributes high")


@themed
def effects_and_nulls(table: pd.DataFrame, *, label: str, interval: str) -> Figure:
    """A panel for each test, in their order: a dot in each row, its range, both null bands, the printed value.

    Columns panel, row, value and, each NaN where there is none, low and high (`interval` says of what), attributes low and
    attributes high (drawn as a grey bar), targets low and targets high (ticks), paper.
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


@themed
def range_of_settings(
    settings: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike],
    printed: Mapping[str, float],
    *,
    label: str,
) -> Figure:
    """Rows of two strips, a number under every defensible setting and with only the seed changed, and the paper's value."""
    kinds = {
        "upper row: a setting the paper leaves open": settings,
        "lower row: one setting, another seed": seeds,
    }
    strips = {(kind, row): pd.Series(rows[row]) for kind, rows in kinds.items() for row in settings}
    table = pd.concat(strips, names=["varied", "row"]).rename("value").reset_index([0, 1])
    fig, (ax,) = layout.row_axes(settings, step=0.55)
    look = {"hue": "varied", "palette": [NEUTRAL, INK], "size": 4.5, "alpha": SOLID}
    sns.stripplot(table, x="value", y="row", **look, dodge=True, jitter=False, ax=ax)
    rows = list(settings)
    marks.printed_values(ax, [printed[row] for row in rows], range(len(rows)))
    layout.rows_axis(ax, rows)
    layout.zero_line(ax)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)
