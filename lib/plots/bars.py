"""Figures of shares and distributions as bars."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.style import BAND, FEMALE, INK, MALE, NEUTRAL, STYLE

SEGMENTS = {
    "female": (FEMALE, "feminine"),
    "neutral": ("#c9c9c9", "neither"),
    "unread": ("white", "no pronoun found"),
    "male": (MALE, "masculine"),
}


def shares_by_set(
    panels: Mapping[str, pd.DataFrame], names: Mapping[str, str] | None = None
) -> Figure:
    """How the outputs of each set divide, as one bar a set, with its score behind it; a panel a system.

    panels : title -> index of sets, columns female, neutral, unread (where there is any) and male, which add up to 1, and
    score (NaN where there is none). names : column -> its words in the legend, where they are others. Returns the figure;
    rows in the order of the first panel, first on top.
    """
    segments = [name for name in SEGMENTS if all(name in table for table in panels.values())]
    first = next(iter(panels.values()))
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1,
            len(panels),
            figsize=(max(2.5 * len(panels) + 1.6, 6.4), 0.36 * len(first) + 1.3),
            sharey=True,
            squeeze=False,
        )
        for ax, (title, table) in zip(axes[0], panels.items()):
            table, begin = table.loc[first.index], np.zeros(len(first))
            for name in segments:
                colour = SEGMENTS[name][0]
                ax.barh(
                    range(len(table)),
                    table[name],
                    0.62,
                    begin,
                    color=colour,
                    linewidth=0.6,
                    edgecolor=BAND if colour == "white" else "white",
                )
                begin = begin + table[name].to_numpy()
            for row, score in enumerate(table["score"]):
                if np.isnan(score):
                    continue
                ax.annotate(
                    f"{score:.2f}".replace("0.", ".", 1),
                    (1, row),
                    (5, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=9,
                )
            ax.set_title(title)
            ax.set_xlim(0, 1)
            ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
            ax.tick_params(axis="x", labelsize=8)
        axes[0, 0].set_yticks(range(len(first)), first.index)
        axes[0, 0].set_ylim(len(first) - 0.5, -0.5)
        legend = {
            SEGMENTS[name][0]: (names or {}).get(name, SEGMENTS[name][1]) for name in segments
        }
        handles = [
            Line2D(
                [],
                [],
                color=colour,
                marker="s",
                markersize=9,
                linestyle="",
                mec=NEUTRAL,
                mew=0.5,
                label=words,
            )
            for colour, words in legend.items()
        ]
        fig.legend(
            handles=handles,
            loc="lower left",
            ncols=4,
            fontsize=9,
            bbox_to_anchor=(0.06, 0.99),
            handletextpad=0.2,
        )
        fig.tight_layout()
    return fig


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
