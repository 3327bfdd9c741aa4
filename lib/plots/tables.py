"""Figures in the form of tables."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from lib.plots.style import BAND, INK, STYLE, VERDICT_COLOURS


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


def verdict_counts(card: pd.DataFrame) -> Figure:
    """How many claims of each paper have which verdict: one line a paper, one dot a verdict, its area the count.

    card : one row a claim with columns paper and verdict. Returns the figure, papers with most results settled on top.
    """
    verdicts = [verdict for verdict in VERDICT_COLOURS if (card["verdict"] == verdict).any()]
    counts = (
        card.groupby(["paper", "verdict"]).size().unstack(fill_value=0).reindex(columns=verdicts)
    )
    settled = counts.drop(columns="not run", errors="ignore").sum(axis=1)
    counts = counts.loc[
        counts.assign(settled=settled, all=counts.sum(axis=1)).sort_values(["settled", "all"]).index
    ]
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(1.5 * len(verdicts) + 3.2, 0.27 * len(counts) + 1.2))
        for x, verdict in enumerate(verdicts):
            for y, count in enumerate(counts[verdict]):
                if count:
                    ax.scatter(x, y, s=14 + 5 * count**0.8, color=VERDICT_COLOURS[verdict])
                    ax.annotate(
                        str(count),
                        (x, y),
                        (16, 0),
                        textcoords="offset points",
                        va="center",
                        fontsize=8,
                    )
        ax.set_xticks(range(len(verdicts)), [verdict.replace(" ", "\n", 1) for verdict in verdicts])
        ax.xaxis.tick_top()
        ax.tick_params(axis="x", length=0)
        ax.set_yticks(range(len(counts)), counts.index)
        ax.spines["bottom"].set_visible(False)
        ax.set_xlim(-0.5, len(verdicts) - 0.3)
        ax.grid(axis="y", color=BAND, linewidth=0.6)
        ax.set_axisbelow(True)
    return fig
