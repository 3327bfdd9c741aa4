"""Figures of where a verdict turns: lines in the plane of two numbers that an analysis must choose."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import DASHES, INK, NEUTRAL, SERIES, themed


@themed
def lines_of_a_copy(
    lines: pd.DataFrame, places: Mapping[str, tuple[float, float]], *, x: str, y: str, above: str
) -> Figure:
    """A line for each group, on which the verdict turns, and named places in the same plane.

    Parameters
    ----------
    lines : DataFrame
        Index of the first number, a column a group: the second number at which the verdict turns.
    places : mapping of str to (float, float)
        Name -> the two numbers; drawn as dots with their names.
    x, y : str
        Labels of the axes.
    above : str
        What holds above a line.

    Examples
    --------
    >>> lines = pd.DataFrame({"neutral": [2.0, 1.0]}, [-8.0, 0.0])
    >>> fig = lines_of_a_copy(lines, {"the paper": (-1, 1)}, x="α", y="λ", above="amplified")
    >>> [text.get_text() for text in fig.axes[0].texts]
    ['the paper', 'above a line: amplified']
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
