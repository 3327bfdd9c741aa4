"""Panels, rows, axes and legends: what stands around the marks of a figure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from math import ceil
from weakref import WeakKeyDictionary

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots.style import INK, WIDTH

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
    """
    titles = list(titles) or [""]
    rows = ceil(len(titles) / columns)
    columns = ceil(len(titles) / rows)
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
        ax.set_title(textwrap.fill(title, int(10 * width / columns)))
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
    labels = [str(label) for label in labels]
    lines = 1 + max((label.count("\n") for label in labels), default=0)
    height = step * len(labels) * (0.65 + 0.35 * lines) + 0.7
    fig, axes = panel_axes(titles, height=height, columns=columns, sharex=sharex, sharey=True)
    rows_axis(axes[0], labels)
    return fig, axes


def rows_axis(ax: Axes, labels: Sequence[str]) -> None:
    """Label the rows 0, 1, … of a vertical axis, the first on top."""
    ax.set_yticks(range(len(labels)), list(labels))
    ax.set(ylabel="", ylim=(max(len(labels), 1) - 0.5, -0.5))


def zero_line(ax: Axes, at: float = 0) -> None:
    """A thin line where a contrast has no direction."""
    ax.axvline(at, color=INK, linewidth=0.8, zorder=0)


def label_poles(ax: Axes, measure: str) -> None:
    """Name both poles on the horizontal axis of a female–male word contrast."""
    ax.set_xlabel(
        f"← male-leaning   {measure}   female-leaning →" if measure else "← male   female →"
    )


def legend_above(fig: Figure) -> None:
    """One legend above all panels, each label once, in as many columns as the width allows."""
    entries: dict[str, object] = {}
    for ax in fig.axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            entries.setdefault(label, handle)
        if ax.get_legend():
            ax.get_legend().remove()
    columns = int(fig.get_figwidth() * 15 / (max(map(len, entries), default=0) + 7))
    fig.legend(
        entries.values(),
        entries,
        loc="outside upper left",
        ncols=max(1, min(columns, len(entries))),
        handletextpad=0.5,
        columnspacing=1.3,
    )
