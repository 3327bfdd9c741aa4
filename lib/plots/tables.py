"""Figures in the form of tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout
from lib.plots.style import DIVERGING, SMALL, themed


@themed
def heat_map(
    table: pd.DataFrame,
    *,
    label: str,
    inside: pd.DataFrame | None = None,
    reach: float | None = None,
) -> Figure:
    """A table of signed numbers as shaded cells with the numbers in them.

    Parameters
    ----------
    table : DataFrame
        Rows x columns, NaN left white.
    label : str
        Of the colour bar, naming both ends.
    inside : DataFrame of bool, optional
        True where a number is no larger than noise gives: it is then set small and plain.
    reach : float, optional
        The number at which shades end, by default the largest.

    Examples
    --------
    >>> fig = heat_map(pd.DataFrame({"threat": [0.4]}, ["wages"]), label="signed R²")
    >>> fig.axes[0].texts[0].get_text()
    '.40'
    """
    values = table.to_numpy(float)
    reach = reach or float(np.nanmax(np.abs(values)))
    fig, (ax,) = layout.panel_axes(height=0.3 * len(table) + 1.1)
    sns.heatmap(
        table.astype(float),
        annot=table.map(lambda value: f"{value:.2f}".replace("0.", ".", 1)),
        fmt="",
        annot_kws={"fontsize": SMALL, "fontweight": "bold"},
        cmap=DIVERGING,
        vmin=-reach,
        vmax=reach,
        cbar_kws={"label": label, "fraction": 0.03, "pad": 0.02},
        ax=ax,
    )
    if inside is not None:
        for text, weak in zip(ax.texts, inside.to_numpy(bool)[~np.isnan(values)]):
            if weak:
                text.set(fontsize=SMALL - 1, fontweight="normal")
    _headings_on_top(ax)
    ax.tick_params(axis="x", rotation=40)
    for heading in ax.get_xticklabels():
        heading.set(ha="left", rotation_mode="anchor")
    return layout.with_data(fig, table)


def _headings_on_top(ax: Axes) -> None:
    """Put the names of columns above them, without tick marks."""
    ax.tick_params(axis="x", bottom=False, top=False, labelbottom=False, labeltop=True)
    ax.set(xlabel="", ylabel="")
