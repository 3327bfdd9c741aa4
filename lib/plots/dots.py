"""Figures of words, groups and texts as dots in rows, on their side of a contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.style import (
    BAND,
    FEMALE,
    INK,
    MALE,
    NEUTRAL,
    STYLE,
    label_poles,
    lean_colours,
    zero_line,
)


def scores_by_pair(
    scores: ArrayLike, words: Sequence[str], pairs: Sequence[Sequence[str]], *, measure: str
) -> Figure:
    """One line a word, one dot a base pair, coloured by direction; words ordered by their mean score.

    scores : (n, p), positive leans female; measure : name and unit for the axis. Returns the figure.
    """
    scores = np.asarray(scores)
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.42 * len(words) + 1.5))
        for y, row in enumerate(np.argsort(scores.mean(axis=1))):
            ordered = np.sort(scores[row])
            ax.plot(
                ordered[[0, -1]], [y, y], color=BAND, linewidth=5, solid_capstyle="round", zorder=1
            )
            ax.scatter(
                scores[row],
                np.full(scores.shape[1], y),
                c=lean_colours(scores[row]),
                s=34,
                zorder=2,
                alpha=0.85,
            )
            for column, side in ((scores[row].argmin(), "right"), (scores[row].argmax(), "left")):
                gap = -7 if side == "right" else 7
                ax.annotate(
                    "–".join(pairs[column]),
                    (scores[row, column], y),
                    (gap, 0),
                    ha=side,
                    va="center",
                    textcoords="offset points",
                    fontsize=8,
                    color=NEUTRAL,
                )
        ax.set_yticks(range(len(words)), [words[row] for row in np.argsort(scores.mean(axis=1))])
        zero_line(ax)
        ax.margins(x=0.3, y=0.06)
        label_poles(ax, measure)
    return fig


def word_across_pairs(
    scores: Mapping[str, ArrayLike],
    forms: Sequence[str],
    pairs: Sequence[Sequence[str]],
    bands: Mapping[str, tuple[float, float]],
) -> Figure:
    """Small multiples, one a measure: the scores of a word and its forms with every base pair.

    scores : measure -> (f, p); bands : measure -> mean and standard deviation over frequent words, drawn as a grey band.
    Returns the figure. As Zhang, Sneyd & Stevenson (2020), Figure 1.
    """
    markers = "os^D"
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(scores), figsize=(9, 0.33 * len(pairs) + 1.4), sharey=True)
        for ax, (measure, values) in zip(np.atleast_1d(axes), scores.items()):
            mean, deviation = bands[measure]
            ax.axvspan(mean - deviation, mean + deviation, color=BAND, zorder=0)
            for form, marker, row in zip(forms, markers, np.atleast_2d(values)):
                ax.scatter(
                    row,
                    range(len(pairs)),
                    c=lean_colours(row),
                    marker=marker,
                    s=36,
                    label=form,
                    alpha=0.85,
                )
            zero_line(ax)
            ax.set_title(measure)
            label_poles(ax, "")
        np.atleast_1d(axes)[0].set_yticks(range(len(pairs)), ["–".join(pair) for pair in pairs])
        np.atleast_1d(axes)[0].invert_yaxis()
        shapes = [
            Line2D([], [], color=INK, marker=m, linestyle="", label=f)
            for f, m in zip(forms, markers)
        ]
        fig.legend(
            handles=shapes, loc="lower center", ncols=len(forms), bbox_to_anchor=(0.5, -0.05)
        )
        fig.tight_layout()
    return fig


def dots_by_column(table: pd.DataFrame, *, label: str) -> Figure:
    """A row for every index label, a marker for every column, and a line at 0.

    table : numbers; label : of the axis. Returns the figure; rows keep their order, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.34 * len(table) + 1.3))
        for marker, column in zip("os^Dv", table):
            ax.scatter(
                table[column],
                range(len(table)),
                marker=marker,
                s=36,
                color=INK,
                alpha=0.75,
                label=column,
            )
        ax.hlines(
            range(len(table)),
            table.min(axis=1),
            table.max(axis=1),
            color=BAND,
            linewidth=4,
            zorder=0,
        )
        ax.set_yticks(range(len(table)), table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        fig.legend(
            loc="upper left", ncols=len(table.columns), fontsize=9, bbox_to_anchor=(0.02, 1.06)
        )
    return fig


def class_cosines(cosines: pd.DataFrame, band: tuple[float, float], *, label: str) -> Figure:
    """One line a word, one dot a class; the largest dot is named, for the score keeps that one and forgets the others.

    cosines : words as index, classes as columns; band : ends of the grey band, what a random direction gives; label : of
    the axis. Returns the figure, words ordered by their largest cosine.
    """
    ordered = cosines.loc[cosines.max(axis=1).sort_values().index]
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(ordered) + 1.3))
        ax.axvspan(*band, color=BAND, zorder=0)
        for y, (_, row) in enumerate(ordered.iterrows()):
            ax.scatter(
                row, np.full(len(row), y), s=26, facecolors="white", edgecolors=NEUTRAL, zorder=2
            )
            ax.scatter(row.max(), y, s=40, color=INK, zorder=3)
            ax.annotate(
                row.idxmax(),
                (row.max(), y),
                (8, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        ax.set_yticks(range(len(ordered)), ordered.index)
        zero_line(ax)
        ax.margins(x=0.18)
        ax.set_xlabel(label)
        handles = [
            Line2D([], [], color=INK, marker="o", linestyle="", label="largest: this is the score"),
            Line2D(
                [],
                [],
                color=NEUTRAL,
                marker="o",
                mfc="white",
                linestyle="",
                label="the other classes",
            ),
            Line2D([], [], color=BAND, linewidth=9, label="random direction, central 95 %"),
        ]
        fig.legend(
            handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0)
        )
    return fig


def target_associations(
    groups: Mapping[str, tuple[ArrayLike, ArrayLike]], *, lists: tuple[str, str]
) -> Figure:
    """Two lists of target words in several embeddings: one line an embedding, one mark a word, a tick at each mean.

    groups : name -> associations of the first and of the second list, in deviations of both together (so that the means lie
    d apart), in WEAT's order: positive leans male; lists : their names. Returns the figure, rows in the order given.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.5 * len(groups) + 1.5))
        for row, both in enumerate(groups.values()):
            for values, filled, shift in zip(both, (True, False), (-0.13, 0.13)):
                y = np.full(len(values), row + shift)
                ax.scatter(
                    values,
                    y,
                    s=30,
                    facecolors=INK if filled else "white",
                    edgecolors=INK,
                    linewidths=1,
                    zorder=2,
                )
                ax.vlines(
                    np.mean(values),
                    row + shift - 0.17,
                    row + shift + 0.17,
                    color=INK,
                    linewidth=2.4,
                    zorder=3,
                )
            means = [np.mean(values) for values in both]
            ax.hlines(
                row,
                *sorted(means),
                color=MALE if means[0] > means[1] else FEMALE,
                linewidth=3,
                alpha=0.6,
                zorder=1,
            )
        ax.set_yticks(range(len(groups)), groups)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(
            "← female-leaning   association of the word, in standard deviations   male-leaning →"
        )
        marks = [
            Line2D(
                [],
                [],
                color=INK,
                marker="o",
                mfc=INK if filled else "white",
                linestyle="",
                label=name,
            )
            for name, filled in zip(lists, (True, False))
        ]
        fig.legend(handles=marks, loc="upper left", ncols=2, fontsize=9, bbox_to_anchor=(0.1, 0.96))
    return fig


def text_to_vectors(table: pd.DataFrame, *, label: str) -> Figure:
    """A line a word from what its text says (open) to what its vectors say (filled, coloured by side).

    table : index of words, columns text, vectors, and low and high (the range of the vectors over trainings); positive leans
    female. Returns the figure, rows in the order given, first on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(table) + 1.3))
        rows = np.arange(len(table))
        ax.hlines(rows, table["low"], table["high"], color=BAND, linewidth=9, zorder=0)
        ax.hlines(rows, table["text"], table["vectors"], color=NEUTRAL, linewidth=1.2, zorder=1)
        ax.scatter(table["text"], rows, s=40, facecolors="white", edgecolors=INK, zorder=3)
        ax.scatter(table["vectors"], rows, s=44, c=lean_colours(table["vectors"]), zorder=3)
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        zero_line(ax)
        label_poles(ax, label)
        handles = [
            Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label="in the text"),
            Line2D([], [], color=INK, marker="o", linestyle="", label="in the vectors"),
            Line2D([], [], color=BAND, linewidth=9, label="range over trainings"),
        ]
        fig.legend(
            handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0)
        )
    return fig


def share_dots(shares: pd.DataFrame, *, label: str, missing: str = "not in vocabulary") -> Figure:
    """Shares from 0 to 1 as dots, a panel a column, a line at one half: how often a verdict falls one way.

    shares : rows of labels, a column a panel, NaN where nothing could be tried, which is written there as
    `missing`. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, shares.shape[1], figsize=(9, 0.33 * len(shares) + 1.5), sharey=True
        )
        for ax, (title, values) in zip(np.atleast_1d(axes), shares.items()):
            ax.hlines(range(len(shares)), 0, 1, color=BAND, linewidth=5, zorder=0)
            ax.scatter(values, range(len(shares)), c=lean_colours(values - 0.5), s=40)
            for y, value in enumerate(values):
                text, x = (missing, 0.5) if np.isnan(value) else (f"{value:.0%}", value)
                ax.annotate(
                    text,
                    (x, y),
                    (0, 7),
                    textcoords="offset points",
                    fontsize=8,
                    ha="center",
                    color=NEUTRAL,
                )
            ax.axvline(0.5, color=INK, linewidth=0.8, zorder=0)
            ax.set_xlim(-0.05, 1.05)
            ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
            ax.set_title(title)
            ax.set_xlabel(label)
        np.atleast_1d(axes)[0].set_yticks(range(len(shares)), shares.index)
        np.atleast_1d(axes)[0].invert_yaxis()
        np.atleast_1d(axes)[0].set_ylim(len(shares) - 0.5, -0.7)
        fig.tight_layout()
    return fig


def odds_moved_by(table: pd.DataFrame, *, label: str) -> Figure:
    """A line a word, from the log odds of two targets with the word hidden (open) to those with it shown (filled).

    table : index of words, columns hidden and shown, in nats, positive for the male target (as Kurita et al. print it);
    label : of the axis. Filled marks are coloured by the side they move to. Returns the figure, rows in the order given.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(table) + 1.3))
        rows = np.arange(len(table))
        ax.hlines(rows, table["hidden"], table["shown"], color=NEUTRAL, linewidth=1.2, zorder=1)
        ax.scatter(table["hidden"], rows, s=40, facecolors="white", edgecolors=INK, zorder=2)
        ax.scatter(
            table["shown"], rows, s=44, c=lean_colours(table["hidden"] - table["shown"]), zorder=3
        )
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        handles = [
            Line2D(
                [],
                [],
                color=INK,
                marker="o",
                mfc="white",
                linestyle="",
                label="word hidden: the prior",
            ),
            Line2D(
                [],
                [],
                color=MALE,
                marker="o",
                linestyle="",
                label="shown: moves to the male target",
            ),
            Line2D(
                [],
                [],
                color=FEMALE,
                marker="o",
                linestyle="",
                label="shown: moves to the female target",
            ),
        ]
        fig.legend(
            handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 0.9)
        )
    return fig


def strips(
    panels: Mapping[str, Mapping[str, pd.Series]], *, labels: Mapping[str, str], named: int = 1
) -> Figure:
    """Panels one above the other, each with rows of dots on one axis, a tick at each mean, the outermost dots named.

    panels : title -> row -> numbers indexed by name; labels : title -> label of its axis, naming the poles; named : dots
    named at either end of a row. Returns the figure, panels and rows in the order given.
    """
    heights = [0.45 * len(rows) + 0.75 for rows in panels.values()]
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            len(panels), 1, figsize=(7.6, sum(heights) + 0.3), height_ratios=heights, squeeze=False
        )
        for ax, (title, rows) in zip(axes[:, 0], panels.items()):
            for y, values in enumerate(rows.values()):
                ordered = values.sort_values()
                ax.plot(
                    ordered.iloc[[0, -1]],
                    [y, y],
                    color=BAND,
                    linewidth=5,
                    solid_capstyle="round",
                    zorder=0,
                )
                ax.scatter(
                    ordered,
                    np.full(len(ordered), y),
                    color=INK,
                    s=18,
                    alpha=0.45,
                    linewidths=0,
                    zorder=2,
                )
                ax.vlines(ordered.mean(), y - 0.22, y + 0.22, color=INK, linewidth=2.4, zorder=3)
                for part, side in ((ordered.head(named), "right"), (ordered.tail(named), "left")):
                    place = ordered.iloc[0] if side == "right" else ordered.iloc[-1]
                    ax.annotate(
                        ", ".join(map(str, part.index)),
                        (place, y),
                        (-6 if side == "right" else 6, 0),
                        ha=side,
                        va="center",
                        textcoords="offset points",
                        fontsize=8,
                        color=NEUTRAL,
                    )
            ax.set_yticks(range(len(rows)), rows)
            ax.set_ylim(len(rows) - 0.5, -0.5)
            zero_line(ax)
            ax.margins(x=0.16 + 0.1 * named)
            ax.set_title(title)
            ax.set_xlabel(labels[title], fontsize=9)
        fig.tight_layout()
    return fig


def biases_by_culture(means: pd.DataFrame, *, label: str) -> Figure:
    """A panel for each theme, a dot for each culture, in the order of the first theme's bias.

    means : cultures x themes, NaN where a culture has none; label : of the axes, naming the poles. Returns the figure.
    """
    ordered = means.sort_values(means.columns[0], ascending=False)
    with plt.rc_context(STYLE):
        size = (1.7 * len(ordered.columns) + 1.2, 0.17 * len(ordered) + 1.4)
        fig, axes = plt.subplots(
            1, len(ordered.columns), figsize=size, sharex=True, sharey=True, squeeze=False
        )
        for ax, theme in zip(axes[0], ordered):
            ax.scatter(
                ordered[theme], range(len(ordered)), s=16, c=lean_colours(ordered[theme].fillna(0))
            )
            zero_line(ax)
            ax.set_title(theme, fontsize=9)
        axes[0, 0].set_yticks(range(len(ordered)), ordered.index, fontsize=8)
        axes[0, 0].set_ylim(len(ordered) - 0.5, -0.5)
        axes[0, len(ordered.columns) // 2].set_xlabel(label)
        fig.tight_layout()
    return fig
