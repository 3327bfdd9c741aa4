"""Specification curves: one value under every choice, sorted, with the choices marked below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import BAND, EDGE, INK, MARKERS, SERIES, SMALL, WIDTH, themed

_ROW = 0.15  # inches, of a choice
_VALUES = 2.2  # inches, of the panel of values


@themed
def specification_curve(
    table: pd.DataFrame,
    choices: Sequence[str],
    *,
    label: str,
    null: str = "random pairs, central 95 %",
) -> Figure:
    """Values sorted from low to high, each with its interval and null; below, which choices it is.

    Parameters
    ----------
    table : DataFrame
        A row for each specification: columns value, low, high, null low, null high, and one for
        each of the choices. Rows without a value are left out.
    choices : sequence of str
        Columns that hold what was chosen. The first also gives colour and form of the dots; where
        it has more values than there are colours, its ticks are coloured in place of a legend.
    label : str
        Of the vertical axis.
    null : str
        What the grey is, for the legend.

    Examples
    --------
    >>> table = pd.DataFrame({"value": [0.4, 0.1], "low": [0.2, -0.1], "high": [0.6, 0.3]})
    >>> table["null low"], table["null high"], table["pair"] = -0.2, 0.2, ["she-he", "gal-guy"]
    >>> fig = specification_curve(table, ["pair"], label="rank correlation")
    >>> [text.get_text() for text in fig.axes[1].get_yticklabels()]
    ['she-he', 'gal-guy']
    """
    rows = table.dropna(subset=["value"]).sort_values("value", kind="stable", ignore_index=True)
    levels = {choice: list(pd.unique(table[choice])) for choice in choices}
    count = sum(map(len, levels.values())) + 0.7 * (len(levels) - 1)
    heights = [_VALUES, _ROW * max(count, 1) + 0.1]
    fig, (top, bottom) = plt.subplots(
        2,
        1,
        figsize=(WIDTH, sum(heights) + 0.4),
        sharex=True,
        height_ratios=heights,
        layout="constrained",
    )
    place = np.arange(len(rows))
    look = {"color": BAND, "linewidth": 4.5, "zorder": 0, "label": null}
    top.vlines(place, rows["null low"], rows["null high"], **look)
    for end in ("null low", "null high"):
        top.plot(place, rows[end], marker="_", markersize=4, color=EDGE, linestyle="", zorder=0.5)
    top.vlines(place, rows["low"], rows["high"], color=INK, linewidth=0.7, zorder=1)
    first = rows[choices[0]]
    colours = dict(zip(levels[choices[0]], cycle(SERIES)))
    distinct = len(colours) <= len(SERIES)
    for number, (name, colour) in enumerate(colours.items()):
        marker = MARKERS[(number + number // len(SERIES)) % len(MARKERS)]
        at = place[first == name]
        form: dict[str, Any] = {"color": colour, "marker": marker}
        form |= {"edgecolor": "white", "linewidth": 0.3}
        form |= {"label": str(name)} if distinct else {}
        marks.dots(top, at, rows["value"][at], s=26, zorder=2, **form)
    top.axhline(0, color=INK, linewidth=0.8, zorder=0.6)
    top.set(ylabel=label, xlabel="", xticks=[])
    bottom.set_xlabel("every specification, lowest value first")
    top.spines["left"].set_visible(True)
    top.spines["bottom"].set_visible(False)
    _choices(bottom, rows, levels, {} if distinct else colours)
    layout.legend_above(fig)
    return layout.with_data(fig, rows)


def _choices(
    ax: Axes,
    rows: pd.DataFrame,
    levels: dict[str, list[object]],
    colours: dict[object, str],
) -> None:
    """A tick for each specification in the row of each of its choices, in a colour if it has one."""
    at, names = 0.0, []
    for choice, values in levels.items():
        for value in values:
            here = np.flatnonzero(rows[choice] == value)
            look: dict[str, Any] = {"color": colours.get(value, INK), "markersize": 7}
            ax.plot(here, np.full(len(here), at), "|", markeredgewidth=1.1, **look)
            names.append((at, str(value)))
            at += 1
        at += 0.7
    ax.set_yticks([place for place, _ in names], [name for _, name in names], fontsize=SMALL)
    ax.set(ylim=(max(at - 0.9, 0.5), -0.7), ylabel="")
    ax.spines["bottom"].set_visible(False)
