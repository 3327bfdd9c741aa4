"""Figures of shares and distributions as bars."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import INK, NEUTRAL, PALETTE, SOLID, themed

SEGMENTS = {  # from left to right: female stands right, as in all figures
    "male": (PALETTE["male"], "masculine"),
    "unread": ("white", "no pronoun found"),
    "neutral": ("#c9c9c9", "neither"),
    "female": (PALETTE["female"], "feminine"),
}


@themed
def shares_by_set(
    panels: Mapping[str, pd.DataFrame], names: Mapping[str, str] | None = None
) -> Figure:
    """How the outputs of each set divide, as one bar a set, with its score behind it.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        System -> index of sets, columns female, neutral, unread (where there is any) and male,
        which add up to 1, and score (NaN where there is none). Rows keep the order of the first
        panel.
    names : mapping of str to str, optional
        Column -> its words in the legend, where they are others.

    Examples
    --------
    >>> shares = pd.DataFrame({"female": [0.2], "neutral": [0.1], "male": [0.7], "score": [0.4]}, ["formal"])
    >>> [text.get_text() for text in shares_by_set({"opus": shares}).axes[0].texts]
    ['.40']
    """
    names = {name: words for name, (_, words) in SEGMENTS.items()} | dict(names or {})
    segments = [name for name in SEGMENTS if all(name in table for table in panels.values())]
    look = {"color": [SEGMENTS[name][0] for name in segments], "edgecolor": NEUTRAL}
    sets = next(iter(panels.values())).index
    fig, axes = layout.row_axes(sets, panels)
    for ax, table in zip(axes, panels.values()):
        shares = table.loc[sets, segments].rename(columns=names)
        shares.plot.barh(stacked=True, width=0.62, linewidth=0.7, legend=False, ax=ax, **look)
        for row, score in enumerate(table.loc[sets, "score"]):
            if not np.isnan(score):
                marks.note(ax, f"{score:.2f}".replace("0.", ".", 1), 1, row, right=5)
        ax.set(xlim=(0, 1), xlabel="share of the outputs")
        ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    layout.rows_axis(axes[0], list(sets))
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["system", "set"]))


@themed
def null_with_marks(
    null: ArrayLike,
    marks_by_row: Mapping[str, ArrayLike],
    *,
    label: str,
    limit: float,
    of_null: str,
) -> Figure:
    """What a procedure gives in noise as a histogram, and above it rows of published values.

    Parameters
    ----------
    null : array_like, shape (s,)
        Values in noise.
    marks_by_row : mapping of str to array_like
        Name -> published values, a row each, the first on top.
    label : str
        Of the axis.
    limit : float
        The null's 95 % point, where a dashed line stands.
    of_null : str
        What the histogram is, for the legend.
    """
    fig, (rows, bars) = layout.panel_axes(["", ""], height=2.2, columns=1, sharex=True)
    for row, values in enumerate(marks_by_row.values()):
        marks.printed_values(rows, values, [row] * len(values))
    layout.rows_axis(rows, list(marks_by_row))
    rows.tick_params(bottom=False, labelbottom=False)
    rows.spines["bottom"].set_visible(False)
    sns.histplot(
        x=null, bins=40, color=NEUTRAL, edgecolor="white", alpha=SOLID, label=of_null, ax=bars
    )
    for ax in (rows, bars):
        ax.axvline(limit, color=INK, linestyle="--", linewidth=1.2, zorder=1)
    bars.set(xlabel=label, ylabel="", yticks=[], xlim=(0, None))
    words = "19 of 20 noise results\nlie left of this line"
    marks.note(bars, words, limit, bars.get_ylim()[1], right=6, up=-4)
    layout.legend_above(fig)
    values = {name: pd.Series(values) for name, values in [*marks_by_row.items(), (of_null, null)]}
    return layout.with_data(fig, pd.concat(values, names=["row"]).rename("value").reset_index(0))
