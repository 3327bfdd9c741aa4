"""Figures of shares as bars."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import NEUTRAL, PALETTE, themed

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
