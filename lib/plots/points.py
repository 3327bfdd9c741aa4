"""Figures of points on two axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.style import BAND, FEMALE, INK, MALE, MARKERS, NEUTRAL, SHADES, STYLE, lean_colours


def scatter(
    x_values: ArrayLike,
    y_values: ArrayLike,
    names: Sequence[str],
    *,
    x: str,
    y: str,
    labelled: int = 12,
) -> Figure:
    """A cloud of named points with both zero lines, the outermost points labelled.

    x_values, y_values : (n,); names : of the points; x, y : axis labels, naming the poles; labelled : how many points
    carry their name. Returns the figure.
    """
    points = np.column_stack([x_values, y_values])
    reach = np.linalg.norm((points - points.mean(axis=0)) / points.std(axis=0), axis=1)
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(6.4, 4.4))
        ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
        ax.axvline(0, color=BAND, linewidth=0.8, zorder=0)
        ax.scatter(*points.T, color=INK, s=16, alpha=0.6, linewidths=0)
        for row in np.argsort(-reach)[:labelled]:
            ax.annotate(
                names[row], points[row], (4, 3), textcoords="offset points", fontsize=8, color=INK
            )
        ax.spines["left"].set_visible(True)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
    return fig


def text_against_vectors(
    groups: Mapping[str, pd.DataFrame], *, x: str, y: str, labelled: int = 4
) -> Figure:
    """Small multiples, one a group of words: vectors against text, the diagonal dashed, the outermost words named.

    groups : name -> index of words, columns x and y; x, y : axis labels. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(groups), figsize=(2.7 * len(groups), 3.1), sharex=True, sharey=True
        )
        for ax, (name, points) in zip(np.atleast_1d(axes), groups.items()):
            ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.axvline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.axline((0, 0), slope=1, color=NEUTRAL, linestyle="--", linewidth=0.8, zorder=0)
            ax.scatter(
                points["x"], points["y"], c=lean_colours(points["y"]), s=12, alpha=0.6, linewidths=0
            )
            for word in (points["x"] ** 2 + points["y"] ** 2).nlargest(labelled).index:
                ax.annotate(word, points.loc[word], (3, 2), textcoords="offset points", fontsize=7)
            ax.set_title(name)
            ax.set_xlabel(x)
        np.atleast_1d(axes)[0].set_ylabel(y)
        fig.tight_layout()
    return fig


def agreement_against_cosine(
    cosines: ArrayLike, kappas: ArrayLike, predicted: tuple[ArrayLike, ArrayLike]
) -> Figure:
    """Agreement of two base pairs against the cosine of their difference vectors, with the curve geometry alone predicts.

    cosines, kappas : (q,) one value for every two base pairs; predicted : x and y of the curve. Returns the figure.
    As Zhang, Sneyd & Stevenson (2020), Figure 2, without the pairs compared with themselves.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(5.6, 4))
        ax.plot(*predicted, color=NEUTRAL, linewidth=1.5)
        ax.annotate(
            "geometry alone",
            (predicted[0][-1], predicted[1][-1]),
            (4, -4),
            textcoords="offset points",
            color=NEUTRAL,
            va="top",
            ha="right",
            rotation=0,
        )
        ax.scatter(cosines, kappas, color=INK, s=26, alpha=0.8)
        ax.set_xlabel("cosine of the two difference vectors")
        ax.set_ylabel("agreement in direction (Cohen's kappa)")
    return fig


def leaning_points(
    panels: Mapping[str, pd.DataFrame], *, x: str, y: str, named: Sequence[str] = ()
) -> Figure:
    """Small multiples of points coloured by a score: purple female-leaning, green male-leaning.

    panels : title -> index of words, columns x, y, score; x, y : axis labels; named : words that carry their name.
    Returns the figure; the axes are not shared.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(4.5 * len(panels), 4), squeeze=False)
        for ax, (title, points) in zip(axes[0], panels.items()):
            ax.scatter(
                points["x"],
                points["y"],
                c=lean_colours(points["score"]),
                s=15,
                alpha=0.6,
                linewidths=0,
            )
            spots = points.loc[points.index.isin(named), ["x", "y"]]
            for word, spot in spots.iterrows():
                apart = ((spots.drop(word) - spot) / points[["x", "y"]].std()).pow(2).sum(axis=1)
                above = (
                    apart.empty or spot["y"] >= spots.loc[apart.idxmin(), "y"]
                )  # away from the nearest other name
                ax.scatter(*spot, s=24, facecolors="none", edgecolors=INK, linewidths=0.9)
                ax.annotate(
                    word, spot, (4, 4 if above else -10), textcoords="offset points", fontsize=8
                )
            ax.spines["left"].set_visible(True)
            ax.set_title(title)
            ax.set_xlabel(x)
        axes[0, 0].set_ylabel(y)
        handles = [
            Line2D([], [], color=colour, marker="o", linestyle="", label=side)
            for colour, side in ((FEMALE, "leans female"), (MALE, "leans male"))
        ]
        fig.legend(
            handles=handles, loc="lower left", ncols=2, fontsize=9, bbox_to_anchor=(0.06, 0.98)
        )
        fig.tight_layout()
    return fig


def token_clouds(
    panels: Mapping[str, pd.DataFrame], looks: Mapping[str, tuple[str, bool]], *, x: str, y: str
) -> Figure:
    """Small multiples, three a row, of tokens on two components, the name of each word above its cloud.

    panels : title -> columns x, y, word; looks : word -> its pole ("female", "male" or "") and whether its marks are filled;
    x, y : axis labels. Returns the figure; each panel has its own scale, the same for both of its axes.
    """
    colours = {"female": FEMALE, "male": MALE, "": INK}
    with plt.rc_context(STYLE):
        rows, columns = -(-len(panels) // 3), min(3, len(panels))
        fig, axes = plt.subplots(
            rows, columns, figsize=(2.9 * columns + 0.4, 3 * rows + 0.3), squeeze=False
        )
        for ax in axes.ravel()[len(panels) :]:
            ax.set_axis_off()
        for ax, (title, points) in zip(axes.ravel(), panels.items()):
            for word, cloud in points.groupby("word", sort=False):
                pole, filled = looks[word]
                ax.scatter(
                    cloud["x"],
                    cloud["y"],
                    s=13,
                    facecolors=colours[pole] if filled else "none",
                    edgecolors=colours[pole],
                    linewidths=0.7,
                    alpha=0.55,
                )
                ax.annotate(
                    word,
                    (cloud["x"].mean(), cloud["y"].max()),
                    (0, 4),
                    textcoords="offset points",
                    ha="center",
                    color=colours[pole],
                    fontweight="bold",
                )
            ax.set_title(title, fontsize=10)
            ax.set_xlabel(x)
            ax.set_xticks([])
            ax.set_yticks([])
            ax.margins(0.15)
            ax.set_aspect("equal", adjustable="datalim")
            ax.spines["left"].set_visible(True)
        for ax in axes[:, 0]:
            ax.set_ylabel(y)
        fig.tight_layout()
    return fig


def places_with_line(
    table: pd.DataFrame, line: pd.DataFrame, *, x: str, y: str, named: int = 60
) -> Figure:
    """One mark a place with its code, a marker for each group, and a line with its interval as a band.

    table : index of codes, columns x, y and group ("" for one group); line : index of x, columns line, low, high;
    x, y : axis labels; named : how many of the outermost places carry their code. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 4.8))
        ax.fill_between(line.index, line["low"], line["high"], color=BAND, zorder=0)
        ax.plot(line.index, line["line"], color=NEUTRAL, linewidth=1.4, zorder=1)
        for (group, rows), marker, shade in zip(table.groupby("group"), MARKERS, SHADES):
            ax.scatter(
                rows["x"],
                rows["y"],
                s=26,
                marker=marker,
                color=shade,
                zorder=2,
                label=group or None,
                alpha=0.85,
            )
        spread = (
            ((table[["x", "y"]] - table[["x", "y"]].mean()) / table[["x", "y"]].std())
            .pow(2)
            .sum(axis=1)
        )
        for code in spread.nlargest(named).index:
            ax.annotate(
                code,
                tuple(table.loc[code, ["x", "y"]]),
                (4, 3),
                textcoords="offset points",
                fontsize=7,
                color=INK,
            )
        ax.spines["left"].set_visible(True)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        if table["group"].nunique() > 1:
            fig.legend(
                loc="lower left",
                ncols=4,
                fontsize=8,
                bbox_to_anchor=(0.05, 0.97),
                handletextpad=0.2,
            )
        fig.tight_layout()
    return fig
