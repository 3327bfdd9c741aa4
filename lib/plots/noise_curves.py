"""Figures of how large a result noise reaches, by what is not known of a study."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import INK, MARKERS, NEUTRAL, SERIES, themed


@themed
def noise_by_words(
    limits: pd.DataFrame, beyond: pd.DataFrame, printed: ArrayLike, *, marked: int, label: str
) -> Figure:
    """Two panels over the number of words: the limit of noise beside printed values, and how many of
    these lie beyond it. One curve a correlation of the words.

    Parameters
    ----------
    limits, beyond : DataFrame
        Number of words × correlation of the words: a point of noise, and how many printed values
        are larger.
    printed : array_like
        Sizes of the printed values, drawn as open diamonds beside the curves.
    marked : int
        Number of words where a dotted line stands.
    label : str
        What the values are.

    Examples
    --------
    >>> limits = pd.DataFrame({0.0: [0.1, 0.3], 0.5: [0.1, 0.2]}, index=[4, 20])
    >>> beyond = pd.DataFrame({0.0: [2, 0], 0.5: [2, 1]}, index=[4, 20])
    >>> fig = noise_by_words(limits, beyond, [0.2, 0.25], marked=7, label="R²")
    >>> [ax.get_title(loc="left") for ax in fig.axes]
    ['noise reaches', 'printed values beyond']
    """
    titles = ["noise reaches", "printed values beyond"]
    fig, axes = layout.panel_axes(titles, height=3.0, sharex=True)
    for ax, table in zip(axes, (limits, beyond)):
        for number, (correlation, values) in enumerate(table.items()):
            look = {"color": SERIES[number], "marker": MARKERS[number], "linewidth": 1.5}
            name = f"words correlate by {correlation:g}" if ax is axes[0] else None
            ax.plot(values.index, values, markersize=5, label=name, **look)
        ax.axvline(marked, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
        ax.set_xticks([marked, *range(20, int(table.index.max()) + 1, 10)])
        ax.spines["left"].set_visible(True)
    printed = pd.Series(printed, dtype=float)
    marks.printed_values(axes[0], [limits.index.max() + 4] * len(printed), printed)
    top = 1.05 * max(printed.max(), limits.max(axis=None))
    axes[0].set(ylim=(0, top), ylabel=label)
    axes[1].set(ylim=(0, 1.03 * len(printed)), ylabel=f"of {len(printed)}")
    axes[1].set_yticks(np.linspace(0, len(printed), 4).round().astype(int))
    axes[1].axhline(len(printed), color=INK, linewidth=0.8, zorder=0)
    layout.measure_axis(axes, "words of a theme")
    layout.legend_above(fig)
    both = pd.concat({"limit": limits.stack(), "printed values beyond": beyond.stack()}, axis=1)
    return layout.with_data(fig, both.rename_axis(["words", "correlation"]))
