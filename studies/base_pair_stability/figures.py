"""Figures: a value under every choice, a word with every base pair, and agreement against the cosine of two pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import BAND, EDGE, INK, MARKERS, NEUTRAL, SERIES, SMALL, WIDTH, themed

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
    """Values sorted from low to high, each with its interval and null; below, which choices it is (a multiverse).

    Columns value, low, high, null low, null high, and one for each of the choices; rows without a value are left out. The
    first choice also gives colour and form of the dots; where it has more values than there are colours, its ticks are
    coloured in place of a legend.
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


@themed
def word_across_pairs(
    scores: Mapping[str, ArrayLike],
    forms: Sequence[str],
    pairs: Sequence[Sequence[str]],
    bands: Mapping[str, tuple[float, float]],
) -> Figure:
    """A panel for each measure: the scores (f, p) of a word and its f forms with every base pair, positive female: Figure 1.

    `bands` are mean and standard deviation over frequent words, drawn as a grey band.
    """
    labels = ["–".join(pair) for pair in pairs]
    fig, axes = layout.row_axes(labels, scores)
    tables = {}
    for ax, (measure, values) in zip(axes, scores.items()):
        mean, deviation = bands[measure]
        marks.band_across(ax, mean - deviation, mean + deviation)
        tables[measure] = pd.DataFrame(np.atleast_2d(values), forms, labels).T
        for marker, (_, row) in zip(MARKERS, tables[measure].items()):
            marks.dots(ax, row, range(len(pairs)), scores=row, marker=marker, alpha=0.85)
        layout.zero_line(ax)
    layout.measure_axis(axes, "← male   female →")
    for form, marker in zip(forms, MARKERS):
        marks.key(axes[0], form, marker=marker)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(tables, names=["measure", "base pair"]))


@themed
def by_number_of_pairs(panels: Mapping[str, pd.DataFrame], *, x: str) -> Figure:
    """Panels of a share from 0 to 1 over the number of pairs (index): columns value, low, high, null low, null high."""
    fig, axes = layout.panel_axes(panels, height=2.6, width=min(WIDTH, 3.4 * len(panels) + 0.4))
    for ax, table in zip(axes, panels.values()):
        marks.grey_band(ax, table, "null low", "null high", "random pairs, central 95 %")
        ax.vlines(table.index, table["low"], table["high"], color=INK, linewidth=1.2, zorder=1)
        marks.curve(ax, table.index, table["value"], color=INK)
        marks.dots(ax, table.index, table["value"], zorder=3, label="these pairs, with interval")
        ticks = [k for k in table.index if k == table.index[0] or k % 5 == 0]
        ax.set(xticks=ticks, ylim=(-0.03, 1.03), xlabel="", ylabel="")
        ax.spines["left"].set_visible(True)
    layout.measure_axis(axes, x)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel", "pairs"]))


@themed
def agreement_against_cosine(
    cosines: ArrayLike, kappas: ArrayLike, predicted: tuple[ArrayLike, ArrayLike]
) -> Figure:
    """Agreement (q,) of every two base pairs against the cosine (q,) of their differences, and what geometry says: Figure 2.

    Without the pairs compared with themselves.
    """
    fig, (ax,) = layout.panel_axes(height=2.8, width=5.6)
    marks.dots(ax, cosines, kappas, s=28, alpha=0.8, label="two base pairs")
    marks.curve(ax, *predicted, color=NEUTRAL, label="geometry alone")
    ax.set_xlabel("cosine of the two difference vectors")
    ax.set_ylabel("agreement in direction (Cohen's kappa)")
    layout.legend_above(fig)
    return layout.with_data(fig, pd.DataFrame({"cosine": cosines, "kappa": kappas}))
