"""The marks that figures are made of: dots, bars and bands, diamonds, names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from numpy.typing import ArrayLike

from lib.plots.style import BAND, INK, PALETTE, SMALL, lean


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
    """Draw a thick grey bar in each row, behind everything else."""
    ax.hlines(y, low, high, color=BAND, linewidth=width, zorder=0, label=label)


def grey_band(ax: Axes, table: pd.DataFrame, low: str, high: str, label: str = "") -> None:
    """Fill the space between two columns over the numbers of the index, behind everything else."""
    look = {"color": BAND, "linewidth": 0, "zorder": 0, "label": label}
    ax.fill_between(table.index, table[low], table[high], **look)


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
        bbox={"facecolor": "white", "linewidth": 0, "alpha": 0.6, "pad": 0.5},
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
        for which every side is taken by another is left out.
    heights : sequence of float
        How far above or below its point a name may stand, in points.
    """
    ax.get_figure(root=True).draw_without_rendering()
    colours = points.get("colour", pd.Series(INK, points.index))
    boxes = []
    for name, x, y, colour in zip(points.index, points["x"], points["y"], colours):
        for up, right in product(heights, (5, -5)):
            text = note(ax, name, x, y, right=right, up=up, color=colour)
            box = text.get_window_extent()
            if not any(box.overlaps(other) for other in boxes):
                boxes.append(box)
                break
            text.remove()
