"""Rows of dots, narrow enough for a phone held upright."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import NEUTRAL, themed

PHONE = 3.1  # inches: a figure that a page of 390 pixels shows without scrolling
STEP = 0.25  # inches a row of one line
FEWEST = 4  # rows that a panel has room for
LINE, NAME = 30, 18  # characters to the line, of the label of an axis and of a row


@themed
def class_cosines(
    cosines: pd.DataFrame,
    bars: pd.DataFrame,
    *,
    label: str,
    band: str,
    checks: Collection[str] = (),
) -> Figure:
    """One row a word, one dot a class (columns); the largest is named, for the score keeps only that one.

    `bars` says low and high of what the largest with random classes comes to; words of `checks`, which a working score has to see, stand below a line.
    """
    largest = cosines.max(axis=1).sort_values(ascending=False)
    jobs = [word for word in largest.index if word not in checks]
    order = [*jobs, *(word for word in largest.index if word in checks)]
    cosines, bars, largest = cosines.loc[order], bars.loc[order], largest[order]
    rows = np.arange(len(cosines))
    fig, (ax,) = layout.panel_axes(height=0.31 * len(order) + 0.7, width=3.2)
    for place, (_, values) in enumerate(cosines.items()):
        others = {"label": "the other classes"} if place == 0 else {}
        marks.dots(ax, values, rows, filled=False, edgecolor=NEUTRAL, s=26, **others)
    marks.dots(ax, largest, rows, label="largest: this is the score")
    marks.grey_bars(ax, bars["low"], bars["high"], rows, width=11, label=band)
    for y, (name, value) in enumerate(zip(cosines.idxmax(axis=1), largest)):
        marks.note(ax, name, value, y, right=8)
    if 0 < len(jobs) < len(order):
        ax.axhline(len(jobs) - 0.5, color=NEUTRAL, linewidth=0.8, linestyle="--", zorder=0)
    layout.zero_line(ax)
    layout.rows_axis(ax, order)
    ax.margins(x=0.3)
    layout.measure_axis([ax], "")
    ax.set_xlabel(textwrap.fill(label, 30))
    layout.legend_above(fig)
    return layout.with_data(fig, cosines.join(bars))


@themed
def stacked_dots(
    panels: Mapping[str, pd.DataFrame],
    *,
    labels: Sequence[str],
    band: str,
    interval: str = "",
    second: str = "",
    at: float | None = None,
) -> Figure:
    """Panels one above the other, each with its rows: a dot, its interval, the null in grey.

    A panel has an index of rows and columns value, null low, null high and, each where there is one, low, high and second, an open dot. `band`,
    `interval` and `second` say what grey, thin bars and open dots are; "" for none. A line stands at `at`.
    """
    names = {title: [textwrap.fill(str(n), NAME) for n in t.index] for title, t in panels.items()}
    most = max([FEWEST, *map(len, panels.values())])  # the legend takes its room, too
    lines = 1 + max((n.count("\n") for rows in names.values() for n in rows), default=0)
    height = STEP * most * (0.55 + 0.45 * lines) + 0.85
    fig, axes = layout.panel_axes(panels, height=height, width=PHONE, columns=1)
    for ax, (title, table), label in zip(axes, panels.items(), labels):
        rows = range(len(table))
        if "low" in table:
            marks.intervals(ax, table, rows)
        marks.grey_bars(ax, table["null low"], table["null high"], rows, width=9, label=band)
        if "second" in table:
            marks.dots(ax, table["second"], rows, filled=False, s=34, label=second)
        dot = {"linestyle": "-"} if interval and "low" in table else {}
        marks.key(ax, interval or "this run", **dot)
        marks.dots(ax, table["value"], rows, s=34)
        if at is not None:
            layout.zero_line(ax, at)
        ax.set_yticks(rows, names[title])
        ax.set(ylabel="", ylim=(max(len(table), 1) - 0.5, -0.5))
        layout.measure_axis([ax], "")
        ax.set_xlabel(textwrap.fill(label, LINE))
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel", "row"]))
