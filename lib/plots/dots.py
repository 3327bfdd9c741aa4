"""Figures of words, groups and texts as dots in rows, on their side of a contrast."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lib.plots import layout, marks
from lib.plots.style import INK, MARKERS, NEUTRAL, PALETTE, SMALL, SOLID, lean, themed


@themed
def scores_by_pair(
    scores: ArrayLike, words: Sequence[str], pairs: Sequence[Sequence[str]], *, measure: str
) -> Figure:
    """One row a word, one dot a base pair, coloured by direction; the pairs at the ends are named.

    Parameters
    ----------
    scores : array_like, shape (n, p)
        Positive leans female.
    words : sequence of str, length n
        Rows are ordered by mean score, the most female on top.
    pairs : sequence of pairs of str, length p
        The base pairs, female word first.
    measure : str
        Name of the measure, and its unit if it has one.

    Examples
    --------
    >>> fig = scores_by_pair([[0.2, -0.1]], ["nurse"], [("she", "he"), ("her", "his")], measure="RIPA")
    >>> [text.get_text() for text in fig.axes[0].texts]
    ['her–his', 'she–he', '← male-leaning', 'female-leaning →']
    """
    scores = np.asarray(scores)
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    names = ["–".join(pair) for pair in pairs]
    rows = {words[row]: pd.Series(scores[row], names) for row in order}
    fig, (ax,) = layout.row_axes(rows, step=0.4)
    table = _strip(ax, rows, named=1)
    marks.dots(ax, table["value"], table["row"], scores=table["value"], alpha=0.85)
    layout.rows_axis(ax, list(rows))
    layout.measure_axis([ax], f"← male-leaning   {measure}   female-leaning →")
    return layout.with_data(fig, table.set_axis(["word", "base pair", "score"], axis=1))


@themed
def strips(
    panels: Mapping[str, Mapping[str, pd.Series]],
    *,
    labels: Mapping[str, str],
    named: int = 1,
    reverse: Collection[str] = (),
) -> Figure:
    """Panels one above the other, each with rows of dots on one axis and a tick at each mean.

    Parameters
    ----------
    panels : mapping of str to mapping of str to Series
        Title -> row -> numbers indexed by name.
    labels : mapping of str to str
        Title -> label of its axis, naming the poles.
    named : int
        How many dots are named at either end of a row.
    reverse : collection of str
        Titles of the panels whose positive numbers lean male: their axis runs from right to left,
        so that female stands right.
    """
    height = 0.4 * max(map(len, panels.values())) + 1
    fig, axes = layout.panel_axes(panels, height=height, columns=1)
    tables = {}
    for ax, (title, rows) in zip(axes, panels.items()):
        if title in reverse:
            ax.invert_xaxis()
        tables[title] = _strip(ax, rows, named)
        look = {"data": tables[title], "x": "value", "y": "row", "color": INK, "ax": ax}
        sns.stripplot(**look, jitter=False, size=4.5, alpha=0.6)
        _mean_ticks(**look)
        layout.rows_axis(ax, list(rows))
        layout.measure_axis([ax], labels[title])
    return layout.with_data(fig, pd.concat(tables, names=["panel"]).reset_index("panel"))


def _strip(ax: Axes, rows: Mapping[str, pd.Series], named: int) -> pd.DataFrame:
    """Draw the range of each row and name the dots at its ends; the rows as a tidy table."""
    for y, values in enumerate(rows.values()):
        ordered = values.dropna().sort_values()
        if len(ordered):
            low, high = ordered.iloc[0], ordered.iloc[-1]
            marks.grey_bars(ax, low, high, y)
            away = -7 if ax.xaxis_inverted() else 7
            for ends, x, gap in ((ordered[:named], low, -away), (ordered[-named:], high, away)):
                marks.note(ax, ", ".join(map(str, ends.index)), x, y, right=gap, color=NEUTRAL)
    layout.zero_line(ax)
    names = (", ".join(map(str, s.sort_values().index[:named])) for s in rows.values())
    share = min(0.08 + max(map(len, names), default=0) / 70, 0.36)  # of the width, at either end
    ax.margins(x=share / (1 - 2 * share))
    numbers = [(row, name, value) for row, s in rows.items() for name, value in s.items()]
    return pd.DataFrame(numbers, columns=["row", "name", "value"])


def _mean_ticks(**look: Any) -> None:
    """Draw a thick tick at the mean of each row."""
    sns.pointplot(
        **look, errorbar=None, linestyle="none", marker="|", markersize=14, markeredgewidth=2.4
    )


@themed
def word_across_pairs(
    scores: Mapping[str, ArrayLike],
    forms: Sequence[str],
    pairs: Sequence[Sequence[str]],
    bands: Mapping[str, tuple[float, float]],
) -> Figure:
    """A panel for each measure: the scores of a word and its forms with every base pair.

    As Zhang, Sneyd & Stevenson (2020), Figure 1.

    Parameters
    ----------
    scores : mapping of str to array_like, shape (f, p)
        Measure -> scores, positive leans female.
    forms : sequence of str, length f
        The word and its forms, a marker each.
    pairs : sequence of pairs of str, length p
        The base pairs, a row each.
    bands : mapping of str to (float, float)
        Measure -> mean and standard deviation over frequent words, drawn as a grey band.
    """
    labels = ["–".join(pair) for pair in pairs]
    fig, axes = layout.row_axes(labels, scores)
    tables = {}
    for ax, (measure, values) in zip(axes, scores.items()):
        mean, deviation = bands[measure]
        marks.band_across(ax, mean - deviation, mean + deviation)
        tables[measure] = pd.DataFrame(np.atleast_2d(values), forms, labels).T
        for marker, (_, row) in zip(MARKERS, tables[measure].items()):
            marks.dots(ax, row, range(len(pairs)), scores=row, marker=marker, alpha=0.85)
        layout.zero_line(ax)
    layout.measure_axis(axes, "← male   female →")
    for form, marker in zip(forms, MARKERS):
        marks.key(axes[0], form, marker=marker)
    layout.legend_above(fig)
    return layout.with_data(fig, pd.concat(tables, names=["measure", "base pair"]))


@themed
def dots_by_column(table: pd.DataFrame, *, label: str) -> Figure:
    """A row for every index label, a marker for every column, and a line at 0.

    Parameters
    ----------
    table : DataFrame
        Numbers; rows keep their order, first row on top.
    label : str
        Of the axis.
    """
    rows = range(len(table))
    fig, (ax,) = layout.row_axes(table.index)
    marks.grey_bars(ax, table.min(axis=1), table.max(axis=1), rows)
    for marker, (name, values) in zip(MARKERS, table.items()):
        marks.dots(ax, values, rows, marker=marker, alpha=0.75, label=name)
    layout.zero_line(ax)
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def target_associations(
    groups: Mapping[str, tuple[ArrayLike, ArrayLike]], *, lists: tuple[str, str]
) -> Figure:
    """Two lists of target words in several embeddings: one mark a word, a tick at each mean.

    Parameters
    ----------
    groups : mapping of str to (array_like, array_like)
        Embedding -> associations of the first and of the second list, in deviations of both
        together (so that the means lie d apart), in WEAT's order: positive leans male. They are
        drawn, and kept as data, with female positive and on the right.
    lists : (str, str)
        Names of the lists, the first drawn filled.
    """
    columns = ["row", "list", "association"]
    table = pd.DataFrame(
        [
            (name, title, -value)
            for name, both in groups.items()
            for title, values in zip(lists, both)
            for value in values
        ],
        columns=columns,
    )
    fig, (ax,) = layout.row_axes(groups, step=0.5)
    look = {"data": table, "x": "association", "y": "row", "hue": "list", "legend": False, "ax": ax}
    if len(table):
        faces = dict(zip(lists, (INK, "white")))
        edges = {"edgecolor": INK, "linewidth": 1, "size": 5.5}
        sns.stripplot(**look, **edges, palette=faces, hue_order=lists, dodge=True, jitter=False)
        _mean_ticks(**look, palette=dict.fromkeys(lists, INK), hue_order=lists, dodge=0.4)
    means = table.groupby(columns[:2])["association"].mean()
    first, second = ([means.get((name, title)) for name in groups] for title in lists)
    first, second = np.array([first, second], dtype=float)
    sides = [PALETTE[side] for side in lean(first - second)]
    ax.hlines(range(len(groups)), first, second, colors=sides, linewidth=3, alpha=SOLID, zorder=1)
    layout.rows_axis(ax, list(groups))
    layout.zero_line(ax)
    measure = "association, in standard deviations"
    layout.measure_axis([ax], f"← male-leaning   {measure}   female-leaning →")
    for title, fill in zip(lists, (INK, "white")):
        marks.key(ax, title, mfc=fill)
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def text_to_vectors(table: pd.DataFrame, *, label: str) -> Figure:
    """A row a word, from what its text says (open) to what its vectors say (filled).

    Parameters
    ----------
    table : DataFrame
        Index of words, columns text, vectors, and low and high (the range of the vectors over
        trainings); positive leans female. Rows keep their order.
    label : str
        Name of the measure.
    """
    fig, (ax,) = layout.row_axes(table.index)
    marks.key(ax, "in the text", mfc="white")
    marks.key(ax, "in the vectors")
    _moves(ax, table["text"], table["vectors"], table["vectors"])
    rows = range(len(table))
    marks.grey_bars(ax, table["low"], table["high"], rows, width=9, label="range over trainings")
    layout.measure_axis([ax], f"← male-leaning   {label}   female-leaning →")
    layout.legend_above(fig)
    return layout.with_data(fig, table)


@themed
def odds_moved_by(table: pd.DataFrame, *, label: str) -> Figure:
    """A row a word: the log odds of two targets with the word hidden (open) and shown (filled).

    Parameters
    ----------
    table : DataFrame
        Index of words, columns hidden and shown, in nats, positive for the male target, as Kurita
        et al. (2019) print it. The axis runs from right to left, so that female stands right.
        Filled marks are coloured by the side they move to.
    label : str
        Of the axis, naming both poles.
    """
    fig, (ax,) = layout.row_axes(table.index)
    marks.key(ax, "word hidden: the prior", mfc="white")
    for side in ("male", "female"):
        marks.key(ax, f"shown: moves to the {side} target", color=PALETTE[side])
    _moves(ax, table["hidden"], table["shown"], table["hidden"] - table["shown"])
    ax.invert_xaxis()
    layout.measure_axis([ax], label)
    layout.legend_above(fig)
    return layout.with_data(fig, table)


def _moves(ax: Axes, start: pd.Series, end: pd.Series, scores: pd.Series) -> None:
    """Draw a line in each row from an open mark to a filled one, coloured by the sign of scores."""
    rows = range(len(start))
    ax.hlines(rows, start, end, color=NEUTRAL, linewidth=1.2, zorder=1)
    marks.dots(ax, start, rows, filled=False)
    marks.dots(ax, end, rows, scores=scores)
    layout.zero_line(ax)


@themed
def share_dots(shares: pd.DataFrame, *, label: str, missing: str = "not in vocabulary") -> Figure:
    """Shares from 0 to 1 as dots around one half: how often a verdict falls on the female side.

    Parameters
    ----------
    shares : DataFrame
        Rows x panels, NaN where nothing could be tried.
    label : str
        Of the axes.
    missing : str
        What stands in place of a NaN.
    """
    rows = range(len(shares))
    fig, axes = layout.row_axes(shares.index, shares)
    for ax, (_, values) in zip(axes, shares.items()):
        marks.grey_bars(ax, np.zeros(len(shares)), np.ones(len(shares)), rows)
        marks.dots(ax, values, rows, scores=values - 0.5)
        for y, value in enumerate(values):
            text, x = (missing, 0.5) if np.isnan(value) else (f"{value:.0%}", value)
            marks.note(ax, text, x, y, up=5, color=NEUTRAL)
        layout.zero_line(ax, at=0.5)
        ax.set(xlim=(-0.05, 1.05), xlabel=label)
        ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    axes[0].set_ylim(top=-0.75)
    return layout.with_data(fig, shares)


@themed
def biases_by_culture(
    means: pd.DataFrame,
    *,
    label: str,
    ends: pd.DataFrame | None = None,
    words: Mapping[str, int] | None = None,
    warning: str = "",
) -> Figure:
    """A panel for each theme, a dot for each culture, in the order of the first theme's bias.

    Parameters
    ----------
    means : DataFrame
        Cultures x themes, NaN where a culture has none; positive leans female.
    label : str
        Of the axes, naming the poles.
    ends : DataFrame, optional
        By culture and theme: low and high of an interval, random low and random high of the grey
        band that random words lie in. A dot inside its band is open.
    words : mapping of str to int, optional
        How much text a culture has.
    warning : str
        What stands above the panels, beside the key of the marks, for those who see the figure alone.
    """
    means = means.sort_values(means.columns[0], ascending=False)
    names = [f"{code}, {words[code]:,} words" if words else str(code) for code in means.index]
    fig, axes = layout.row_axes(names, means, step=0.18, columns=4, sharex=True)
    rows, table = np.arange(len(means)), {}
    for ax, (theme, values) in zip(axes, means.items()):
        shown = pd.DataFrame({"bias": values})
        inside = np.zeros(len(means), bool)
        if ends is not None:
            shown = shown.join(ends.xs(theme, level="theme"))
            inside = values.between(shown["random low"], shown["random high"]).to_numpy()
            marks.grey_bars(
                ax, shown["random low"], shown["random high"], rows, label="random words"
            )
            marks.intervals(ax, shown, rows)
        marks.dots(ax, values[~inside], rows[~inside], scores=values[~inside], s=18)
        marks.dots(ax, values[inside], rows[inside], filled=False, s=18)
        layout.zero_line(ax)
        table[theme] = shown
    layout.measure_axis(axes, label)
    if ends is not None:
        marks.key(axes[0], "beyond random words")
        marks.key(axes[0], "among random words", mfc="white")
        layout.legend_above(fig)
        fig.legends[0].set_title(textwrap.fill(warning, 95), {"size": SMALL})
        fig.legends[0].set_alignment("left")
    return layout.with_data(fig, means if ends is None else pd.concat(table, names=["theme"]))
