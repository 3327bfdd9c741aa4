"""Figures from results: functions take numbers and labels and return a matplotlib figure; nothing is computed here."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from html import escape

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

FEMALE, MALE, NEUTRAL, INK, BAND = "#7b3294", "#008837", "#8c8c8c", "#222222", "#e4e4e4"
STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": NEUTRAL,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.major.size": 0,
    "font.size": 10,
    "font.family": "DejaVu Sans",
    "legend.frameon": False,
    "svg.hashsalt": "bias-measured",
    "svg.fonttype": "path",
}
VERDICT_COLOURS = {
    "reproduced": "#1b7837",
    "within its randomness": "#7fbf7b",
    "differs": "#b35806",
    "agrees elsewhere": "#4393c3",
    "disagrees elsewhere": "#d6604d",
    "inconclusive elsewhere": "#bdbdbd",
    "not comparable": "#8c8c8c",
    "not run": "#dedede",
}


def show(fig: Figure, alt: str, caption: str, *, dpi: int | None = None) -> None:
    """Display a figure with its alternative text and caption, where the book's builder finds both.

    alt : what the figure shows, for a reader who cannot see it, 40 characters or more and not the caption;
    caption : one or two sentences; dpi : draw a PNG of that resolution instead of an SVG (for very many marks).
    Raises ValueError for a short alternative text or one that repeats the caption.
    """
    if len(alt) < 40 or alt.strip() == caption.strip():
        raise ValueError(f"alt: expected 40 characters or more that are not the caption, got {len(alt)}: {alt!r}")
    from IPython.display import display

    mime, data = "image/png" if dpi else "image/svg+xml", drawn(fig, dpi=dpi)
    plt.close(fig)
    data = data if dpi else data.decode()
    display({mime: data, "text/plain": caption}, raw=True, metadata={mime: {"alt": alt, "caption": caption}})


def drawn(fig: Figure, *, dpi: int | None = None) -> bytes:
    """A figure as SVG, or as PNG of a resolution: the same bytes for the same figure."""
    buffer = io.BytesIO()
    kind, metadata = ("png", None) if dpi else ("svg", {"Date": None})
    with plt.rc_context(STYLE):
        fig.savefig(buffer, format=kind, bbox_inches="tight", dpi=dpi or 100, metadata=metadata)
    return buffer.getvalue()


def table(rows: pd.DataFrame, *, name: str, caption: str = "", per_page: int = 10, filters: Sequence[str] = (),
          wide: Sequence[str] = ()) -> None:  # fmt: skip
    """Display a table that can be searched, sorted, filtered and saved as CSV, with nothing fetched from elsewhere.

    rows : the table, its text already in printed form; name : identifies it on the page and names the CSV file;
    per_page : rows shown at a time; filters : columns with few values, which get a list to choose from; wide : columns of
    running text.
    """
    import itables
    from IPython.display import HTML, display

    itables.init_notebook_mode(all_interactive=False, connected=False)
    places = {column: place for place, column in enumerate(rows.columns)}
    html = itables.to_html_datatable(
        rows, caption=caption, connected=False, maxBytes=0, showIndex=False, table_id=f"{name}-table", pageLength=per_page,
        display_logo_when_loading=False, autoWidth=False, classes="display compact", style="width:100%",
        buttons=[{"extend": "csvHtml5", "text": "CSV", "title": name}],
        layout={"topStart": "buttons", "topEnd": "search", "bottomStart": "info", "bottomEnd": "paging"},
        columnDefs=[{"targets": [places[column] for column in filters], "columnControl": [["searchList"]]},
                    {"targets": [places[column] for column in wide], "className": "wide"}],
    )  # fmt: skip
    display(HTML(f'<div class="wide-table">{html}</div>'))


def trust_box(answers: Mapping[str, str]) -> None:
    """Display the box that ends every chapter: what is known of the measure, heading by heading, each a few sentences."""
    from IPython.display import HTML, display

    rows = "".join(f"<dt>{escape(heading)}</dt><dd>{escape(answer)}</dd>" for heading, answer in answers.items())
    display(HTML(f'<dl class="trust">{rows}</dl>'))


def lean_colours(scores: ArrayLike) -> np.ndarray:
    """Colour of each score: female-leaning above 0, male-leaning below, grey at 0."""
    scores = np.asarray(scores)
    return np.select([scores > 0, scores < 0], [FEMALE, MALE], NEUTRAL)


def scores_by_pair(scores: ArrayLike, words: Sequence[str], pairs: Sequence[Sequence[str]], *, measure: str) -> Figure:
    """One line a word, one dot a base pair, coloured by direction; words ordered by their mean score.

    scores : (n, p), positive leans female; measure : name and unit for the axis. Returns the figure.
    """
    scores = np.asarray(scores)
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.42 * len(words) + 1.5))
        for y, row in enumerate(np.argsort(scores.mean(axis=1))):
            ordered = np.sort(scores[row])
            ax.plot(ordered[[0, -1]], [y, y], color=BAND, linewidth=5, solid_capstyle="round", zorder=1)
            ax.scatter(scores[row], np.full(scores.shape[1], y), c=lean_colours(scores[row]), s=34, zorder=2, alpha=0.85)
            for column, side in ((scores[row].argmin(), "right"), (scores[row].argmax(), "left")):
                gap = -7 if side == "right" else 7
                ax.annotate("–".join(pairs[column]), (scores[row, column], y), (gap, 0), ha=side, va="center",
                            textcoords="offset points", fontsize=8, color=NEUTRAL)  # fmt: skip
        ax.set_yticks(range(len(words)), [words[row] for row in np.argsort(scores.mean(axis=1))])
        zero_line(ax)
        ax.margins(x=0.3, y=0.06)
        label_poles(ax, measure)
    return fig


def word_across_pairs(scores: Mapping[str, ArrayLike], forms: Sequence[str], pairs: Sequence[Sequence[str]],
                      bands: Mapping[str, tuple[float, float]]) -> Figure:  # fmt: skip
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
                ax.scatter(row, range(len(pairs)), c=lean_colours(row), marker=marker, s=36, label=form, alpha=0.85)
            zero_line(ax)
            ax.set_title(measure)
            label_poles(ax, "")
        np.atleast_1d(axes)[0].set_yticks(range(len(pairs)), ["–".join(pair) for pair in pairs])
        np.atleast_1d(axes)[0].invert_yaxis()
        shapes = [Line2D([], [], color=INK, marker=m, linestyle="", label=f) for f, m in zip(forms, markers)]
        fig.legend(handles=shapes, loc="lower center", ncols=len(forms), bbox_to_anchor=(0.5, -0.05))
        fig.tight_layout()
    return fig


def interval_dots(table: pd.DataFrame, *, label: str, null: tuple[float, float] | None = None,
                  interval: str = "this run, with its interval") -> Figure:  # fmt: skip
    """A dot with its interval for every row, the paper's printed value as an open diamond, a null baseline as grey band.

    table : index of labels, columns value, low, high and, where known, paper (NaN where nothing is printed);
    label : of the axis; null : ends of the band; interval : what dots and bars are, for the legend.
    Returns the figure; rows keep their order, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(table) + 1.3))
        rows = np.arange(len(table))
        if null:
            ax.axvspan(*null, color=BAND, zorder=0)
        ax.hlines(rows, table["low"], table["high"], color=INK, linewidth=1.2, zorder=1)
        ax.scatter(table["value"], rows, color=INK, s=36, zorder=2)
        handles = [Line2D([], [], color=INK, marker="o", label=interval)]
        if "paper" in table and table["paper"].notna().any():
            ax.scatter(table["paper"], rows, marker="D", s=44, facecolors="none", edgecolors="black", zorder=3)
            handles.append(Line2D([], [], color="black", marker="D", mfc="none", linestyle="", label="printed in the paper"))
        if null:
            handles.append(Line2D([], [], color=BAND, linewidth=9, label="null baseline, central 95 %"))
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        fig.legend(handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.06))
    return fig


def dots_by_column(table: pd.DataFrame, *, label: str) -> Figure:
    """A row for every index label, a marker for every column, and a line at 0.

    table : numbers; label : of the axis. Returns the figure; rows keep their order, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.34 * len(table) + 1.3))
        for marker, column in zip("os^Dv", table):
            ax.scatter(table[column], range(len(table)), marker=marker, s=36, color=INK, alpha=0.75, label=column)
        ax.hlines(range(len(table)), table.min(axis=1), table.max(axis=1), color=BAND, linewidth=4, zorder=0)
        ax.set_yticks(range(len(table)), table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        fig.legend(loc="upper left", ncols=len(table.columns), fontsize=9, bbox_to_anchor=(0.02, 1.06))
    return fig


def agreement_against_cosine(cosines: ArrayLike, kappas: ArrayLike, predicted: tuple[ArrayLike, ArrayLike]) -> Figure:
    """Agreement of two base pairs against the cosine of their difference vectors, with the curve geometry alone predicts.

    cosines, kappas : (q,) one value for every two base pairs; predicted : x and y of the curve. Returns the figure.
    As Zhang, Sneyd & Stevenson (2020), Figure 2, without the pairs compared with themselves.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(5.6, 4))
        ax.plot(*predicted, color=NEUTRAL, linewidth=1.5)
        ax.annotate("geometry alone", (predicted[0][-1], predicted[1][-1]), (4, -4), textcoords="offset points",
                    color=NEUTRAL, va="top", ha="right", rotation=0)  # fmt: skip
        ax.scatter(cosines, kappas, color=INK, s=26, alpha=0.8)
        ax.set_xlabel("cosine of the two difference vectors")
        ax.set_ylabel("agreement in direction (Cohen's kappa)")
    return fig


def scatter(x_values: ArrayLike, y_values: ArrayLike, names: Sequence[str], *, x: str, y: str, labelled: int = 12) -> Figure:
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
            ax.annotate(names[row], points[row], (4, 3), textcoords="offset points", fontsize=8, color=INK)
        ax.spines["left"].set_visible(True)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
    return fig


def verdict_counts(card: pd.DataFrame) -> Figure:
    """How many claims of each paper have which verdict: one line a paper, one dot a verdict, its area the count.

    card : one row a claim with columns paper and verdict. Returns the figure, papers with most results settled on top.
    """
    verdicts = [verdict for verdict in VERDICT_COLOURS if (card["verdict"] == verdict).any()]
    counts = card.groupby(["paper", "verdict"]).size().unstack(fill_value=0).reindex(columns=verdicts)
    settled = counts.drop(columns="not run", errors="ignore").sum(axis=1)
    counts = counts.loc[counts.assign(settled=settled, all=counts.sum(axis=1)).sort_values(["settled", "all"]).index]
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(1.5 * len(verdicts) + 3.2, 0.27 * len(counts) + 1.2))
        for x, verdict in enumerate(verdicts):
            for y, count in enumerate(counts[verdict]):
                if count:
                    ax.scatter(x, y, s=14 + 5 * count**0.8, color=VERDICT_COLOURS[verdict])
                    ax.annotate(str(count), (x, y), (16, 0), textcoords="offset points", va="center", fontsize=8)
        ax.set_xticks(range(len(verdicts)), [verdict.replace(" ", "\n", 1) for verdict in verdicts])
        ax.xaxis.tick_top()
        ax.tick_params(axis="x", length=0)
        ax.set_yticks(range(len(counts)), counts.index)
        ax.spines["bottom"].set_visible(False)
        ax.set_xlim(-0.5, len(verdicts) - 0.3)
        ax.grid(axis="y", color=BAND, linewidth=0.6)
        ax.set_axisbelow(True)
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
            ax.scatter(row, np.full(len(row), y), s=26, facecolors="white", edgecolors=NEUTRAL, zorder=2)
            ax.scatter(row.max(), y, s=40, color=INK, zorder=3)
            ax.annotate(row.idxmax(), (row.max(), y), (8, 0), textcoords="offset points", va="center", fontsize=9)
        ax.set_yticks(range(len(ordered)), ordered.index)
        zero_line(ax)
        ax.margins(x=0.18)
        ax.set_xlabel(label)
        handles = [Line2D([], [], color=INK, marker="o", linestyle="", label="largest: this is the score"),
                   Line2D([], [], color=NEUTRAL, marker="o", mfc="white", linestyle="", label="the other classes"),
                   Line2D([], [], color=BAND, linewidth=9, label="random direction, central 95 %")]
        fig.legend(handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0))
    return fig


def scores_against_null(table: pd.DataFrame, *, label: str) -> Figure:
    """A dot with its interval in every row, on a grey band of its own: what random words give in the same place.

    table : index of labels, columns value, low, high, null low, null (its median), null high and paper (NaN where nothing
    is printed). Returns the figure, first row on top.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.42 * len(table) + 1.4))
        rows = np.arange(len(table))
        ax.hlines(rows, table["null low"], table["null high"], color=BAND, linewidth=14, zorder=0)
        ax.scatter(table["null"], rows, marker="|", s=170, color=NEUTRAL, zorder=1)
        ax.hlines(rows, table["low"], table["high"], color=INK, linewidth=1.2, zorder=2)
        ax.scatter(table["value"], rows, color=INK, s=36, zorder=3)
        ax.scatter(table["paper"], rows, marker="D", s=44, facecolors="none", edgecolors="black", zorder=3)
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        ax.set_xlim(left=0)
        ax.set_xlabel(label)
        handles = [Line2D([], [], color=INK, marker="o", label="this run, with its interval"),
                   Line2D([], [], color="black", marker="D", mfc="none", linestyle="", label="printed in the paper"),
                   Line2D([], [], color=BAND, linewidth=9, label="random class words, central 95 %")]
        fig.legend(handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0))
    return fig


def scores_by_number(bands: Mapping[str, pd.DataFrame], points: Mapping[str, pd.DataFrame], *, x: str, y: str) -> Figure:
    """Small multiples, one a measure: how a score grows with a number that has nothing to do with its subject.

    bands : measure -> index of numbers, columns low, middle, high, geometry; points : measure -> columns x, y, label;
    x, y : axis labels. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(bands), figsize=(8.6, 3.4), sharey=True)
        for ax, (measure, band) in zip(np.atleast_1d(axes), bands.items()):
            ax.fill_between(band.index, band["low"], band["high"], color=BAND, zorder=0)
            ax.plot(band.index, band["middle"], color=NEUTRAL)
            ax.plot(band.index, band["geometry"], color=NEUTRAL, linestyle=":")
            ax.annotate("random words", (band.index[-1], band["middle"].iloc[-1]), (0, 4), textcoords="offset points",
                        ha="right", color=NEUTRAL, fontsize=8)  # fmt: skip
            ax.annotate("evenly scattered", (band.index[-1], band["geometry"].iloc[-1]), (0, -11), fontsize=8,
                        textcoords="offset points", ha="right", color=NEUTRAL)  # fmt: skip
            for _, point in points[measure].iterrows():
                ax.scatter(point["x"], point["y"], color=INK, s=30, zorder=3)
                ax.annotate(point["label"], (point["x"], point["y"]), (6, -3), textcoords="offset points", fontsize=9)
            ax.set_title(measure)
            ax.set_xlabel(x)
            ax.set_xticks(band.index)
        np.atleast_1d(axes)[0].set_ylabel(y)
        np.atleast_1d(axes)[0].set_ylim(bottom=0)
        np.atleast_1d(axes)[0].spines["left"].set_visible(True)
        fig.tight_layout()
    return fig


def target_associations(groups: Mapping[str, tuple[ArrayLike, ArrayLike]], *, lists: tuple[str, str]) -> Figure:
    """Two lists of target words in several embeddings: one line an embedding, one mark a word, a tick at each mean.

    groups : name -> associations of the first and of the second list, in deviations of both together (so that the means lie
    d apart), in WEAT's order: positive leans male; lists : their names. Returns the figure, rows in the order given.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.5 * len(groups) + 1.5))
        for row, both in enumerate(groups.values()):
            for values, filled, shift in zip(both, (True, False), (-0.13, 0.13)):
                y = np.full(len(values), row + shift)
                ax.scatter(values, y, s=30, facecolors=INK if filled else "white", edgecolors=INK, linewidths=1, zorder=2)
                ax.vlines(np.mean(values), row + shift - 0.17, row + shift + 0.17, color=INK, linewidth=2.4, zorder=3)
            means = [np.mean(values) for values in both]
            ax.hlines(row, *sorted(means), color=MALE if means[0] > means[1] else FEMALE, linewidth=3, alpha=0.6, zorder=1)
        ax.set_yticks(range(len(groups)), groups)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel("← female-leaning   association of the word, in standard deviations   male-leaning →")
        marks = [Line2D([], [], color=INK, marker="o", mfc=INK if filled else "white", linestyle="", label=name)
                 for name, filled in zip(lists, (True, False))]  # fmt: skip
        fig.legend(handles=marks, loc="upper left", ncols=2, fontsize=9, bbox_to_anchor=(0.1, 0.96))
    return fig


def dots_by_panel(table: pd.DataFrame, *, label: str, band: str = "", interval: str = "", second: str = "") -> Figure:
    """Small multiples that share their rows: a dot each, with interval, null band and printed value where there are any.

    table : columns panel, row, value and, each NaN where there is none, low, high, null low, null high, paper, and second
    where that is named; label : of the axes; band, interval, second : the grey bar, the thin bar, an open dot.
    Returns the figure; panels and rows in the order in which they first occur.
    """
    panels, rows = table["panel"].unique(), list(table["row"].unique())
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(1.9 * len(panels) + 1.6, 0.34 * len(rows) + 1.6), sharey=True)
        for ax, panel in zip(np.atleast_1d(axes), panels):
            here = table[table["panel"] == panel]
            y = [rows.index(row) for row in here["row"]]
            ax.hlines(y, here["null low"], here["null high"], color=BAND, linewidth=9, zorder=0)
            if interval:
                ax.hlines(y, here["low"], here["high"], color=INK, linewidth=1, zorder=1)
            ax.scatter(here["value"], y, color=INK, s=26, zorder=2)
            if second:
                ax.scatter(here["second"], y, s=30, facecolors="white", edgecolors=INK, zorder=3)
            ax.scatter(here["paper"], y, marker="D", s=36, facecolors="none", edgecolors="black", zorder=3)
            zero_line(ax)
            ax.set_title(panel, fontsize=9)
        first = np.atleast_1d(axes)[0]
        first.set_yticks(range(len(rows)), rows)
        first.set_ylim(len(rows) - 0.5, -0.5)
        handles = [Line2D([], [], color=INK, marker="o", linestyle="-" if interval else "", label=interval or "this run"),
                   Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label=second),
                   Line2D([], [], color=BAND, linewidth=9, label=band)]  # fmt: skip
        handles = [handle for handle in handles if handle.get_label()]
        if table["paper"].notna().any():
            handles.append(Line2D([], [], color="black", marker="D", mfc="none", linestyle="", label="printed in the paper"))
        fig.supxlabel(label, fontsize=10)
        fig.legend(handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.05, 0.98))
        fig.tight_layout()
    return fig


def range_of_settings(settings: Mapping[str, ArrayLike], seeds: Mapping[str, ArrayLike], printed: Mapping[str, float], *,
                      label: str) -> Figure:  # fmt: skip
    """What a number becomes under every defensible setting, and with nothing changed but the seed: two strips a row.

    settings, seeds : name -> values; printed : name -> the paper's value, an open diamond; label : of the axis.
    Returns the figure, rows in the order given.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(7.2, 0.62 * len(settings) + 1.3))
        for row, name in enumerate(settings):
            for values, shift, colour in ((settings[name], -0.14, NEUTRAL), (seeds[name], 0.16, INK)):
                ax.scatter(values, np.full(len(values), row + shift), color=colour, s=20, alpha=0.6, linewidths=0)
            ax.scatter(printed[name], row, marker="D", s=52, facecolors="none", edgecolors="black", linewidths=1.4, zorder=3)
        ax.set_yticks(range(len(settings)), settings)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        styles = [("a setting the paper leaves open", NEUTRAL, "o", NEUTRAL), ("one setting, another seed", INK, "o", INK),
                  ("printed in the paper", "black", "D", "none")]  # fmt: skip
        marks = [Line2D([], [], color=colour, marker=marker, mfc=fill, linestyle="", label=name)
                 for name, colour, marker, fill in styles]  # fmt: skip
        fig.legend(handles=marks, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.05, 0.9))
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
        handles = [Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label="in the text"),
                   Line2D([], [], color=INK, marker="o", linestyle="", label="in the vectors"),
                   Line2D([], [], color=BAND, linewidth=9, label="range over trainings")]
        fig.legend(handles=handles, loc="upper left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 1.0))
    return fig


def share_dots(shares: pd.DataFrame, *, label: str) -> Figure:
    """Shares from 0 to 1 as dots, a panel a column, a line at one half: how often a verdict falls one way.

    shares : rows of labels, a column a panel, NaN where nothing could be tried. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, shares.shape[1], figsize=(9, 0.33 * len(shares) + 1.5), sharey=True)
        for ax, (title, values) in zip(np.atleast_1d(axes), shares.items()):
            ax.hlines(range(len(shares)), 0, 1, color=BAND, linewidth=5, zorder=0)
            ax.scatter(values, range(len(shares)), c=lean_colours(values - 0.5), s=40)
            for y, value in enumerate(values):
                text, x = ("not in vocabulary", 0.5) if np.isnan(value) else (f"{value:.0%}", value)
                ax.annotate(text, (x, y), (0, 7), textcoords="offset points", fontsize=8, ha="center", color=NEUTRAL)
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


def text_against_vectors(groups: Mapping[str, pd.DataFrame], *, x: str, y: str, labelled: int = 4) -> Figure:
    """Small multiples, one a group of words: vectors against text, the diagonal dashed, the outermost words named.

    groups : name -> index of words, columns x and y; x, y : axis labels. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(groups), figsize=(2.7 * len(groups), 3.1), sharex=True, sharey=True)
        for ax, (name, points) in zip(np.atleast_1d(axes), groups.items()):
            ax.axhline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.axvline(0, color=BAND, linewidth=0.8, zorder=0)
            ax.axline((0, 0), slope=1, color=NEUTRAL, linestyle="--", linewidth=0.8, zorder=0)
            ax.scatter(points["x"], points["y"], c=lean_colours(points["y"]), s=12, alpha=0.6, linewidths=0)
            for word in (points["x"] ** 2 + points["y"] ** 2).nlargest(labelled).index:
                ax.annotate(word, points.loc[word], (3, 2), textcoords="offset points", fontsize=7)
            ax.set_title(name)
            ax.set_xlabel(x)
        np.atleast_1d(axes)[0].set_ylabel(y)
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
                ax.step(curves.index, values, where="post", color=colour, linestyle=line, label=method)
            ax.set_title(kind)
            ax.set_xlabel(label)
            ax.set_ylim(bottom=0)
            ax.yaxis.get_major_locator().set_params(integer=True)
        np.atleast_1d(axes)[0].set_ylabel("analogies at least so strong")
        np.atleast_1d(axes)[-1].legend(fontsize=8)
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
        ax.scatter(table["shown"], rows, s=44, c=lean_colours(table["hidden"] - table["shown"]), zorder=3)
        ax.set_yticks(rows, table.index)
        ax.invert_yaxis()
        zero_line(ax)
        ax.set_xlabel(label)
        handles = [Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label="word hidden: the prior"),
                   Line2D([], [], color=MALE, marker="o", linestyle="", label="shown: moves to the male target"),
                   Line2D([], [], color=FEMALE, marker="o", linestyle="", label="shown: moves to the female target")]
        fig.legend(handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.02, 0.9))
    return fig


def strips(panels: Mapping[str, Mapping[str, pd.Series]], *, labels: Mapping[str, str], named: int = 1) -> Figure:
    """Panels one above the other, each with rows of dots on one axis, a tick at each mean, the outermost dots named.

    panels : title -> row -> numbers indexed by name; labels : title -> label of its axis, naming the poles; named : dots
    named at either end of a row. Returns the figure, panels and rows in the order given.
    """
    heights = [0.45 * len(rows) + 0.75 for rows in panels.values()]
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(len(panels), 1, figsize=(7.6, sum(heights) + 0.3), height_ratios=heights, squeeze=False)
        for ax, (title, rows) in zip(axes[:, 0], panels.items()):
            for y, values in enumerate(rows.values()):
                ordered = values.sort_values()
                ax.plot(ordered.iloc[[0, -1]], [y, y], color=BAND, linewidth=5, solid_capstyle="round", zorder=0)
                ax.scatter(ordered, np.full(len(ordered), y), color=INK, s=18, alpha=0.45, linewidths=0, zorder=2)
                ax.vlines(ordered.mean(), y - 0.22, y + 0.22, color=INK, linewidth=2.4, zorder=3)
                for part, side in ((ordered.head(named), "right"), (ordered.tail(named), "left")):
                    place = ordered.iloc[0] if side == "right" else ordered.iloc[-1]
                    ax.annotate(", ".join(map(str, part.index)), (place, y), (-6 if side == "right" else 6, 0), ha=side,
                                va="center", textcoords="offset points", fontsize=8, color=NEUTRAL)  # fmt: skip
            ax.set_yticks(range(len(rows)), rows)
            ax.set_ylim(len(rows) - 0.5, -0.5)
            zero_line(ax)
            ax.margins(x=0.16 + 0.1 * named)
            ax.set_title(title)
            ax.set_xlabel(labels[title], fontsize=9)
        fig.tight_layout()
    return fig


def cosine_by_dimension(curve: tuple[ArrayLike, ArrayLike], points: pd.DataFrame, *, label: str) -> Figure:
    """The mean size of a cosine against the number of dimensions: random directions as a curve, printed values as diamonds.

    curve : dimensions and values; points : columns dimensions, value and label; label : of the vertical axis.
    Returns the figure, dimensions on a logarithmic axis.
    """
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(6.4, 3.8))
        ax.plot(*curve, color=NEUTRAL, linewidth=1.6)
        ax.annotate("two random directions", (curve[0][0], curve[1][0]), (14, -4), textcoords="offset points", color=NEUTRAL)
        ax.scatter(points["dimensions"], points["value"], marker="D", s=52, facecolors="white", edgecolors="black", zorder=3)
        for _, point in points.iterrows():
            ax.annotate(point["label"], (point["dimensions"], point["value"]), (9, -3), textcoords="offset points")
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


def curves_against_null(panels: Mapping[str, pd.DataFrame], *, x: str, y: str, null: str, other: str = "",
                        shared: bool = True) -> Figure:  # fmt: skip
    """Small multiples of a value that depends on a number, each point with its range and on its own null band.

    panels : title -> index of numbers, columns value, low, high, null low, null high and, with `other`, a column of that
    name, drawn as crosses; x, y : axis labels; null : what the band is; shared : one vertical scale for all panels.
    Returns the figure.
    """
    with plt.rc_context(STYLE):
        width = min(3.4 * len(panels) + 0.6, 9)
        fig, axes = plt.subplots(1, len(panels), figsize=(width, 3.3), sharey=shared, squeeze=False)
        for ax, (title, table) in zip(axes[0], panels.items()):
            ax.fill_between(table.index, table["null low"], table["null high"], color=BAND, zorder=0)
            ax.vlines(table.index, table["low"], table["high"], color=INK, linewidth=1.2)
            ax.plot(table.index, table["value"], color=INK, marker="o", markersize=5, linewidth=0.8)
            if other:
                ax.plot(table.index, table[other], color=NEUTRAL, marker="x", markersize=5, linewidth=0.8)
            ax.set_title(title)
            ax.set_xlabel(x)
            ax.xaxis.get_major_locator().set_params(integer=True)
            ax.spines["left"].set_visible(not shared or ax is axes[0, 0])
        for ax in axes[0]:
            ax.set_ylim(bottom=0)
        axes[0, 0].set_ylabel(y)
        handles = [Line2D([], [], color=INK, marker="o", label="female–male words"),
                   Line2D([], [], color=BAND, linewidth=9, label=null)]  # fmt: skip
        if other:
            handles.insert(1, Line2D([], [], color=NEUTRAL, marker="x", label=other))
        fig.legend(handles=handles, loc="lower left", ncols=3, fontsize=9, bbox_to_anchor=(0.06, 0.98))
        fig.tight_layout()
    return fig


def leaning_points(panels: Mapping[str, pd.DataFrame], *, x: str, y: str, named: Sequence[str] = ()) -> Figure:
    """Small multiples of points coloured by a score: purple female-leaning, green male-leaning.

    panels : title -> index of words, columns x, y, score; x, y : axis labels; named : words that carry their name.
    Returns the figure; the axes are not shared.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(4.5 * len(panels), 4), squeeze=False)
        for ax, (title, points) in zip(axes[0], panels.items()):
            ax.scatter(points["x"], points["y"], c=lean_colours(points["score"]), s=15, alpha=0.6, linewidths=0)
            spots = points.loc[points.index.isin(named), ["x", "y"]]
            for word, spot in spots.iterrows():
                apart = ((spots.drop(word) - spot) / points[["x", "y"]].std()).pow(2).sum(axis=1)
                above = apart.empty or spot["y"] >= spots.loc[apart.idxmin(), "y"]     # away from the nearest other name
                ax.scatter(*spot, s=24, facecolors="none", edgecolors=INK, linewidths=0.9)
                ax.annotate(word, spot, (4, 4 if above else -10), textcoords="offset points", fontsize=8)
            ax.spines["left"].set_visible(True)
            ax.set_title(title)
            ax.set_xlabel(x)
        axes[0, 0].set_ylabel(y)
        handles = [Line2D([], [], color=colour, marker="o", linestyle="", label=side)
                   for colour, side in ((FEMALE, "leans female"), (MALE, "leans male"))]  # fmt: skip
        fig.legend(handles=handles, loc="lower left", ncols=2, fontsize=9, bbox_to_anchor=(0.06, 0.98))
        fig.tight_layout()
    return fig


def zero_line(ax: Axes) -> None:
    """A thin line at 0, where a contrast has no direction."""
    ax.axvline(0, color=INK, linewidth=0.8, zorder=0)


def label_poles(ax: Axes, measure: str) -> None:
    """Name both poles on the horizontal axis of a female–male word contrast."""
    ax.set_xlabel(f"← male-leaning   {measure}   female-leaning →" if measure else "← male   female →")


def token_clouds(panels: Mapping[str, pd.DataFrame], looks: Mapping[str, tuple[str, bool]], *, x: str, y: str) -> Figure:
    """Small multiples, three a row, of tokens on two components, the name of each word above its cloud.

    panels : title -> columns x, y, word; looks : word -> its pole ("female", "male" or "") and whether its marks are filled;
    x, y : axis labels. Returns the figure; each panel has its own scale, the same for both of its axes.
    """
    colours = {"female": FEMALE, "male": MALE, "": INK}
    with plt.rc_context(STYLE):
        rows, columns = -(-len(panels) // 3), min(3, len(panels))
        fig, axes = plt.subplots(rows, columns, figsize=(2.9 * columns + 0.4, 3 * rows + 0.3), squeeze=False)
        for ax in axes.ravel()[len(panels) :]:
            ax.set_axis_off()
        for ax, (title, points) in zip(axes.ravel(), panels.items()):
            for word, cloud in points.groupby("word", sort=False):
                pole, filled = looks[word]
                ax.scatter(cloud["x"], cloud["y"], s=13, facecolors=colours[pole] if filled else "none",
                           edgecolors=colours[pole], linewidths=0.7, alpha=0.55)  # fmt: skip
                ax.annotate(word, (cloud["x"].mean(), cloud["y"].max()), (0, 4), textcoords="offset points", ha="center",
                            color=colours[pole], fontweight="bold")  # fmt: skip
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


def curves_by_panel(panels: Mapping[str, pd.DataFrame], *, x: str, marked: float | None = None) -> Figure:
    """Small multiples of curves over one number on a logarithmic scale, each named at its end.

    panels : title -> index of numbers above 0, a column a curve; x : label of the shared axis; marked : where a dotted
    line stands. Returns the figure.
    """
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, len(panels), figsize=(max(3.3 * len(panels), 5) + 0.6, 3.3), sharex=True)
        for ax, (title, curves) in zip(np.atleast_1d(axes), panels.items()):
            for (name, values), line in zip(curves.items(), ("-", "--", ":", "-.", (0, (1, 1)))):
                ax.plot(curves.index, values, color=INK, linestyle=line, marker="o", markersize=3, label=name)
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


def biases_by_culture(means: pd.DataFrame, *, label: str) -> Figure:
    """A panel for each theme, a dot for each culture, in the order of the first theme's bias.

    means : cultures x themes, NaN where a culture has none; label : of the axes, naming the poles. Returns the figure.
    """
    ordered = means.sort_values(means.columns[0], ascending=False)
    with plt.rc_context(STYLE):
        size = (1.7 * len(ordered.columns) + 1.2, 0.17 * len(ordered) + 1.4)
        fig, axes = plt.subplots(1, len(ordered.columns), figsize=size, sharex=True, sharey=True, squeeze=False)
        for ax, theme in zip(axes[0], ordered):
            ax.scatter(ordered[theme], range(len(ordered)), s=16, c=lean_colours(ordered[theme].fillna(0)))
            zero_line(ax)
            ax.set_title(theme, fontsize=9)
        axes[0, 0].set_yticks(range(len(ordered)), ordered.index, fontsize=8)
        axes[0, 0].set_ylim(len(ordered) - 0.5, -0.5)
        axes[0, len(ordered.columns) // 2].set_xlabel(label)
        fig.tight_layout()
    return fig
