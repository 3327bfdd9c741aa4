"""Figures of values that depend on a number."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lib.plots import layout, marks
from lib.plots.style import DASHES, EDGE, INK, MARKERS, NEUTRAL, SERIES, SMALL, WIDTH, themed


@themed
def curves_by_panel(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    marked: float | Mapping[str, float] | None = None,
) -> Figure:
    """Panels of curves over one number on a logarithmic scale, each panel with its own legend.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title -> index of numbers above 0, a column a curve.
    x : str
        Label of the axes.
    marked : float or mapping of str to float, optional
        Where a dotted line stands; or several, each with its name beside it in the last panel.

    Examples
    --------
    >>> kept = pd.DataFrame({"aperture 2": [0.2, 0.9]}, [1.0, 2.0])
    >>> curves_by_panel({"share kept": kept}, x="direction").axes[0].get_title(loc="left")
    'share kept'
    """
    fig, axes = layout.panel_axes(panels, height=3, width=min(WIDTH, 3 * len(panels) + 2))
    for ax, curves in zip(axes, panels.values()):
        marks.lines(ax, curves, [INK] * len(curves.columns), markers=["o"] * len(curves.columns))
        places = marked if isinstance(marked, Mapping) else {"": marked} if marked else {}
        for place in places.values():
            ax.axvline(place, color=NEUTRAL, linewidth=1, linestyle=":", zorder=0)
        ax.axhline(0, color=EDGE, linewidth=0.8, zorder=0)
        if len(curves):
            ax.set_xscale("log")
        if len(curves) <= 8:
            ax.set_xticks(curves.index)
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_formatter("")
        ax.spines["left"].set_visible(True)
        if len(curves.columns) > 1:
            ax.legend()
    for name, place in places.items() if panels else ():
        _name_line(axes[-1], place, name)
    layout.measure_axis(axes, x)
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))


def _name_line(ax: Axes, place: float, name: str) -> None:
    look = {"rotation": 90, "ha": "right", "va": "bottom", "fontsize": SMALL, "color": INK}
    ax.text(place, 0.02, name, transform=ax.get_xaxis_transform(), **look)


@themed
def recovered_by(
    panels: Mapping[str, pd.DataFrame],
    *,
    x: str,
    y: str,
    level: float | None = None,
    logarithmic: bool = False,
) -> Figure:
    """Curves of a recovered value against a number, one a column, with one legend for all panels.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title -> index of numbers, a column a curve (one that starts with "random" is drawn grey
        and dashed).
    x, y : str
        Labels of the axes.
    level : float, optional
        Where a dotted line stands, such as what was planted.
    logarithmic : bool
        Whether the horizontal axis is.
    """
    width = min(WIDTH, 3.4 * len(panels) + 1.6)
    fig, axes = layout.panel_axes(panels, height=3.1, width=width, sharey=True)
    for ax, curves in zip(axes, panels.values()):
        random = [str(name).startswith("random") for name in curves]
        shades = [NEUTRAL if control else shade for control, shade in zip(random, SERIES)]
        dashes = [DASHES[control] for control in random]
        marks.lines(ax, curves, shades, dashes=dashes, markers=MARKERS[: len(random)])
        if level is not None:
            ax.axhline(level, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
        ax.axhline(0, color=INK, linewidth=0.8, zorder=0)
        if logarithmic:
            ax.set_xscale("log")
            ax.set_xticks(curves.index)
            ax.minorticks_off()
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_ylabel(y)
        ax.spines["left"].set_visible(ax is axes[0])
    layout.measure_axis(axes, x)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(panels, names=["panel"]))


@themed
def scores_by_number(
    bands: Mapping[str, pd.DataFrame], points: Mapping[str, pd.DataFrame], *, x: str, y: str
) -> Figure:
    """Panels of how a score grows with a number that has nothing to do with its subject.

    Parameters
    ----------
    bands : mapping of str to DataFrame
        Measure -> index of numbers, columns low, middle, high, geometry.
    points : mapping of str to DataFrame
        Measure -> columns x, y, label.
    x, y : str
        Labels of the axes.
    """
    names = {"middle": "random words, median", "geometry": "evenly scattered words"}
    fig, axes = layout.panel_axes(bands, height=1.9, width=3.3, columns=1, sharey=True)
    for ax, (measure, band) in zip(axes, bands.items()):
        marks.lines(ax, band[[*names]].rename(columns=names), [NEUTRAL, NEUTRAL])
        marks.grey_band(ax, band, "low", "high", "random words, central 95 %")
        marks.dots(ax, points[measure]["x"], points[measure]["y"], zorder=3)
        ax.set(xticks=band.index)
        ax.spines["left"].set_visible(True)
    layout.measure_axis(axes, x)
    axes[0].set_ylim(bottom=0)
    fig.supylabel(y, fontsize=10)
    layout.legend_above(fig)
    for ax, measure in zip(axes, bands):
        marks.name_points(ax, points[measure].set_index("label"))
    tables = {"null": pd.concat(bands), "run": pd.concat(points)}
    return layout.with_data(fig, pd.concat(tables))
