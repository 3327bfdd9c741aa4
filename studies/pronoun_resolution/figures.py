"""Figures that set feminine beside masculine pronouns, and of bias ratios beside the line at 1, where both do alike."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import (
    INK,
    MARKERS,
    NEUTRAL,
    PALETTE,
    SERIES,
    SIDE_MARKERS,
    SOLID,
    WIDTH,
    themed,
)

_SIDES = {"feminine": "female", "masculine": "male"}
_APART = 0.16  # of a row, or of the step between two bins
_STEP, _GAP = 0.13, 1.6  # inches from row to row; rows between two blocks
NARROW = 3.5  # inches
_POLES = {"male": "better on masculine", "female": "better on feminine"}


@themed
def gender_rows(table: pd.DataFrame, *, label: str, line: float) -> Figure:
    """A row a system: the value on feminine pronouns above that on masculine ones; columns row, of, value, low, high."""
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
    """Share right less share said, by how sure a system says it is; a table a panel: columns bin, of, value, low, high."""
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


@themed
def ratio_blocks(table: pd.DataFrame, *, label: str, width: float = WIDTH) -> Figure:
    """A dot and its interval for each system (columns block, value, low, high), coloured where the interval leaves out 1."""
    table = table.assign(side=_sides(table))
    blocks = list(table["block"].unique())
    order = {block: place for place, block in enumerate(blocks)}
    table = table.sort_values(
        ["block", "value"], key=lambda c: c.map(order) if c.name == "block" else c
    )
    table["y"] = np.arange(len(table)) + _GAP * table["block"].map(order)
    height = _STEP * (len(table) + _GAP * len(blocks)) + 0.8
    fig, (ax,) = layout.panel_axes(height=height, width=width)
    for side, part in table.groupby("side"):
        ax.hlines(
            part["y"], part["low"], part["high"], color=PALETTE[side], linewidth=1.6, zorder=1
        )
        look = {"color": PALETTE[side], "marker": SIDE_MARKERS[side], "linewidth": 0}
        marks.dots(ax, part["value"], part["y"], s=26, **look)
    centres = table.groupby("block", sort=False)["y"].mean()
    layout.rows_axis(ax, blocks)
    ax.set_yticks(centres, [text.get_text() for text in ax.get_yticklabels()])
    ax.set_ylim(table["y"].max() + 1, -1)
    layout.zero_line(ax, 1)
    _key_of_sides(ax)
    poles = width > NARROW  # else there is no room for them, and the key says as much
    layout.measure_axis(
        [ax], f"← {_POLES['male']}   {label}   {_POLES['female']} →" if poles else label
    )
    layout.legend_above(fig)
    return layout.with_data(fig, table.drop(columns=["y", "side"]))


@themed
def ratio_against_score(table: pd.DataFrame, *, score: str, ratio: str) -> Figure:
    """The ratio of each system (block, score, value, low, high) against how well it does, a marker for each block."""
    fig, (ax,) = layout.panel_axes(height=3.4)
    ax.axhline(1, color=INK, linewidth=0.8, zorder=0)
    ax.vlines(table["score"], table["low"], table["high"], color=NEUTRAL, linewidth=0.7, zorder=1)
    blocks = table.groupby("block", sort=False)
    for (block, part), marker, shade in zip(blocks, MARKERS, SERIES):
        look = {"marker": marker, "color": shade, "alpha": SOLID, "label": block}
        marks.dots(ax, part["score"], part["value"], s=36, **look)
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], score)
    ax.set_ylabel(ratio)
    layout.legend_above(fig)
    return layout.with_data(fig, table)


def _sides(table: pd.DataFrame) -> pd.Series:
    """Which pronouns an interval favours: a key of the palette, neutral where it holds 1."""
    sides = pd.Series("neutral", table.index)
    sides[table["high"] < 1] = "male"
    sides[table["low"] > 1] = "female"
    return sides


def _key_of_sides(ax: Axes) -> None:
    said = {
        "male": "all below 1: better on masculine pronouns",
        "neutral": "1 is inside the interval",
        "female": "all above 1: better on feminine pronouns",
    }
    for side, text in said.items():
        marks.key(ax, text, color=PALETTE[side], marker=SIDE_MARKERS[side], linestyle="-")
