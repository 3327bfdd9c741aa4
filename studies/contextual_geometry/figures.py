"""Figures: values that depend on a number, on their null band, and the mean size of a cosine against dimensions."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import INK, NEUTRAL, WIDTH, themed


@themed
def curves_against_null(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    y: str,
    null: str,
    other: str = "",
    shared: bool = True,
) -> Figure:
    """Panels of a value that depends on a number, each point with its range, on its null band.

    Index of numbers, columns value, low, high, null low, null high and, with `other`, a column of that name, drawn as
    crosses; `shared`: one vertical scale for all panels.
    """
    width = min(WIDTH, 3.4 * len(panels) + 0.6)
    fig, axes = layout.panel_axes(panels, height=3, width=width, sharey=shared)
    for ax, table in zip(axes, panels.values()):
        curves = table[["value", *([other] if other else [])]].rename(
            columns={"value": "female–male words"}
        )
        look = {"dashes": ["", ""], "linewidth": 0.8, "markersize": 6}
        marks.lines(ax, curves, [INK, NEUTRAL], markers=["o", "X"][: len(curves.columns)], **look)
        ax.vlines(table.index, table["low"], table["high"], color=INK, linewidth=1.2)
        marks.grey_band(ax, table, "null low", "null high", null)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.spines["left"].set_visible(not shared or ax is axes[0])
    for ax in axes:
        ax.set_ylim(bottom=0)
    layout.measure_axis(axes, x)
    axes[0].set_ylabel(y)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))


@themed
def cosine_by_dimension(
    curve: tuple[ArrayLike, ArrayLike], points: pd.DataFrame, *, label: str
) -> Figure:
    """The mean size of a cosine against dimensions: random directions as curve, prints (dimensions, value, label) as diamonds."""
    fig, (ax,) = layout.panel_axes(height=3.4, width=6.4)
    marks.curve(ax, *curve, color=NEUTRAL, label="two random directions")
    marks.printed_values(ax, points["dimensions"], points["value"])
    ax.set_xscale("log")
    ticks = [25, 50, 100, 200, 300, 500, 1000, 2000]
    ax.set_xticks([tick for tick in ticks if curve[0][0] <= tick <= curve[0][-1]])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.minorticks_off()
    ax.set(xlabel="dimensions of the vectors", ylabel=label, ylim=(0, None))
    ax.spines["left"].set_visible(True)
    layout.legend_above(fig)
    named = points.rename(columns={"dimensions": "x", "value": "y"})
    marks.name_points(ax, named.set_index("label"))
    return layout.with_data(fig, points)
