"""Figures of the translation gender bias index, as in `lib.plots`: functions take numbers, nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lib.plots.display import BAND, FEMALE, INK, MALE, NEUTRAL, STYLE

SEGMENTS = {
    "female": (FEMALE, "feminine"),
    "neutral": ("#c9c9c9", "neither"),
    "unread": ("white", "no pronoun found"),
    "male": (MALE, "masculine"),
}


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
