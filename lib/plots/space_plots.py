"""Figures of spaces: vectors, cosines and dimensions, as points and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from lib.plots.display import BAND, FEMALE, INK, MALE, NEUTRAL, STYLE, lean_colours


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


def cosine_by_dimension(
    curve: tuple[ArrayLike, ArrayLike], points: pd.DataFrame, *, label: str
) -> Figure:
    """The mean size of a cosine against the number of dimensions: random directions as a curve, printed values as diamonds.

    curve : dimensions and values; points : columns dimensions, value and label; label : of the vertical axis.
    Returns the figure, dimensions on a logarithmic axis.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(6.4, 3.8))
        ax.plot(*curve, color=NEUTRAL, linewidth=1.6)
        ax.annotate(
            "two random directions",
            (curve[0][0], curve[1][0]),
            (14, -4),
            textcoords="offset points",
            color=NEUTRAL,
        )
        ax.scatter(
            points["dimensions"],
            points["value"],
            marker="D",
            s=52,
            facecolors="white",
            edgecolors="black",
            zorder=3,
        )
        for _, point in points.iterrows():
            ax.annotate(
                point["label"],
                (point["dimensions"], point["value"]),
                (9, -3),
                textcoords="offset points",
            )
        ax.set_xscale("log")
        ticks = [25, 50, 100, 200, 300, 500, 1000, 2000]
        ax.set_xticks([t for t in ticks if curve[0][0] <= t <= curve[0][-1]])
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.minorticks_off()
        ax.set_ylim(bottom=0)
        ax.spines["left"].set_visible(True)
        ax.set_xlabel("dimensions of the vectors")
        ax.set_ylabel(label)
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


def curves_by_panel(
    panels: Mapping[str, pd.DataFrame], *, x: str, marked: float | None = None
) -> Figure:
    """Small multiples of curves over one number on a logarithmic scale, each named at its end.

    panels : title -> index of numbers above 0, a column a curve; x : label of the shared axis; marked : where a dotted
    line stands. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(
            1, len(panels), figsize=(max(3.3 * len(panels), 5) + 0.6, 3.3), sharex=True
        )
        for ax, (title, curves) in zip(np.atleast_1d(axes), panels.items()):
            for (name, values), line in zip(curves.items(), ("-", "--", ":", "-.", (0, (1, 1)))):
                ax.plot(
                    curves.index,
                    values,
                    color=INK,
                    linestyle=line,
                    marker="o",
                    markersize=3,
                    label=name,
                )
            if marked:
                ax.axvline(marked, color=NEUTRAL, linewidth=0.8, linestyle=":", zorder=0)
            ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
            ax.set_title(title, fontsize=10)
            ax.set_xlabel(x)
            ax.spines["left"].set_visible(True)
            if len(curves.columns) > 1:
                ax.legend(fontsize=8)
        fig.tight_layout()
    return fig


def analogies_by_strength(panels: Mapping[str, pd.DataFrame], *, label: str) -> Figure:
    """Number of analogies at least so strong, before and after debiasing, a panel a kind of analogy.

    panels : kind -> index of strengths, a column a method, the first "before". Returns the figure. As Ethayarajh, Duvenaud &
    Hirst (2019), Figure 1.
    """
    styles = {0: (INK, "-"), 1: (INK, "--"), 2: (NEUTRAL, ":"), 3: (NEUTRAL, "-.")}
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(8.6, 3.3))
        for ax, (kind, curves) in zip(np.atleast_1d(axes), panels.items()):
            for place, (method, values) in enumerate(curves.items()):
                colour, line = styles[place]
                ax.step(
                    curves.index, values, where="post", color=colour, linestyle=line, label=method
                )
            ax.set_title(kind)
            ax.set_xlabel(label)
            ax.set_ylim(bottom=0)
            ax.yaxis.get_major_locator().set_params(integer=True)
        np.atleast_1d(axes)[0].set_ylabel("analogies at least so strong")
        np.atleast_1d(axes)[-1].legend(fontsize=8)
        fig.tight_layout()
    return fig
