"""Figures that set feminine beside masculine pronouns, each value with its interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import INK, PALETTE, SIDE_MARKERS, themed

_SIDES = {"feminine": "female", "masculine": "male"}
_APART = 0.16  # of a row, or of the step between two bins


@themed
def gender_rows(table: pd.DataFrame, *, label: str, line: float) -> Figure:
    """A row a system: the value on feminine pronouns above that on masculine ones, with intervals.

    Parameters
    ----------
    table : DataFrame
        Columns row, of ("feminine" or "masculine"), value, low and high; rows in the order in which they
        first occur.
    label : str
        Of the axis.
    line : float
        Where a vertical line stands, such as what a perfect system has.

    Examples
    --------
    >>> table = pd.DataFrame(
    ...     {"row": ["a", "a"], "of": ["feminine", "masculine"], "value": [1.2, 1.0], "low": 0.9, "high": 1.3}
    ... )
    >>> gender_rows(table, label="best temperature", line=1).axes[0].get_xlabel()
    'best temperature'
    """
    rows = list(table["row"].unique())
    fig, (ax,) = layout.row_axes(rows)
    for number, (of, side) in enumerate(_SIDES.items()):
        part = table[table["of"] == of]
        y = part["row"].map(rows.index) + (2 * number - 1) * _APART
        ax.hlines(y, part["low"], part["high"], color=PALETTE[side], linewidth=1.6, zorder=1)
        _side_dots(ax, part["value"], y, side)
    layout.zero_line(ax, line)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def reliability_gaps(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """How much more often a system is right than it says, by how sure it says it is.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title -> columns bin (text, in order), of ("feminine" or "masculine"), value, low and high: share right less
        share said.

    Examples
    --------
    >>> table = pd.DataFrame(
    ...     {"bin": ["0.8 to 0.9"], "of": ["feminine"], "value": [0.02], "low": [-0.1], "high": [0.1]}
    ... )
    >>> reliability_gaps({"blend": table}).axes[0].get_ylabel()
    'share right less share said'
    """
    fig, axes = layout.panel_axes(panels, height=3, sharey=True)
    for ax, table in zip(axes, panels.values()):
        bins = sorted(table["bin"].unique())
        ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
        for number, (of, side) in enumerate(_SIDES.items()):
            part = table[table["of"] == of].sort_values("bin")
            x = part["bin"].map(bins.index) + (2 * number - 1) * _APART
            ax.vlines(x, part["low"], part["high"], color=PALETTE[side], linewidth=1.6, zorder=1)
            _side_dots(ax, x, part["value"], side)
        ax.set_xticks(np.arange(len(bins)), [str(name).replace(" to ", "\nto ") for name in bins])
        ax.spines["left"].set_visible(ax is axes[0])
    axes[0].set_ylabel("share right less share said")
    layout.measure_axis(axes, "probability that the system gives its answer")
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))


def _side_dots(ax: Axes, x: pd.Series, y: pd.Series, side: str) -> None:
    of = next(name for name, key in _SIDES.items() if key == side)
    look = {"color": PALETTE[side], "marker": SIDE_MARKERS[side], "label": f"{of} pronouns"}
    marks.dots(ax, x, y, s=30, linewidth=0, **look)
