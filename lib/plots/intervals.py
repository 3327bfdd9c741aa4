"""Figures of values beside what they are judged by: intervals, nulls, printed numbers."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.style import BAND, INK, NEUTRAL, STYLE, zero_line


def interval_dots(
    table: pd.DataFrame,
    *,
    label: str,
    null: tuple[float, float] | None = None,
    interval: str = "this run, with its interval",
) -> Figure:
    """A dot with its interval for every row, the paper's printed value as an open diamond, a null baseline as grey band.

    table : index of labels, columns value, low, high and, where known, paper (NaN where nothing is printed);
    label : of the axis; null : ends of the band; interval : what dots and bars are, for the legend.
    Returns the figure; rows keep their order, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(table) + 1.3))
        rows = np.arange(len(table))
        if null:
            ax.axvspan(*null, color=BAND, zorder=0)
        ax.hlines(rows, table["low"], table["high"], color=INK, linewidth=1.2, zorder=1)
        ax.scatter(table["value"], rows, color=INK, s=36, zorder=2)
        handles = [Line2D([], [], color=INK, marker="o", label=interval)]
        if "paper" in table and table["paper"].notna().any():
            ax.scatter(
                table["paper"],
                rows,
                marker="D",
                s=44,
                facecolors="none",
                edgecolors="black",
                zorder=3,
            )
            handles.append(
                Line2D(
                    [],
                    [],
                    color="black",
                    marker="D",
                    mfc="none",
                    linestyle="",
                    label="printed in the paper",
                )
            )
        if null:
            handles.append(
                Line2D([], [], color=BAND, linewidth=9, label="null baseline, central 95 %")
            )
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        fig.legend(
            handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.06)
        )
    return fig


def scores_against_null(table: pd.DataFrame, *, label: str) -> Figure:
    """A dot with its interval in every row, on a grey band of its own: what random words give in the same place.

    table : index of labels, columns value, low, high, null low, null (its median), null high and paper (NaN where nothing
    is printed). Returns the figure, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.42 * len(table) + 1.4))
        rows = np.arange(len(table))
        ax.hlines(rows, table["null low"], table["null high"], color=BAND, linewidth=14, zorder=0)
        ax.scatter(table["null"], rows, marker="|", s=170, color=NEUTRAL, zorder=1)
        ax.hlines(rows, table["low"], table["high"], color=INK, linewidth=1.2, zorder=2)
        ax.scatter(table["value"], rows, color=INK, s=36, zorder=3)
        ax.scatter(
            table["paper"], rows, marker="D", s=44, facecolors="none", edgecolors="black", zorder=3
        )
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        ax.set_xlim(left=0)
        ax.set_xlabel(label)
        handles = [
            Line2D([], [], color=INK, marker="o", label="this run, with its interval"),
            Line2D(
                [],
                [],
                color="black",
                marker="D",
                mfc="none",
                linestyle="",
                label="printed in the paper",
            ),
            Line2D([], [], color=BAND, linewidth=9, label="random class words, central 95 %"),
        ]
        fig.legend(
            handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0)
        )
    return fig


def dots_by_panel(
    table: pd.DataFrame, *, label: str, band: str = "", interval: str = "", second: str = ""
) -> Figure:
    """Small multiples that share their rows: a dot each, with interval, null band and printed value where there are any.

    table : columns panel, row, value and, each NaN where there is none, low, high, null low, null high, paper, and second
    where that is named; label : of the axes; band, interval, second : the grey bar, the thin bar, an open dot.
    Returns the figure; panels and rows in the order in which they first occur.
    """
    panels, rows = table["panel"].unique(), list(table["row"].unique())
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(panels), figsize=(1.9 * len(panels) + 1.6, 0.34 * len(rows) + 1.6), sharey=True
        )
        for ax, panel in zip(np.atleast_1d(axes), panels):
            here = table[table["panel"] == panel]
            y = [rows.index(row) for row in here["row"]]
            ax.hlines(y, here["null low"], here["null high"], color=BAND, linewidth=9, zorder=0)
            if interval:
                ax.hlines(y, here["low"], here["high"], color=INK, linewidth=1, zorder=1)
            ax.scatter(here["value"], y, color=INK, s=26, zorder=2)
            if second:
                ax.scatter(here["second"], y, s=30, facecolors="white", edgecolors=INK, zorder=3)
            ax.scatter(
                here["paper"], y, marker="D", s=36, facecolors="none", edgecolors="black", zorder=3
            )
            zero_line(ax)
            ax.set_title(panel, fontsize=9)
        first = np.atleast_1d(axes)[0]
        first.set_yticks(range(len(rows)), rows)
        first.set_ylim(len(rows) - 0.5, -0.5)
        handles = [
            Line2D(
                [],
                [],
                color=INK,
                marker="o",
                linestyle="-" if interval else "",
                label=interval or "this run",
            ),
            Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label=second),
            Line2D([], [], color=BAND, linewidth=9, label=band),
        ]
        handles = [handle for handle in handles if handle.get_label()]
        if table["paper"].notna().any():
            handles.append(
                Line2D(
                    [],
                    [],
                    color="black",
                    marker="D",
                    mfc="none",
                    linestyle="",
                    label="printed in the paper",
                )
            )
        fig.supxlabel(label, fontsize=10)
        fig.legend(
            handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.05, 0.98)
        )
        fig.tight_layout()
    return fig


def range_of_settings(
    settings: Mapping[str, ArrayLike],
    seeds: Mapping[str, ArrayLike],
    printed: Mapping[str, float],
    *,
    label: str,
) -> Figure:
    """What a number becomes under every defensible setting, and with nothing changed but the seed: two strips a row.

    settings, seeds : name -> values; printed : name -> the paper's value, an open diamond; label : of the axis.
    Returns the figure, rows in the order given.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.62 * len(settings) + 1.3))
        for row, name in enumerate(settings):
            for values, shift, colour in (
                (settings[name], -0.14, NEUTRAL),
                (seeds[name], 0.16, INK),
            ):
                ax.scatter(
                    values,
                    np.full(len(values), row + shift),
                    color=colour,
                    s=20,
                    alpha=0.6,
                    linewidths=0,
                )
            ax.scatter(
                printed[name],
                row,
                marker="D",
                s=52,
                facecolors="none",
                edgecolors="black",
                linewidths=1.4,
                zorder=3,
            )
        ax.set_yticks(range(len(settings)), settings)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        styles = [
            ("a setting the paper leaves open", NEUTRAL, "o", NEUTRAL),
            ("one setting, another seed", INK, "o", INK),
            ("printed in the paper", "black", "D", "none"),
        ]
        marks = [
            Line2D([], [], color=colour, marker=marker, mfc=fill, linestyle="", label=name)
            for name, colour, marker, fill in styles
        ]
        fig.legend(handles=marks, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.05, 0.9))
    return fig


def ordered_places(panels: Mapping[str, pd.DataFrame], *, label: str, named: int = 60) -> Figure:
    """A panel for each theme, its places in order of their value, each a dot with its interval.

    panels : title -> index of codes, columns value, low, high; label : of the axis, naming the poles; named : with more
    places than this only the five at each end are named. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            len(panels), 1, figsize=(9, 2.3 * len(panels) + 0.4), squeeze=False
        )
        for ax, (title, table) in zip(axes[:, 0], panels.items()):
            table, places = table.sort_values("value"), np.arange(len(table))
            ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
            ax.vlines(places, table["low"], table["high"], color=NEUTRAL, linewidth=1)
            sure = (table["low"] > 0) | (table["high"] < 0)
            fill = np.where(sure, INK, "white")
            ax.scatter(
                places, table["value"], s=16, c=fill, edgecolors=INK, linewidths=0.7, zorder=2
            )
            ax.set_xticks(
                places if len(table) <= named else [],
                table.index if len(table) <= named else [],
                rotation=90,
                fontsize=7,
            )
            if len(table) > named:
                ax.set_xlabel(
                    f"{', '.join(table.index[:5])} …   … {', '.join(table.index[-5:])}", fontsize=8
                )
            ax.spines["left"].set_visible(True)
            ax.spines["bottom"].set_visible(False)
            ax.set_title(title)
            ax.margins(x=0.01)
        fig.supylabel(label, fontsize=9)
        fig.tight_layout()
    return fig
