"""The marks that figures are made of: dots, bars and bands, diamonds, names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patheffects import Normal, Stroke
from matplotlib.text import Annotation
from numpy.typing import ArrayLike

from lib.plots.style import (
    BAND,
    DASHES,
    EDGE,
    INK,
    NEUTRAL,
    PALETTE,
    SIDE_MARKERS,
    SMALL,
    SOLID,
    lean,
)


def dots(
    ax: Axes,
    x: ArrayLike,
    y: ArrayLike | Iterable[int],
    *,
    scores: ArrayLike | None = None,
    filled: bool = True,
    **look: Any,
) -> None:
    """Draw dots: filled with ink, open, or coloured by the sign of `scores`."""
    if np.size(x) == 0:
        return
    if scores is not None:
        look = {"hue": lean(scores), "palette": PALETTE, "legend": False, **look}
    elif filled:
        look = {"color": INK, **look}
    else:
        look = {"color": "white", "edgecolor": INK, "linewidth": 1, **look}
    sns.scatterplot(x=np.asarray(x), y=np.asarray(y), ax=ax, **{"s": 40, **look})


def moves(ax: Axes, start: pd.Series, end: pd.Series, scores: pd.Series) -> None:
    """Draw a line in each row from an open mark to a filled one, coloured by the sign of scores."""
    rows = range(len(start))
    ax.hlines(rows, start, end, color=NEUTRAL, linewidth=1.2, zorder=1)
    dots(ax, start, rows, filled=False)
    dots(ax, end, rows, scores=scores)


def intervals(ax: Axes, table: pd.DataFrame, y: ArrayLike | Iterable[int]) -> None:
    """Draw thin bars from the columns low to high."""
    ax.hlines(y, table["low"], table["high"], color=INK, linewidth=1.2, zorder=1)


def grey_bars(
    ax: Axes,
    low: ArrayLike,
    high: ArrayLike,
    y: ArrayLike | Iterable[int],
    *,
    width: float = 5,
    label: str = "",
) -> None:
    """Draw a thick grey bar with an edge in each row, behind everything else; its ends are taller
    than a dot, so that a bar narrower than that is seen.
    """
    edge = [Stroke(linewidth=width + 1.6, foreground=EDGE), Normal()]
    bars = ax.hlines(y, low, high, color=BAND, linewidth=width, zorder=0.5, label=label)
    bars.set(path_effects=edge, capstyle="butt")
    ends = {"marker": "|", "markersize": width + 3, "color": EDGE, "linestyle": ""}
    rows = np.broadcast_to(np.asarray(list(np.atleast_1d(y)), float), np.shape(np.atleast_1d(low)))
    for end in (low, high):
        ax.plot(np.atleast_1d(end), rows, **ends, zorder=0.5)


def grey_band(ax: Axes, table: pd.DataFrame, low: str, high: str, label: str = "") -> None:
    """Fill the space between two columns over the numbers of the index, behind everything else."""
    look = {"facecolor": BAND, "edgecolor": EDGE, "linewidth": 0.8, "zorder": 0, "label": label}
    ax.fill_between(table.index, table[low], table[high], **look)


def band_across(ax: Axes, low: float, high: float, label: str = "") -> None:
    """Fill the space between two numbers of the horizontal axis, behind everything else."""
    look = {"facecolor": BAND, "edgecolor": EDGE, "linewidth": 0.8, "zorder": 0}
    ax.axvspan(low, high, **look, label=label)


def leaning(ax: Axes, x: ArrayLike, y: ArrayLike, scores: ArrayLike, *, size: float = 16) -> None:
    """Draw a cloud of small dots whose colour and form say the sign of their score."""
    x, y, sides = np.asarray(x), np.asarray(y), lean(scores)
    for side, marker in SIDE_MARKERS.items():
        look = {"color": PALETTE[side], "marker": marker, "alpha": SOLID, "linewidth": 0.3}
        dots(ax, x[sides == side], y[sides == side], s=size, edgecolor="white", **look)


def curve(ax: Axes, x: ArrayLike, y: ArrayLike, **look: Any) -> None:
    """Draw a line through points."""
    sns.lineplot(x=np.asarray(x), y=np.asarray(y), estimator=None, errorbar=None, ax=ax, **look)


def printed_values(ax: Axes, x: ArrayLike, y: ArrayLike | Iterable[int]) -> None:
    """Draw open diamonds where a paper prints a value; nothing where all are NaN."""
    if not np.isnan(np.asarray(x, dtype=float)).all():
        look = {"facecolors": "none", "edgecolors": "black", "label": "printed in the paper"}
        ax.scatter(x, y, marker="D", s=40, zorder=4, **look)


def key(ax: Axes, label: str, **look: Any) -> None:
    """An entry for the legend that stands for no single mark: a dot of ink, but for `look`."""
    ax.plot([], [], label=label, **{"color": INK, "marker": "o", "linestyle": "", **look})


def note(
    ax: Axes, text: str, x: float, y: float, *, right: float = 0, up: float = 0, **look: Any
) -> Annotation:
    """Write a small text `right` and `up` points away from a place, on a pale ground."""
    return ax.annotate(
        text,
        (x, y),
        (right, up),
        textcoords="offset points",
        ha="left" if right > 0 else "right" if right < 0 else "center",
        va="bottom" if up > 0 else "top" if up < 0 else "center",
        bbox={"facecolor": "white", "linewidth": 0, "alpha": 0.8, "pad": 0.5},
        **{"fontsize": SMALL, **look},
    )


def name_points(ax: Axes, points: pd.DataFrame, heights: Sequence[float] = (4, -4)) -> None:
    """Write the name of each point beside it, on its first free side.

    Parameters
    ----------
    ax : Axes
        With all of its marks drawn and its limits settled.
    points : DataFrame
        Index of names, columns x and y and, if wanted, colour; the most important first: a name
        for which every side is taken by another, or outside its panel, is left out.
    heights : sequence of float
        How far above or below its point a name may stand, in points.
    """
    fig = ax.get_figure(root=True)
    fig.draw_without_rendering()
    frame, ends = ax.get_window_extent(), fig.bbox
    if len(fig.axes) > 1:  # a name does not run into the next panel
        ends = frame.padded(4)
    colours = points.get("colour", pd.Series(INK, points.index))
    boxes = []
    for name, x, y, colour in zip(points.index, points["x"], points["y"], colours):
        for up, right in product(heights, (5, -5)):
            text = note(ax, name, x, y, right=right, up=up, color=colour)
            text.set_in_layout(False)
            box = text.get_window_extent()
            inside = ends.x0 <= box.x0 and box.x1 <= ends.x1 and box.y1 <= frame.y1 + 2
            if inside and not any(box.overlaps(other) for other in boxes):
                boxes.append(box)
                break
            text.remove()


def outermost(points: pd.DataFrame, count: int) -> pd.DataFrame:
    """The points farthest from their mean, in standard deviations: those whose names are worth their room.

    Parameters
    ----------
    points : DataFrame
        Columns x and y.
    count : int
        How many.

    Examples
    --------
    >>> outermost(pd.DataFrame({"x": [0, 0, 3], "y": [0, 1, 0]}, list("abc")), 1).index.tolist()
    ['c']
    """
    places = points[["x", "y"]]
    distances = ((places - places.mean()) / places.std()).pow(2).sum(axis=1)
    return points.loc[distances.nlargest(count).index]


def lines(
    ax: Axes,
    curves: pd.DataFrame,
    palette: Sequence[str],
    dashes: Sequence = DASHES,
    **look: Any,
) -> None:
    """Draw one line a column over the numbers of the index, told apart by dashes and shades."""
    count = len(curves.columns)
    look = {"palette": palette[:count], "dashes": dashes[:count], "linewidth": 1.5, **look}
    if len(curves):
        sns.lineplot(curves, errorbar=None, ax=ax, **look)
    if ax.get_legend():
        ax.get_legend().remove()
    ax.set_xlabel("")  # not the name of the index: `measure_axis` says what it is
