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
    MARKERS,
    NEUTRAL,
    PALETTE,
    SERIES,
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
    marks.name_points(ax, _outermost(points, labelled))
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


def _outermost(points: pd.DataFrame, count: int) -> pd.DataFrame:
    """The points farthest from their mean, in standard deviations."""
    places = points[["x", "y"]]
    distances = ((places - places.mean()) / places.std()).pow(2).sum(axis=1)
    return points.loc[distances.nlargest(count).index]


@themed
def agreement_against_cosine(
    cosines: ArrayLike, kappas: ArrayLike, predicted: tuple[ArrayLike, ArrayLike]
) -> Figure:
    """Agreement of two base pairs against the cosine of their difference vectors.

    As Zhang, Sneyd & Stevenson (2020), Figure 2, without the pairs compared with themselves.

    Parameters
    ----------
    cosines, kappas : array_like, shape (q,)
        One value for every two base pairs.
    predicted : (array_like, array_like)
        The curve that geometry alone predicts.
    """
    fig, (ax,) = layout.panel_axes(height=2.8, width=5.6)
    marks.dots(ax, cosines, kappas, s=28, alpha=0.8, label="two base pairs")
    marks.curve(ax, *predicted, color=NEUTRAL, label="geometry alone")
    ax.set_xlabel("cosine of the two difference vectors")
    ax.set_ylabel("agreement in direction (Cohen's kappa)")
    layout.legend_above(fig)
    return layout.with_data(fig, pd.DataFrame({"cosine": cosines, "kappa": kappas}))


@themed
def places_with_line(
    table: pd.DataFrame, line: pd.DataFrame, *, x: str, y: str, named: int = 60
) -> Figure:
    """One mark a place with its code, a marker for each group, and a line with its interval.

    Parameters
    ----------
    table : DataFrame
        Index of codes, columns x, y and group ("" for one group).
    line : DataFrame
        Index of x, columns line, low, high.
    x, y : str
        Labels of the axes.
    named : int
        How many of the outermost places carry their code.
    """
    fig, (ax,) = layout.panel_axes(height=4.2)
    marks.grey_band(ax, line, "low", "high")
    marks.curve(ax, line.index, line["line"], color=NEUTRAL)
    groups = table.groupby("group", sort=False)
    for (group, places), marker, shade in zip(groups, MARKERS, SERIES):
        look = {"marker": marker, "color": shade, "alpha": 0.85, "label": group or "_places"}
        marks.dots(ax, places["x"], places["y"], s=30, **look)
    ax.spines["left"].set_visible(True)
    layout.measure_axis([ax], x)
    ax.set_ylabel(y)
    if len(groups) > 1:
        layout.legend_above(fig)
    marks.name_points(ax, _outermost(table, named))
    return layout.with_data(fig, table)
