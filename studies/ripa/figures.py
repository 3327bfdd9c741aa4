"""Figures: from a word's lean in text to that in vectors, and where a verdict turns on two constants."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import DASHES, INK, NEUTRAL, SERIES, themed

PHONE = 3.3  # inches: a figure that a page of 390 pixels shows without scrolling
NAME = 19  # characters to the line of a row's name


TIMES = {1 / 8: "⅛", 1 / 4: "¼", 1 / 2: "½", 1: "1", 2: "2", 4: "4", 8: "8", 16: "16"}


@themed
def text_to_vectors(
    table: pd.DataFrame,
    *,
    label: str,
    band: str = "range over trainings",
    checks: Collection[str] = (),
    times: bool = False,
) -> Figure:
    """A row a word, in their order, from what its text says (open) to what its vectors say (filled).

    Columns text, vectors, and low and high, the ends of a grey bar that `band` names; positive leans female. Words of `checks`
    stand below a line. `times`: the numbers are logarithms of ratios, and the axis shows the ratios.
    """
    words = [word for word in table.index if word not in checks]
    table = table.loc[[*words, *(word for word in table.index if word in checks)]]
    fig, (ax,) = layout.row_axes(table.index, step=0.31)
    marks.key(ax, "in the text", mfc="white")
    marks.key(ax, "in the vectors")
    marks.moves(ax, table["text"], table["vectors"], table["vectors"])
    layout.zero_line(ax)
    rows = range(len(table))
    marks.grey_bars(ax, table["low"], table["high"], rows, width=9, label=band)
    if 0 < len(words) < len(table):
        ax.axhline(len(words) - 0.5, color=NEUTRAL, linewidth=0.8, linestyle="--", zorder=0)
    if times:
        left, right = ax.get_xlim()
        ratios = [ratio for ratio in TIMES if left <= np.log(ratio) <= right]
        ax.set_xticks(np.log(ratios), [TIMES[ratio] for ratio in ratios])
    layout.measure_axis([ax], f"← male-leaning   {label}   female-leaning →")
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def beside_chance(
    table: pd.DataFrame, *, label: str, band: str, second: str = "", at: float = 0
) -> Figure:
    """A dot with its interval in every row beside the grey bar of what chance gives, narrow enough for a phone.

    Columns value, low, high, null low, null high, and second, an open dot, where `second` says what it is.
    """
    labels = [textwrap.fill(str(row), NAME) for row in table.index]
    lines = 1 + max((name.count("\n") for name in labels), default=0)
    fig, (ax,) = layout.panel_axes(
        height=max(len(table), 3) * (0.16 + 0.13 * lines) + 0.7, width=PHONE
    )
    rows = range(len(table))
    marks.key(ax, "this run", linestyle="-")
    marks.intervals(ax, table, rows)
    marks.grey_bars(ax, table["null low"], table["null high"], rows, width=9, label=band)
    if second:
        marks.dots(ax, table["second"], rows, filled=False, s=34, label=second)
    marks.dots(ax, table["value"], rows, s=34)
    layout.zero_line(ax, at)
    layout.rows_axis(ax, labels)
    layout.measure_axis([ax], "")
    ax.set_xlabel(textwrap.fill(label, 32))
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
