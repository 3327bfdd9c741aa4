"""Figures of values of many places, as in `lib.plots`: functions take numbers and return a figure, nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.display import BAND, INK, NEUTRAL, STYLE

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
SHADES = (
    "#222222",
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8c8c8c",
)  # Okabe and Ito's


def null_with_marks(
    null: ArrayLike, marks: Mapping[str, ArrayLike], *, label: str, limit: float, of_null: str
) -> Figure:
    """What a procedure finds in noise as a histogram, and above it rows of values that were published.

    null : (s,); marks : name -> values, a row each, the first on top; label : of the axis; limit : the null's 95 %
    point, where a dashed line stands; of_null : what the histogram is, for the legend. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, (top, low) = plt.subplots(
            2,
            1,
            figsize=(7.2, 0.42 * len(marks) + 3.0),
            sharex=True,
            height_ratios=[0.42 * len(marks) + 0.2, 2.3],
        )
        for row, values in enumerate(marks.values()):
            rows = np.full(len(values), row)
            top.scatter(
                values, rows, marker="D", s=40, facecolors="white", edgecolors="black", zorder=2
            )
        top.set_yticks(range(len(marks)), list(marks))
        top.set_ylim(len(marks) - 0.5, -0.5)
        top.tick_params(bottom=False)
        top.spines["bottom"].set_visible(False)
        low.hist(null, bins=40, color=NEUTRAL, edgecolor="white", linewidth=0.4)
        low.set_yticks([])
        for ax in (top, low):
            ax.axvline(limit, color=INK, linestyle="--", linewidth=1.2, zorder=1)
            ax.set_xlim(left=0)
        low.annotate(
            "19 of 20 noise results\nlie left of this line",
            (limit, low.get_ylim()[1]),
            (6, -4),
            va="top",
            textcoords="offset points",
            fontsize=9,
        )
        low.set_xlabel(label)
        handles = [
            Line2D(
                [],
                [],
                color="black",
                marker="D",
                mfc="white",
                linestyle="",
                label="printed in the paper",
            ),
            Line2D([], [], color=NEUTRAL, linewidth=9, label=of_null),
        ]
        fig.legend(
            handles=handles, loc="lower left", ncols=2, fontsize=9, bbox_to_anchor=(0.02, 0.96)
        )
        fig.tight_layout()
    return fig


def heat_map(
    table: pd.DataFrame,
    *,
    label: str,
    inside: pd.DataFrame | None = None,
    reach: float | None = None,
) -> Figure:
    """A table of signed numbers as shaded cells with the numbers in them.

    table : rows x columns, NaN left white; label : of the colour bar, naming both ends; inside : True where a number is no
    larger than noise gives: it is then set small and grey; reach : the number at which shades end (default: the largest).
    Returns the figure.
    """
    values = table.to_numpy(float)
    reach = reach or np.nanmax(np.abs(values))
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(0.56 * table.shape[1] + 3.6, 0.3 * len(table) + 1.7))
        image = ax.imshow(values, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
        for row, column in np.argwhere(~np.isnan(values)):
            weak = inside is not None and bool(inside.iat[row, column])
            dark = abs(values[row, column]) > 0.65 * reach
            ax.text(
                column,
                row,
                f"{values[row, column]:.2f}".replace("0.", ".", 1),
                ha="center",
                va="center",
                fontsize=7 if weak else 9,
                color="white" if dark else "#666666" if weak else INK,
                fontweight="normal" if weak else "bold",
            )
        ax.set_xticks(
            range(table.shape[1]), table.columns, rotation=40, ha="left", rotation_mode="anchor"
        )
        ax.xaxis.tick_top()
        ax.set_yticks(range(len(table)), table.index)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        bar = fig.colorbar(image, ax=ax, fraction=0.03, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label(label, fontsize=9)
    return fig


def places_with_line(
    table: pd.DataFrame, line: pd.DataFrame, *, x: str, y: str, named: int = 60
) -> Figure:
    """One mark a place with its code, a marker for each group, and a line with its interval as a band.

    table : index of codes, columns x, y and group ("" for one group); line : index of x, columns line, low, high;
    x, y : axis labels; named : how many of the outermost places carry their code. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 4.8))
        ax.fill_between(line.index, line["low"], line["high"], color=BAND, zorder=0)
        ax.plot(line.index, line["line"], color=NEUTRAL, linewidth=1.4, zorder=1)
        for (group, rows), marker, shade in zip(table.groupby("group"), MARKERS, SHADES):
            ax.scatter(
                rows["x"],
                rows["y"],
                s=26,
                marker=marker,
                color=shade,
                zorder=2,
                label=group or None,
                alpha=0.85,
            )
        spread = (
            ((table[["x", "y"]] - table[["x", "y"]].mean()) / table[["x", "y"]].std())
            .pow(2)
            .sum(axis=1)
        )
        for code in spread.nlargest(named).index:
            ax.annotate(
                code,
                tuple(table.loc[code, ["x", "y"]]),
                (4, 3),
                textcoords="offset points",
                fontsize=7,
                color=INK,
            )
        ax.spines["left"].set_visible(True)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        if table["group"].nunique() > 1:
            fig.legend(
                loc="lower left",
                ncols=4,
                fontsize=8,
                bbox_to_anchor=(0.05, 0.97),
                handletextpad=0.2,
            )
        fig.tight_layout()
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
