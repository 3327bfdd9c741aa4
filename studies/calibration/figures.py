"""Figures of planted texts, narrow enough for a phone held upright."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lib.plots import layout, marks
from lib.plots.style import INK, PALETTE, SIDE_MARKERS, SMALL, themed
from studies.calibration.judgement import NO, OPEN, YES

PHONE = 3.1  # inches
SHADES = {YES: "#0072b2", OPEN: "#d9d9d9", NO: "#ffffff"}  # no gender
SIGNS = {YES: "yes", OPEN: "?", NO: "no"}
LINE, NAME = 32, 24  # characters to the line, of a label and of the name of a row


@themed
def answers(states: pd.DataFrame) -> Figure:
    """Scores × questions, each cell yes, no, a question mark where one cannot tell, or empty where it was not asked."""
    fig, (ax,) = layout.panel_axes(height=0.29 * len(states) + 1.1, width=3.3)
    for (row, column), said in np.ndenumerate(states.to_numpy(object)):
        if said in SHADES:
            look = {"facecolor": SHADES[said], "edgecolor": INK, "linewidth": 0.6}
            ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **look))
            ink = "white" if said == YES else INK
            ax.text(column, row, SIGNS[said], ha="center", va="center", color=ink, fontsize=SMALL)
    ax.set(xlim=(-0.5, states.shape[1] - 0.5), ylim=(len(states) - 0.5, -0.5))
    ax.set_yticks(range(len(states)), [str(name) for name in states.index], fontsize=SMALL)
    ax.xaxis.tick_top()
    ax.set_xticks(range(states.shape[1]), [str(name) for name in states], fontsize=SMALL)
    for heading in ax.get_xticklabels():
        heading.set(rotation=55, ha="left", rotation_mode="anchor")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return layout.with_data(fig, states)


@themed
def rows_of_marks(
    panels: Mapping[str, pd.DataFrame],
    *,
    labels: Mapping[str, str],
    lines: Mapping[str, float] | None = None,
    bands: Mapping[str, tuple[float, float]] | None = None,
    band: str = "",
    interval: str = "",
    second: str = "",
) -> Figure:
    """Panels one above the other: a row each with a dot and its interval, and an open dot where there is a column `second`.

    `labels` says what each panel measures, `lines` where its mark stands, `bands` the ends of a grey band, which `band` names; `interval` and `second` are what dots are.
    """
    names = {
        title: [textwrap.fill(str(n), NAME, break_on_hyphens=False) for n in table.index]
        for title, table in panels.items()
    }
    rows_high = max(sum(0.55 + 0.45 * (n.count("\n") + 1) for n in rows) for rows in names.values())
    height = 0.25 * max(rows_high, 4) + 0.75
    fig, axes = layout.panel_axes(panels, height=height, width=PHONE, columns=1)
    for ax, (title, table) in zip(axes, panels.items()):
        rows = range(len(table))
        if bands and title in bands:
            marks.band_across(ax, *bands[title], label=band)
        if lines and title in lines:
            layout.zero_line(ax, lines[title])
        marks.intervals(ax, table, rows)
        if "second" in table:
            marks.dots(ax, table["second"], rows, filled=False, s=34, label=second)
        marks.key(ax, interval, linestyle="-")
        marks.dots(ax, table["value"], rows, s=34)
        ax.set_yticks(rows, names[title], fontsize=SMALL)
        ax.set(ylabel="", ylim=(max(len(table), 1) - 0.5, -0.5))
        layout.measure_axis([ax], "")
        ax.set_xlabel(textwrap.fill(labels[title], LINE), fontsize=SMALL)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel", "row"]))


@themed
def planted_points(panels: Mapping[str, pd.DataFrame], *, x: str, y: str) -> Figure:
    """Panels one above the other: a point a word, with columns x (what was planted, whose sign is its colour) and y."""
    fig, axes = layout.panel_axes(panels, height=1.9, width=PHONE, columns=1)
    for ax, (_, points) in zip(axes, panels.items()):
        marks.leaning(ax, points["x"], points["y"], points["x"], size=20)
        ax.spines["left"].set_visible(True)
        layout.measure_axis([ax], "")
        ax.set_xlabel(x, fontsize=SMALL)
        ax.set_ylabel(y, fontsize=SMALL)
    for side in ("female", "male"):
        marks.key(axes[0], f"leans {side}", color=PALETTE[side], marker=SIDE_MARKERS[side])
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel", "word"]))
