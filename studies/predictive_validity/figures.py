"""Panels of points: a score across, a gap upward."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import EDGE, MARKERS, SERIES, SOLID, themed


@themed
def score_and_gap(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    y: str,
    sharex: bool = True,
    height: float = 2.6,
) -> Figure:
    """Points of a score and a gap (columns x, y, and if wanted group and open), a panel for each design, a mark for each group; open
    points are those with a copied score."""
    fig, axes = layout.panel_axes(panels, height=height, sharex=sharex, sharey=True)
    named: set[str] = set()
    for ax, points in zip(axes, panels.values()):
        ax.axhline(0, color=EDGE, linewidth=0.8, zorder=0)
        ax.axvline(0, color=EDGE, linewidth=0.8, zorder=0)
        filled = points.assign(
            group=points.get("group", ""), open=points.get("open", pd.Series(False, points.index))
        )
        kinds = filled.groupby("group", sort=False)
        for (group, part), marker, shade in zip(kinds, MARKERS, SERIES):
            look = {"marker": marker, "s": 26, "alpha": SOLID}
            solid = part[~part["open"].astype(bool)]
            label = {} if not group or group in named else {"label": group}
            named.add(str(group))
            marks.dots(ax, solid["x"], solid["y"], color=shade, **look, **label)
            hollow = part[part["open"].astype(bool)]
            marks.dots(ax, hollow["x"], hollow["y"], filled=False, **look)
        ax.spines["left"].set_visible(ax is axes[0])
    layout.measure_axis(axes, x)
    axes[0].set_ylabel(y)
    if named - {""}:
        layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))
