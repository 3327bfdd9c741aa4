"""Figures of the index alone."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import INK, NEUTRAL, themed


@themed
def score_curves(
    curves: Mapping[str, pd.Series],
    points: Mapping[str, tuple[float, float, str]],
    *,
    level: float,
    labels: Mapping[str, str],
    printed: Mapping[str, pd.DataFrame],
) -> Figure:
    """A score against a share (title -> scores indexed by share), a panel a way in which the other shares follow, with one point
    each. points: title -> share, score and the words that stand at the point; level: the score at which a dashed line stands
    in all panels; labels: title -> horizontal axis; printed: title -> columns share and score, open diamonds.
    """
    fig, axes = layout.panel_axes(curves, height=3.4, sharey=True)
    for ax, (title, curve) in zip(axes, curves.items()):
        ax.axhline(level, color=NEUTRAL, linewidth=1, linestyle="--", zorder=0)
        marks.curve(ax, curve.index, curve, color=INK, linewidth=1.8)
        if title in printed:
            marks.printed_values(ax, printed[title]["share"], printed[title]["score"])
        share, score, words = points[title]
        marks.dots(ax, [share], [score], s=54, zorder=5)
        right, up = (0, 10) if share > 0.4 else (12, -6)
        marks.note(ax, words, share, score, right=right, up=up, fontweight="bold")
        ax.set(xlabel=labels[title], xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.xaxis.set_major_formatter("{x:.0%}")
        ax.spines["left"].set_visible(True)
    axes[0].set_ylabel("score of the set")
    layout.legend_above(fig)
    table = pd.concat(curves, names=["panel", "share"]).rename("score")
    return layout.with_data(fig, table.reset_index())
