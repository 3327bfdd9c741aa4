"""Figures: the pairs of nouns of each classifier, and a mean beside what exchanged nouns give."""

from __future__ import annotations

import textwrap
from collections.abc import Collection

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import INK, NEUTRAL, themed

WIDE = 5.2  # inches
PHONE = 3.3  # inches: a figure that a page of 390 pixels shows without scrolling
NAME = 15  # characters to the line of a row's name


@themed
def pairs_of_nouns(
    table: pd.DataFrame, *, label: str, named: Collection[str] = (), mean: str = "mean"
) -> Figure:
    """A row for each system with a dot for each pair of nouns, and a thick tick at the mean.

    Columns row, pair ("widow–widower") and value. Pairs of `named` are drawn open; where one is at an end of its row, its feminine noun stands below.
    """
    rows = list(table["row"].unique())
    labels = [textwrap.fill(str(row), NAME) for row in rows]
    fig, (ax,) = layout.panel_axes(height=0.55 * max(len(rows), 2) + 0.7, width=WIDE)
    marks.key(ax, "a pair of nouns")
    marks.key(ax, mean, marker="|", markersize=13, markeredgewidth=2.4)
    for y, row in enumerate(rows):
        part = table[table["row"] == row]
        apart = part["pair"].isin(list(named))
        usual = part[~apart]
        marks.dots(ax, usual["value"], [y] * len(usual), s=26, alpha=0.55)
        for pair, value in part.loc[apart, ["pair", "value"]].itertuples(index=False):
            marks.dots(ax, [value], [y], s=34, filled=False)
            if value in (part["value"].min(), part["value"].max()):
                marks.note(ax, pair.partition("–")[0], value, y, up=-9, color=NEUTRAL)
        if len(part):
            ax.plot([part["value"].mean()] * 2, [y - 0.24, y + 0.24], color=INK, linewidth=2.4)
    ax.margins(x=0.1)
    layout.zero_line(ax)
    layout.rows_axis(ax, labels)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table.reset_index(drop=True))


@themed
def beside_exchanged(table: pd.DataFrame, *, label: str, band: str, second: str = "") -> Figure:
    """A dot in every row beside the grey bar of what chance gives; an open dot where `second` says what it is.

    Columns value, null low, null high, and second.
    """
    labels = [textwrap.fill(str(row), NAME) for row in table.index]
    fig, (ax,) = layout.panel_axes(height=max(len(table), 2) * 0.5 + 0.9, width=PHONE)
    rows = range(len(table))
    marks.grey_bars(ax, table["null low"], table["null high"], rows, width=9, label=band)
    if second:
        marks.dots(ax, table["second"], rows, filled=False, s=34, label=second)
    marks.dots(ax, table["value"], rows, s=34)
    layout.zero_line(ax)
    layout.rows_axis(ax, labels)
    layout.measure_axis([ax], "")
    ax.set_xlabel(textwrap.fill(label, 34))
    layout.legend_above(fig)
    return layout.with_data(fig, table)
