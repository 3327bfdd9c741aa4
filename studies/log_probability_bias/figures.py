"""The picture of the log probability bias: from the prior to the odds with the word shown."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import PALETTE, themed


@themed
def odds_moved_by(table: pd.DataFrame, *, label: str) -> Figure:
    """A row a word: the log odds of two targets in nats, male first as printed, with the word hidden (open) and shown (filled)."""
    fig, (ax,) = layout.row_axes(table.index)
    marks.key(ax, "word hidden: the prior", mfc="white")
    for side in ("male", "female"):
        marks.key(ax, f"shown: moves to the {side} target", color=PALETTE[side])
    marks.moves(ax, table["hidden"], table["shown"], table["hidden"] - table["shown"])
    layout.zero_line(ax)
    ax.invert_xaxis()  # so that female stands right
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)
