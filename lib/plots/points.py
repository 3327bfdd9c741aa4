"""Figures of points on two axes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import (
    EDGE,
    INK,
    PALETTE,
    SIDE_MARKERS,
    SOLID,
    themed,
)


@themed
def scatter(
    x_values: ArrayLike,
    y_values: ArrayLike,
    names: Sequence[str],
    *,
    x: str,
    y: str,
    labelled: int = 12,
) -> Figure:
    """A cloud of named points with both zero lines, the outermost points labelled.

    Parameters
    ----------
    x_values, y_values : array_like, shape (n,)
        Where the points lie.
    names : sequence of str, length n
        Of the points.
    x, y : str
        Labels of the axes, naming the poles.
    labelled : int
        How many points carry their name, where there is room for it.

    Examples
    --------
    >>> fig = scatter([0.2, -0.1], [0.1, 0.3], ["nurse", "judge"], x="← male  female →", y="change")
    >>> sorted(text.get_text() for text in fig.axes[0].texts)
    ['female →', 'judge', 'nurse', '← male']
    """
    points = pd.DataFrame({"x": x_values, "y": y_values}, pd.Index(names, name="name"))
    fig, (ax,) = layout.panel_axes(height=4, width=6.4)
    marks.dots(ax, points["x"], points["y"], s=18, alpha=SOLID, linewidth=0)
    _cross(ax)
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], x)
    ax.set_ylabel(y)
    marks.name_points(ax, marks.outermost(points, labelled))
    return layout.with_data(fig, points)


@themed
def leaning_points(
    panels: Mapping[str, pd.DataFrame], *, x: str, y: str, named: Collection[str] = ()
) -> Figure:
    """Panels of points coloured by a score, each on scales of its own.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title -> index of words, columns x, y and score; a positive score leans female.
    x, y : str
        Labels of the axes.
    named : collection of str
        Words that carry their name and a ring.
    """
    fig, axes = layout.panel_axes(panels, height=3.3)
    ringed = {title: points[points.index.isin(named)] for title, points in panels.items()}
    for ax, (title, points) in zip(axes, panels.items()):
        marks.leaning(ax, points["x"], points["y"], points["score"])
        look = {"facecolors": "none", "edgecolors": INK, "linewidths": 0.9}
        ax.scatter(ringed[title]["x"], ringed[title]["y"], s=26, **look)
        ax.spines["left"].set_visible(True)
    layout.measure_axis(axes, x)
    axes[0].set_ylabel(y)
    for side in ("female", "male"):
        marks.key(axes[0], f"leans {side}", color=PALETTE[side], marker=SIDE_MARKERS[side])
    layout.legend_above(fig)
    for ax, title in zip(axes, panels):
        marks.name_points(ax, ringed[title])
    return layout.with_data(fig, pd.concat(panels, names=["panel", "word"]))


def _cross(ax: Axes) -> None:
    """Draw both zero lines."""
    ax.axhline(0, color=EDGE, linewidth=0.8, zorder=0)
    ax.axvline(0, color=EDGE, linewidth=0.8, zorder=0)
