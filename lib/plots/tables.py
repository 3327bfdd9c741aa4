"""Figures in the form of tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout
from lib.plots.style import DIVERGING, SMALL, ink_on, themed


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
        True where a number is no larger than noise gives: it is then set thin and slanted.
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
    slanted = 0.048 * max(len(str(heading)) for heading in table)  # inches above the cells
    fig, (ax,) = layout.panel_axes(height=0.3 * len(table) + 0.5 + slanted)
    sns.heatmap(
        table.astype(float),
        annot=table.map(_short),
        fmt="",
        annot_kws={"fontsize": SMALL, "fontweight": "bold"},
        cmap=DIVERGING,
        vmin=-reach,
        vmax=reach,
        cbar_kws={"label": label, "fraction": 0.03, "pad": 0.02},
        ax=ax,
    )
    for text, shade in zip(ax.texts, ax.collections[0].get_facecolors()[~np.isnan(values).ravel()]):
        text.set_color(ink_on(shade))
    if inside is not None:
        for text, weak in zip(ax.texts, inside.to_numpy(bool)[~np.isnan(values)]):
            if weak:
                text.set(fontweight="normal", fontstyle="italic")
    _headings_on_top(ax)
    ax.tick_params(axis="x", rotation=40)
    for heading in ax.get_xticklabels():
        heading.set(ha="left", rotation_mode="anchor")
    return layout.with_data(fig, table)


def _short(value: float) -> str:
    """Two decimals without the zero before them, and a true minus but for what rounds to zero."""
    size = f"{abs(value):.2f}".replace("0.", ".", 1)
    return f"−{size}" if value < 0 and size != ".00" else size


def _headings_on_top(ax: Axes) -> None:
    """Put the names of columns above them, without tick marks."""
    ax.tick_params(axis="x", bottom=False, top=False, labelbottom=False, labeltop=True)
    ax.set(xlabel="", ylabel="")
