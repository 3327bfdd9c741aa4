"""Panels, rows, axes and legends: what stands around the marks of a figure."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from math import ceil
from weakref import WeakKeyDictionary

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import AutoLocator, MaxNLocator

from lib.plots.style import INK, PALETTE, SMALL, WIDTH

_POLES = re.compile(r"←\s*(?P<left>.+?)(?:\s{2,}(?P<measure>.+?))?\s{2,}(?P<right>.+?)\s*→")
_CHARACTERS = 13.5  # of the smallest text to the inch, on average
_TICK = 0.7  # inches between the numbers of a horizontal axis, at least
_tables: WeakKeyDictionary[Figure, pd.DataFrame] = WeakKeyDictionary()


def with_data(fig: Figure, table: pd.DataFrame) -> Figure:
    """The figure, which from now on knows the table it was drawn from."""
    _tables[fig] = table
    return fig


def data_of(fig: Figure) -> pd.DataFrame | None:
    """The table a figure was drawn from, where it is known."""
    return _tables.get(fig)


def panel_axes(
    titles: Iterable[str] = ("",),
    *,
    height: float,
    width: float = WIDTH,
    columns: int = 3,
    sharex: bool = False,
    sharey: bool = False,
    margin: float = 0,
) -> tuple[Figure, list[Axes]]:
    """A figure with a panel for each title, a few in a row, and the axes of the panels.

    Parameters
    ----------
    titles : iterable of str
        One a panel; long ones are wrapped.
    height, width : float
        Of a panel and of the whole figure, in inches.
    columns : int
        Panels in a row, at most.
    sharex, sharey : bool
        One scale for all panels.
    margin : float
        What stands left of the panels, in inches: it leaves their titles less room.
    """
    titles = list(titles) or [""]
    rows = ceil(len(titles) / columns)
    columns = ceil(len(titles) / rows)
    titles = [
        textwrap.fill(title, max(int(10 * (width - margin) / columns), 10)) for title in titles
    ]
    height += 0.16 * max(title.count("\n") for title in titles)
    fig, grid = plt.subplots(
        rows,
        columns,
        figsize=(width, rows * height + 0.4),
        sharex=sharex,
        sharey=sharey,
        squeeze=False,
        layout="constrained",
    )
    axes = list(grid.flat)
    for ax in axes[len(titles) :]:
        ax.remove()
    for ax, title in zip(axes, titles):
        ax.set_title(title)
        ax.tick_params(labelbottom=True)
    return fig, axes[: len(titles)]


def row_axes(
    labels: Iterable[str],
    titles: Iterable[str] = ("",),
    *,
    step: float = 0.34,
    columns: int = 3,
    sharex: bool = False,
) -> tuple[Figure, list[Axes]]:
    """A figure of labelled rows, the same in each panel; a row of one line is `step` inches
    high.
    """
    titles = list(titles)
    labels = _in_lines(labels, 1 if len(titles) < 2 else columns)
    longest = max((len(line) for label in labels for line in label.split("\n")), default=0)
    lines = 1 + max((label.count("\n") for label in labels), default=0)
    height = step * len(labels) * (0.65 + 0.35 * lines) + 0.7
    fig, axes = panel_axes(
        titles,
        height=height,
        columns=columns,
        sharex=sharex,
        sharey=True,
        margin=longest / _CHARACTERS,
    )
    rows_axis(axes[0], labels)
    return fig, axes


def rows_axis(ax: Axes, labels: Sequence[str]) -> None:
    """Label the rows 0, 1, … of a vertical axis, the first on top."""
    ax.set_yticks(range(len(labels)), _in_lines(labels, _columns(ax)))
    ax.set(ylabel="", ylim=(max(len(labels), 1) - 0.5, -0.5))


def zero_line(ax: Axes, at: float = 0) -> None:
    """A thin line where a contrast has no direction."""
    ax.axvline(at, color=INK, linewidth=0.8, zorder=0)


def measure_axis(axes: Sequence[Axes], label: str) -> None:
    """Say what the horizontal axes of some panels measure, and which way.

    Parameters
    ----------
    axes : sequence of Axes
    label : str
        What is measured. One that names two poles, as in ``"← male   RIPA   female →"`` (two blanks
        or more between the parts, the measure may be left out), becomes a strip of the poles on top
        of each row of panels and the measure below. Where the left pole is female and the right one
        male, the axes are turned: female stands right in every figure.

    Examples
    --------
    >>> fig, axes = panel_axes(height=1)
    >>> measure_axis(axes, "← leans female   effect size   leans male →")
    >>> [text.get_text() for text in axes[0].texts], axes[0].get_xlabel()
    (['← leans male', 'leans female →'], 'effect size')
    """
    for ax in axes:
        axis = ax.xaxis
        if isinstance(axis.get_major_locator(), AutoLocator):
            width = ax.get_window_extent().width / ax.get_figure(root=True).dpi
            axis.set_major_locator(
                MaxNLocator(max(int(width / _TICK), 2), steps=[1, 2, 2.5, 5, 10])
            )
    poles = _POLES.fullmatch(label.strip())
    if poles:
        left, measure, right = poles["left"], poles["measure"] or "", poles["right"]
        if _side(left) == "female" and _side(right) == "male":
            left, right = right, left
            for ax in axes:
                ax.invert_xaxis()
        pole_strip(axes, left, right)
    else:
        measure = label
    if len(axes) == 1:
        axes[0].set_xlabel(measure)
    elif axes and measure:
        axes[0].get_figure(root=True).supxlabel(measure, fontsize=10)


def pole_strip(
    axes: Sequence[Axes], left: str = "male-leaning", right: str = "female-leaning"
) -> None:
    """Name what lies at both ends of the horizontal axes, above each row of panels."""
    rows: dict[int, list[Axes]] = {}
    for ax in axes:
        place = ax.get_subplotspec()
        rows.setdefault(place.rowspan.start if place else 0, []).append(ax)
    for row in rows.values():
        titled = any(ax.get_title(loc="left") for ax in row)
        for ax, x, side, pole in ((row[0], 0, "left", left), (row[-1], 1, "right", right)):
            strip = ax.annotate(
                f"← {pole}" if side == "left" else f"{pole} →",
                (x, 1),
                (0, 5),
                xycoords="axes fraction",
                textcoords="offset points",
                ha=side,
                va="bottom",
                fontsize=SMALL,
                fontweight="bold",
                color=PALETTE.get(_side(pole), INK),
            )
            strip.set_in_layout(not titled)
        fig = row[0].get_figure(root=True)
        fig.set_figheight(fig.get_figheight() + 0.2)
        for ax in row if titled else []:
            ax.set_title(ax.get_title(loc="left"), loc="left", pad=20)


def _side(pole: str) -> str:
    """The gender that a pole names, "" for none."""
    if re.search(r"\b(female|feminine|she|her|woman|women)\b", pole):
        return "female"
    return "male" if re.search(r"\b(male|masculine|he|his|man|men)\b", pole) else ""


def _columns(ax: Axes) -> int:
    """How many panels stand beside each other."""
    place = ax.get_subplotspec()
    return place.get_gridspec().ncols if place else 1


def _in_lines(labels: Iterable[object], columns: int) -> list[str]:
    """Labels of rows, the long ones in several lines: panels side by side leave them less room."""
    width = 44 if columns == 1 else 24
    return [
        "\n".join(textwrap.wrap(text, width)) if len(text) > width and "\n" not in text else text
        for text in map(str, labels)
    ]


def legend_above(fig: Figure) -> None:
    """One legend above all panels, each label once, in as many columns as the width allows."""
    entries: dict[str, object] = {}
    for ax in fig.axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            entries.setdefault(label, handle)
        if ax.get_legend():
            ax.get_legend().remove()
    room = fig.get_figwidth() * _CHARACTERS
    columns = next(
        count
        for count in range(len(entries), -1, -1)
        if _legend_width(list(entries), count) <= room
    )
    fig.legend(
        entries.values(),
        entries,
        loc="outside upper left",
        ncols=max(1, columns),
        handletextpad=0.5,
        columnspacing=1.3,
    )


def _legend_width(labels: Sequence[str], columns: int) -> int:
    """Characters that a legend takes in so many columns, with the marks before its labels."""
    if columns < 2:
        return 0
    return sum(max(map(len, part)) + 6 for part in np.array_split(labels, columns))
