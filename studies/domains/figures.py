"""Figures: effect sizes beside what random words give in place of either pair of lists, and a number under every setting."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import EDGE, INK, NEUTRAL, SOLID, themed

PHONE = 3.2  # inches: a figure that a page of 390 pixels shows without scrolling
LINE, NAME = 32, 17  # characters to the line, of the label of an axis and of a row

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
def effects_beside_chance(
    table: pd.DataFrame, *, label: str, sides: tuple[str, str], gendered: bool
) -> Figure:
    """A row for each set of vectors: d as a dot, the first side left, beside what random words and groups of words give.

    Columns value, words low, words high, groups low, groups high and, each NaN where there is none, low and high: the range
    over trainings. Dots have the colour of their side where the sides are male and female (`gendered`).
    """
    rows = np.arange(len(table))
    fig, (ax,) = _narrow_panel(table.index, step=0.36, legend=4)
    if table["low"].notna().any():
        marks.key(ax, "this test, range over trainings", linestyle="-")
    else:
        marks.key(ax, "this test")
    marks.grey_bars(
        ax, table["words low"], table["words high"], rows - 0.14, width=6, label="random words"
    )
    _open_bars(ax, table["groups low"], table["groups high"], rows + 0.2, "groups of related words")
    marks.intervals(ax, table, rows)
    marks.dots(ax, table["value"], rows, scores=-table["value"] if gendered else None, zorder=3)
    ax.invert_xaxis()
    _label(ax, label, sides)
    return layout.with_data(fig, table)


@themed
def dots_by_test(
    table: pd.DataFrame, *, label: str, sides: tuple[str, str], bars: tuple[str, str]
) -> Figure:
    """A row for each test, a dot for each set of vectors: filled beyond the first bar, ringed beyond the second as well.

    Columns row, name (of a dot, written beside it where that is filled), value, first and second: whether d is beyond those
    `bars`.
    """
    names = list(dict.fromkeys(table["row"]))
    y = np.array([names.index(row) for row in table["row"]])
    fig, (ax,) = _narrow_panel(names, step=0.52, legend=3)
    first, second = (table[column].to_numpy(bool) for column in ("first", "second"))
    marks.key(ax, f"not beyond {bars[0]}", mfc="white")
    marks.key(ax, f"beyond {bars[0]}")
    marks.key(ax, f"beyond {bars[1]}, too", mec="#d55e00", mew=2, ms=7.5)
    marks.dots(ax, table["value"][~first], y[~first], filled=False, s=36)
    marks.dots(ax, table["value"][first], y[first], s=36, zorder=3)
    both = first & second
    ax.scatter(table["value"][both], y[both], s=64, fc="none", ec="#d55e00", lw=2, zorder=4)
    named = table[first].assign(y=y[first]).sort_values(["y", "value"])
    above = named.groupby("y").cumcount() % 2 == 0  # neighbours do not write over each other
    for (_, dot), up in zip(named.iterrows(), above):
        marks.note(ax, str(dot["name"])[:NAME], dot["value"], dot["y"], up=7 if up else -7)
    ax.invert_xaxis()
    ax.margins(x=0.2)
    ax.set_ylim(len(names) - 0.4, -0.7)
    _label(ax, label, sides)
    return layout.with_data(fig, table)


def _narrow_panel(
    rows: pd.Index | list[str], step: float, legend: int
) -> tuple[Figure, list[Axes]]:
    names = [textwrap.fill(str(name), NAME) for name in rows]
    height = step * max(len(names), 3) + 0.16 * legend + 0.75
    fig, axes = layout.panel_axes(height=height, width=PHONE, columns=1)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set(ylabel="", ylim=(max(len(names), 1) - 0.5, -0.5))
    return fig, axes


def _label(ax: Axes, label: str, sides: tuple[str, str]) -> None:
    layout.zero_line(ax)
    ax.set_xticks(range(-2, 3))  # no d lies beyond 2 by much
    layout.measure_axis([ax], "")
    layout.pole_strip([ax], *(side[:12] for side in sides))
    ax.set_xlabel(textwrap.fill(label, LINE))
    layout.legend_above(ax.get_figure(root=True))


def _open_bars(ax: Axes, low: ArrayLike, high: ArrayLike, y: ArrayLike, label: str) -> None:
    """White bars with an edge, beside the grey ones of `lib.plots.marks`."""
    look = {"facecolor": "white", "edgecolor": EDGE, "linewidth": 0.9, "zorder": 0.5}
    ax.barh(y, np.subtract(high, low), left=low, height=0.24, label=label, **look)


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
