"""Figures of values that depend on a number."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.style import BAND, INK, MARKERS, NEUTRAL, SHADES, STYLE


def curves_by_panel(
    panels: Mapping[str, pd.DataFrame], *, x: str, marked: float | None = None
) -> Figure:
    """Small multiples of curves over one number on a logarithmic scale, each named at its end.

    panels : title -> index of numbers above 0, a column a curve; x : label of the shared axis; marked : where a dotted
    line stands. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(panels), figsize=(max(3.3 * len(panels), 5) + 0.6, 3.3), sharex=True
        )
        for ax, (title, curves) in zip(np.atleast_1d(axes), panels.items()):
            for (name, values), line in zip(curves.items(), ("-", "--", ":", "-.", (0, (1, 1)))):
                ax.plot(
                    curves.index,
                    values,
                    color=INK,
                    linestyle=line,
                    marker="o",
                    markersize=3,
                    label=name,
                )
            if marked:
                ax.axvline(marked, color=NEUTRAL, linewidth=0.8, linestyle=":", zorder=0)
            ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            ax.set_title(title, fontsize=10)
            ax.set_xlabel(x)
            ax.spines["left"].set_visible(True)
            if len(curves.columns) > 1:
                ax.legend(fontsize=8)
        fig.tight_layout()
    return fig


def analogies_by_strength(panels: Mapping[str, pd.DataFrame], *, label: str) -> Figure:
    """Number of analogies at least so strong, before and after debiasing, a panel a kind of analogy.

    panels : kind -> index of strengths, a column a method, the first "before". Returns the figure. As Ethayarajh, Duvenaud &
    Hirst (2019), Figure 1.
    """
    styles = {0: (INK, "-"), 1: (INK, "--"), 2: (NEUTRAL, ":"), 3: (NEUTRAL, "-.")}
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(8.6, 3.3))
        for ax, (kind, curves) in zip(np.atleast_1d(axes), panels.items()):
            for place, (method, values) in enumerate(curves.items()):
                colour, line = styles[place]
                ax.step(
                    curves.index, values, where="post", color=colour, linestyle=line, label=method
                )
            ax.set_title(kind)
            ax.set_xlabel(label)
            ax.set_ylim(bottom=0)
            ax.yaxis.get_major_locator().set_params(integer=True)
        np.atleast_1d(axes)[0].set_ylabel("analogies at least so strong")
        np.atleast_1d(axes)[-1].legend(fontsize=8)
        fig.tight_layout()
    return fig


def curves_against_null(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    y: str,
    null: str,
    other: str = "",
    shared: bool = True,
) -> Figure:
    """Small multiples of a value that depends on a number, each point with its range and on its own null band.

    panels : title -> index of numbers, columns value, low, high, null low, null high and, with `other`, a column of that
    name, drawn as crosses; x, y : axis labels; null : what the band is; shared : one vertical scale for all panels.
    Returns the figure.
    """
    with plt.rc_context(STYLE):
        width = min(3.4 * len(panels) + 0.6, 9)
        fig, axes = plt.subplots(1, len(panels), figsize=(width, 3.3), sharey=shared, squeeze=False)
        for ax, (title, table) in zip(axes[0], panels.items()):
            ax.fill_between(
                table.index, table["null low"], table["null high"], color=BAND, zorder=0
            )
            ax.vlines(table.index, table["low"], table["high"], color=INK, linewidth=1.2)
            ax.plot(table.index, table["value"], color=INK, marker="o", markersize=5, linewidth=0.8)
            if other:
                ax.plot(
                    table.index,
                    table[other],
                    color=NEUTRAL,
                    marker="x",
                    markersize=5,
                    linewidth=0.8,
                )
            ax.set_title(title)
            ax.set_xlabel(x)
            ax.xaxis.get_major_locator().set_params(integer=True)
            ax.spines["left"].set_visible(not shared or ax is axes[0, 0])
        for ax in axes[0]:
            ax.set_ylim(bottom=0)
        axes[0, 0].set_ylabel(y)
        handles = [
            Line2D([], [], color=INK, marker="o", label="female–male words"),
            Line2D([], [], color=BAND, linewidth=9, label=null),
        ]
        if other:
            handles.insert(1, Line2D([], [], color=NEUTRAL, marker="x", label=other))
        fig.legend(
            handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.06, 0.98)
        )
        fig.tight_layout()
    return fig


def scores_by_number(
    bands: Mapping[str, pd.DataFrame], points: Mapping[str, pd.DataFrame], *, x: str, y: str
) -> Figure:
    """Small multiples, one a measure: how a score grows with a number that has nothing to do with its subject.

    bands : measure -> index of numbers, columns low, middle, high, geometry; points : measure -> columns x, y, label;
    x, y : axis labels. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(bands), figsize=(8.6, 3.4), sharey=True)
        for ax, (measure, band) in zip(np.atleast_1d(axes), bands.items()):
            ax.fill_between(band.index, band["low"], band["high"], color=BAND, zorder=0)
            ax.plot(band.index, band["middle"], color=NEUTRAL)
            ax.plot(band.index, band["geometry"], color=NEUTRAL, linestyle=":")
            ax.annotate(
                "random words",
                (band.index[-1], band["middle"].iloc[-1]),
                (0, 4),
                textcoords="offset points",
                ha="right",
                color=NEUTRAL,
                fontsize=8,
            )
            ax.annotate(
                "evenly scattered",
                (band.index[-1], band["geometry"].iloc[-1]),
                (0, -11),
                fontsize=8,
                textcoords="offset points",
                ha="right",
                color=NEUTRAL,
            )
            for _, point in points[measure].iterrows():
                ax.scatter(point["x"], point["y"], color=INK, s=30, zorder=3)
                ax.annotate(
                    point["label"],
                    (point["x"], point["y"]),
                    (6, -3),
                    textcoords="offset points",
                    fontsize=9,
                )
            ax.set_title(measure)
            ax.set_xlabel(x)
            ax.set_xticks(band.index)
        np.atleast_1d(axes)[0].set_ylabel(y)
        np.atleast_1d(axes)[0].set_ylim(bottom=0)
        np.atleast_1d(axes)[0].spines["left"].set_visible(True)
        fig.tight_layout()
    return fig


def recovered_by(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    y: str,
    level: float | None = None,
    logarithmic: bool = False,
) -> Figure:
    """Curves of a recovered value against a number, one a column, named at their end.

    panels : title -> index of numbers, a column a curve (one that starts with "random" is drawn grey and dashed);
    x, y : axis labels; level : where a dotted line stands, such as what was planted. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(panels), figsize=(3.9 * len(panels) + 0.8, 3.5), squeeze=False, sharey=True
        )
        for ax, (title, table) in zip(axes[0], panels.items()):
            for (name, values), marker, shade in zip(table.items(), MARKERS, SHADES):
                control = name.startswith("random")
                ax.plot(
                    table.index,
                    values,
                    color=NEUTRAL if control else shade,
                    marker=marker,
                    markersize=5,
                    linewidth=1.4,
                    linestyle="--" if control else "-",
                    label=name,
                )
            if level is not None:
                ax.axhline(level, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
            ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
            if logarithmic:
                ax.set_xscale("log")
                ax.set_xticks(table.index)
                ax.minorticks_off()
            ax.xaxis.set_major_formatter("{x:,.0f}")
            ax.set_title(title)
            ax.set_xlabel(x)
            ax.spines["left"].set_visible(ax is axes[0, 0])
        axes[0, 0].set_ylabel(y)
        handles, names = axes[0, 0].get_legend_handles_labels()
        fig.legend(
            handles, names, loc="lower left", ncols=4, fontsize=9, bbox_to_anchor=(0.06, 0.98)
        )
        fig.tight_layout()
    return fig


def cosine_by_dimension(
    curve: tuple[ArrayLike, ArrayLike], points: pd.DataFrame, *, label: str
) -> Figure:
    """The mean size of a cosine against the number of dimensions: random directions as a curve, printed values as diamonds.

    curve : dimensions and values; points : columns dimensions, value and label; label : of the vertical axis.
    Returns the figure, dimensions on a logarithmic axis.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(6.4, 3.8))
        ax.plot(*curve, color=NEUTRAL, linewidth=1.6)
        ax.annotate(
            "two random directions",
            (curve[0][0], curve[1][0]),
            (14, -4),
            textcoords="offset points",
            color=NEUTRAL,
        )
        ax.scatter(
            points["dimensions"],
            points["value"],
            marker="D",
            s=52,
            facecolors="white",
            edgecolors="black",
            zorder=3,
        )
        for _, point in points.iterrows():
            ax.annotate(
                point["label"],
                (point["dimensions"], point["value"]),
                (9, -3),
                textcoords="offset points",
            )
        ax.set_xscale("log")
        ticks = [25, 50, 100, 200, 300, 500, 1000, 2000]
        ax.set_xticks([t for t in ticks if curve[0][0] <= t <= curve[0][-1]])
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.minorticks_off()
        ax.set_ylim(bottom=0)
        ax.spines["left"].set_visible(True)
        ax.set_xlabel("dimensions of the vectors")
        ax.set_ylabel(label)
    return fig


def score_curves(
    curves: Mapping[str, pd.Series],
    marks: Mapping[str, tuple[float, float, str]],
    *,
    level: float,
    labels: Mapping[str, str],
    printed: Mapping[str, pd.DataFrame],
) -> Figure:
    """A score against a share, a panel a way in which the other shares follow, with one mark in each that is put in words.

    curves : title -> scores indexed by share; marks : title -> share, score, words; level : the score at which a dashed line
    stands in all panels; labels : title -> horizontal axis; printed : title -> columns share and score, open diamonds.
    Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(curves), figsize=(4.4 * len(curves), 3.9), sharey=True, squeeze=False
        )
        for ax, (title, curve) in zip(axes[0], curves.items()):
            ax.axhline(level, color=NEUTRAL, linewidth=1, linestyle="--", zorder=0)
            ax.plot(curve.index, curve, color=INK, linewidth=1.8)
            if title in printed:
                ax.scatter(
                    *printed[title][["share", "score"]].to_numpy().T,
                    marker="D",
                    s=34,
                    facecolors="white",
                    edgecolors="black",
                    zorder=3,
                )
            share, score, words = marks[title]
            ax.scatter(share, score, color=INK, s=54, zorder=4)
            high = share > 0.4
            ax.annotate(
                words,
                (share, score),
                (0, 10) if high else (12, -6),
                textcoords="offset points",
                fontweight="bold",
                ha="center" if high else "left",
                va="bottom" if high else "top",
            )
            ax.set_title(title)
            ax.set_xlabel(labels[title])
            ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
            ax.set_xlim(-0.02, 1.02)
            ax.set_ylim(-0.02, 1.02)
            ax.spines["left"].set_visible(True)
        axes[0, 0].set_ylabel("score of the set")
        handle = Line2D(
            [],
            [],
            color="black",
            marker="D",
            mfc="white",
            linestyle="",
            label="printed in the paper",
        )
        fig.legend(handles=[handle], loc="lower left", fontsize=9, bbox_to_anchor=(0.06, 0.97))
        fig.tight_layout()
    return fig
