"""Colours and the parts that figures share: axes of rows, zero lines, poles."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
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


MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")


SHADES = (
    "#222222",
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8c8c8c",
)  # Okabe and Ito's


def lean_colours(scores: ArrayLike) -> np.ndarray:
    """Colour of each score: female-leaning above 0, male-leaning below, grey at 0."""
    scores = np.asarray(scores)
    return np.select([scores > 0, scores < 0], [FEMALE, MALE], NEUTRAL)


def zero_line(ax: Axes) -> None:
    """A thin line at 0, where a contrast has no direction."""
    ax.axvline(0, color=INK, linewidth=0.8, zorder=0)


def label_poles(ax: Axes, measure: str) -> None:
    """Name both poles on the horizontal axis of a female–male word contrast."""
    ax.set_xlabel(
        f"← male-leaning   {measure}   female-leaning →" if measure else "← male   female →"
    )
