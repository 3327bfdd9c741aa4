"""Rows of dots in panels one above the other, narrow enough for a phone held upright."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import themed

PHONE = 3.2  # inches: a figure that a page of 390 pixels shows without scrolling
STEP = 0.25  # inches a row of one line
LINE, NAME = 30, 18  # characters to the line, of the label of an axis and of a row


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

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title -> index of rows, columns value, null low, null high and, each where there is one,
        low, high and second, an open dot.
    labels : sequence of str
        Of the axis of each panel.
    band, interval, second : str
        What grey, thin bars and open dots are, for the legend; "" for none.
    at : float, optional
        Where a line stands in every panel, such as 0.

    Examples
    --------
    >>> table = pd.DataFrame({"value": [0.2], "null low": [-0.1], "null high": [0.1]}, ["minilm"])
    >>> fig = stacked_dots({"order": table}, labels=["rank correlation"], band="random axes")
    >>> fig.axes[0].get_xlabel()
    'rank correlation'
    """
    names = {title: [textwrap.fill(str(n), NAME) for n in t.index] for title, t in panels.items()}
    most = max(map(len, panels.values()), default=1)
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
