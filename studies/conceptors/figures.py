"""Matrices in the plane: what a matrix does to a circle, and to words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout
from lib.plots.style import BAND, EDGE, INK, NEUTRAL, PALETTE, SMALL, themed


@themed
def ellipse_panels(
    matrices: Mapping[str, ArrayLike], words: Mapping[str, pd.DataFrame], *, x: str, y: str
) -> Figure:
    """Panels with the unit circle, the ellipse that a symmetric (2, 2) matrix makes of it, and words that move.

    Words have `word`, `x` and `y` before, `to x` and `to y` after, and `pole`: "female", "male" or "" for neither. One that stays has no arrow.
    """
    fig, axes = layout.panel_axes(matrices, height=2.2, sharex=True, sharey=True)
    angles = np.linspace(0, 2 * np.pi, 181)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    for ax, (title, matrix) in zip(axes, matrices.items()):
        matrix = np.asarray(matrix, float)
        if matrix.shape != (2, 2):
            raise ValueError(f"matrices: expected (2, 2), got {matrix.shape} for {title!r}")
        ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
        ax.axvline(0, color=BAND, linewidth=0.8, zorder=0)
        ax.plot(*circle, color=EDGE, linewidth=1, linestyle=(0, (4, 2)))
        ax.fill(*(matrix @ circle), facecolor=BAND, edgecolor=NEUTRAL, alpha=0.6, linewidth=1.2)
        for row in words[title].to_dict("records"):
            _moved(ax, row)
        ax.set_aspect("equal")
        ax.spines["left"].set_visible(True)
        ax.margins(x=0.1, y=0.3)  # room for the names of words
    layout.measure_axis(axes, x)
    axes[0].set_ylabel(y)
    return layout.with_data(fig, pd.concat(words, names=["panel"]))


def _moved(ax, row: Mapping[str, object]) -> None:
    colour = PALETTE.get(str(row["pole"]), INK)
    start, end = (row["x"], row["y"]), (row["to x"], row["to y"])
    moves = not np.allclose(np.array(start, float), np.array(end, float))
    if moves:
        arrow = {"arrowstyle": "->", "color": colour, "linewidth": 1, "shrinkA": 3, "shrinkB": 2}
        ax.annotate("", xy=end, xytext=start, arrowprops=arrow)
    faces = "none" if moves else colour
    ax.scatter(*start, s=22, facecolors=faces, edgecolors=colour, zorder=3)
    ax.scatter(*end, s=22, color=colour, zorder=3)
    above = float(row["y"]) >= 0
    ax.annotate(
        str(row["word"]),
        start,
        xytext=(0, 6 if above else -6),
        textcoords="offset points",
        ha="center",
        va="bottom" if above else "top",
        fontsize=SMALL,
        color=colour,
    )
