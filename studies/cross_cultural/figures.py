"""Figures of the chapter: how large a result noise reaches, and leans of places."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import BAND, INK, MARKERS, NEUTRAL, SERIES, SMALL, themed

NARROW = 5.8  # inches: a figure that a phone shows whole


@themed
def noise_by_words(
    limits: pd.DataFrame, beyond: pd.DataFrame, printed: ArrayLike, *, marked: int, label: str
) -> Figure:
    """Two panels over the number of words: the limit of noise beside printed values (open diamonds), and how many of these lie beyond
    it; one curve a correlation of the words, a dotted line at `marked` words."""
    titles = ["noise reaches", "printed values beyond"]
    fig, axes = layout.panel_axes(titles, height=3.0, sharex=True)
    for ax, table in zip(axes, (limits, beyond)):
        for number, (correlation, values) in enumerate(table.items()):
            look = {"color": SERIES[number], "marker": MARKERS[number], "linewidth": 1.5}
            name = f"words correlate by {correlation:g}" if ax is axes[0] else None
            ax.plot(values.index, values, markersize=5, label=name, **look)
        ax.axvline(marked, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
        ax.set_xticks([marked, *range(20, int(table.index.max()) + 1, 10)])
        ax.spines["left"].set_visible(True)
    printed = pd.Series(printed, dtype=float)
    marks.printed_values(axes[0], [limits.index.max() + 4] * len(printed), printed)
    top = 1.05 * max(printed.max(), limits.max(axis=None))
    axes[0].set(ylim=(0, top), ylabel=label)
    axes[1].set(ylim=(0, 1.03 * len(printed)), ylabel=f"of {len(printed)}")
    axes[1].set_yticks(np.linspace(0, len(printed), 4).round().astype(int))
    axes[1].axhline(len(printed), color=INK, linewidth=0.8, zorder=0)
    layout.measure_axis(axes, "words of a theme")
    layout.legend_above(fig)
    both = pd.concat({"limit": limits.stack(), "printed values beyond": beyond.stack()}, axis=1)
    return layout.with_data(fig, both.rename_axis(["words", "correlation"]))


@themed
def ordered_places(panels: Mapping[str, pd.DataFrame], *, label: str, named: int = 60) -> Figure:
    """A panel for each theme, its places (index; `value`, `low`, `high`) in order of their value; filled where the interval leaves out 0.
    With more places than `named` only the five at each end are named."""
    fig, axes = layout.panel_axes(panels, height=2.2, columns=1)
    for ax, table in zip(axes, panels.values()):
        table = table.sort_values("value")
        places = np.arange(len(table))
        beyond = (table["low"] > 0) | (table["high"] < 0)
        ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
        ax.vlines(places, table["low"], table["high"], color=NEUTRAL, linewidth=1, zorder=1)
        for filled in (True, False):
            shown = (beyond == filled).to_numpy()
            marks.dots(ax, places[shown], table["value"][shown], filled=filled, s=20)
        if len(table) <= named:
            ax.set_xticks(places, table.index, rotation=90, fontsize=SMALL)
        else:
            ax.set_xticks([])
            ax.set_xlabel(f"{', '.join(table.index[:5])} …   … {', '.join(table.index[-5:])}")
        ax.spines["left"].set_visible(True)
        ax.spines["bottom"].set_visible(False)
        ax.margins(x=0.01)
    fig.supylabel(label, fontsize=10)
    return layout.with_data(fig, pd.concat(panels, names=["panel", "place"]))


@themed
def places_with_line(
    table: pd.DataFrame, line: pd.DataFrame, *, x: str, y: str, named: int = 60
) -> Figure:
    """One mark a place (index; `x`, `y`, `group`, "" for one group) with its code, and a line (index x; `line`, `low`, `high`) with its
    interval; so many of the outermost as `named` carry their code."""
    fig, (ax,) = layout.panel_axes(height=4.2)
    marks.grey_band(ax, line, "low", "high")
    marks.curve(ax, line.index, line["line"], color=NEUTRAL)
    groups = table.groupby("group", sort=False)
    for (group, places), marker, shade in zip(groups, MARKERS, SERIES):
        look = {"marker": marker, "color": shade, "alpha": 0.85, "label": group or "_places"}
        marks.dots(ax, places["x"], places["y"], s=30, **look)
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], x)
    ax.set_ylabel(y)
    if len(groups) > 1:
        layout.legend_above(fig)
    marks.name_points(ax, marks.outermost(table, named))
    return layout.with_data(fig, table)


@themed
def found_by_amount(
    curves: Mapping[str, pd.DataFrame],
    band: pd.DataFrame,
    *,
    x: str,
    y: str,
    marked: float,
    name: str,
) -> Figure:
    """A curve for each name over the words of text (index; `value`, `low`, `high`), a grey bar where nothing would be found (`band`:
    `null low`, `null high`), and a dotted line at `marked` words with its name."""
    fig, (ax,) = layout.panel_axes(height=3.2, width=NARROW)
    ends = band.dropna()
    ax.vlines(ends.index, ends["null low"], ends["null high"], color=BAND, linewidth=9, zorder=0)
    marks.key(ax, "planted leans permuted", color=BAND, linewidth=6)
    for (label, table), marker, shade in zip(curves.items(), MARKERS, SERIES):
        table = table.dropna(subset="value")
        ax.vlines(table.index, table["low"], table["high"], color=shade, linewidth=1)
        look = {"color": shade, "marker": marker, "markersize": 5, "linewidth": 1.5}
        ax.plot(table.index, table["value"], label=label, **look)
    ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
    ax.axvline(marked, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
    marks.note(ax, name, marked, 1.0, right=3)
    ax.set_xscale("log")
    ax.minorticks_off()
    ax.set_ylabel(y)
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], x)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(curves, names=["curve", "words"]))


@themed
def noise_beside_print(
    limits: pd.DataFrame, printed: ArrayLike, *, marked: int, label: str
) -> Figure:
    """What noise reaches over the number of words (index), a curve a column, and beside it the sizes of printed values as open diamonds; a
    dotted line at `marked` words."""
    printed = pd.Series(printed, dtype=float).abs().to_numpy()
    fig, (ax,) = layout.panel_axes(height=3.0, width=NARROW)
    for (name, values), marker, shade in zip(limits.items(), MARKERS, SERIES):
        look = {"color": shade, "marker": marker, "markersize": 5, "linewidth": 1.5}
        ax.plot(values.index, values, label=name, **look)
    ax.axvline(marked, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
    right = 1.12 * limits.index.max()
    spread = 0.012 * right * ((np.argsort(np.argsort(printed)) % 3) - 1)
    marks.printed_values(ax, right + spread, printed)
    ax.set(ylim=(0, 1.08 * max(printed.max(), limits.max(axis=None))), ylabel=label)
    ax.set_xticks([*limits.index[limits.index % 10 == 0]])
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], "words of a theme")
    layout.legend_above(fig)
    return layout.with_data(fig, limits.rename_axis("words"))
