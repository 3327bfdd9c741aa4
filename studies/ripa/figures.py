"""Figures: from a word's lean in text to that in vectors, and where a verdict turns on two constants."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import DASHES, INK, NEUTRAL, SERIES, themed


@themed
def text_to_vectors(table: pd.DataFrame, *, label: str) -> Figure:
    """A row a word, in their order, from what its text says (open) to what its vectors say (filled).

    Columns text, vectors, and low and high (the range of the vectors over trainings); positive leans female.
    """
    fig, (ax,) = layout.row_axes(table.index)
    marks.key(ax, "in the text", mfc="white")
    marks.key(ax, "in the vectors")
    marks.moves(ax, table["text"], table["vectors"], table["vectors"])
    layout.zero_line(ax)
    rows = range(len(table))
    marks.grey_bars(ax, table["low"], table["high"], rows, width=9, label="range over trainings")
    layout.measure_axis([ax], f"← male-leaning   {label}   female-leaning →")
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def lines_of_a_copy(
    lines: pd.DataFrame, places: Mapping[str, tuple[float, float]], *, x: str, y: str, above: str
) -> Figure:
    """A line for each group (a column), on which the verdict turns, and named places in the same plane of two numbers.

    The index is the first number, on x; the second is at which the verdict turns. `above` says what holds above a line.
    """
    fig, (ax,) = layout.panel_axes(height=3.6)
    count = len(lines.columns)
    shades = [SERIES[place % len(SERIES)] for place in range(count)]
    dashes = [DASHES[place % len(DASHES)] for place in range(count)]
    look = {"palette": shades, "dashes": dashes, "linewidth": 1.6, "errorbar": None}
    sns.lineplot(lines, ax=ax, **look)
    for name, (first, second) in places.items():
        marks.dots(ax, [first], [second], s=44)
        marks.note(ax, name, first, second, up=8, color=INK)
    ax.set_yscale("log", base=2)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set(xlabel=x, ylabel=y)
    right = float(lines.index.max())
    marks.note(
        ax, f"above a line: {above}", right, ax.get_ylim()[1], right=-6, up=-12, color=NEUTRAL
    )
    layout.legend_above(fig)
    return layout.with_data(fig, lines)
