"""Tokens of words on two components."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import INK, PALETTE, SOLID, themed


@themed
def token_clouds(
    panels: Mapping[str, pd.DataFrame], looks: Mapping[str, tuple[str, bool]], *, x: str, y: str
) -> Figure:
    """Panels of tokens on two components (columns x, y, word), the name of each word at its cloud.

    `looks` gives each word its pole ("female", "male" or "") and whether its marks are filled. Each panel has its own scale, the same for both of
    its axes.
    """
    colours = {word: PALETTE.get(pole, INK) for word, (pole, _) in looks.items()}
    fig, axes = layout.panel_axes(panels, height=2.7)
    for ax, points in zip(axes, panels.values()):
        for word, cloud in points.groupby("word", sort=False):
            faces = colours[word] if looks[word][1] else "none"
            look = {"facecolors": faces, "edgecolors": colours[word], "linewidths": 0.7}
            ax.scatter(cloud["x"], cloud["y"], s=13, alpha=SOLID, **look)
        ax.set(xticks=[], yticks=[])
        ax.margins(0.2)
        ax.set_aspect("equal", adjustable="datalim")
        ax.spines["left"].set_visible(True)
    layout.measure_axis(axes, x)
    axes[0].set_ylabel(y)
    for ax, points in zip(axes, panels.values()):
        tops = points.groupby("word", sort=False).agg({"x": "mean", "y": "max"})
        tops["colour"] = tops.index.map(colours)
        marks.name_points(ax, tops, heights=(4, 14, 24, -4, -14))
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))
