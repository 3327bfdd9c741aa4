"""The picture of several scores of the same words: where each puts each word."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import MARKERS, themed


@themed
def places_by_score(table: pd.DataFrame, *, label: str, kinds: Mapping[str, str]) -> Figure:
    """A row a word, a mark for each score, a column, at the place that it gives the word; one form of mark a kind of score."""
    fig, (ax,) = layout.row_axes(table.index, step=0.36)
    rows = range(len(table))
    marks.grey_bars(ax, table.min(axis=1), table.max(axis=1), rows)
    for marker, kind in zip(MARKERS, dict.fromkeys(kinds.values())):
        marks.key(ax, kind, marker=marker)
        for name in (name for name in table if kinds[str(name)] == kind):
            marks.dots(ax, table[name], rows, marker=marker, alpha=0.7, s=46)
    layout.zero_line(ax)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)
