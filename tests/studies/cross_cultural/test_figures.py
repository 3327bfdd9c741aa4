"""Figures of the chapter: limits of noise beside printed values, and leans of places."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from lib.plots.layout import data_of
from studies.cross_cultural.figures import (
    found_by_amount,
    noise_beside_print,
    noise_by_words,
    ordered_places,
    places_with_line,
)
from tests.lib.plots.figures import INTERVALS, LABEL, long
from tests.support import drawn

pytestmark = pytest.mark.usefixtures("figures_are_closed")

CODES = ["TX", "OH", "NY", "UT", "CA", "ME"]
PLACES = pd.DataFrame(np.random.default_rng(0).standard_normal((6, 2)), CODES, ["x", "y"])
PLACES["group"] = list("ababab")
LIMITS = pd.DataFrame({0.0: [0.1, 0.3], 0.5: [0.1, 0.2]}, index=[4, 20])
BEYOND = pd.DataFrame({0.0: [3, 1], 0.5: [3, 2]}, index=[4, 20])
LINE = pd.DataFrame({"line": [0.0, 1.0], "low": [-1.0, 0.0], "high": [1.0, 2.0]}, [0.0, 1.0])
MANY = pd.concat([INTERVALS] * 17).set_axis([f"P{place}" for place in range(51)])

WORDS = pd.Index([10_000, 100_000], name="tokens")
FOUND = pd.DataFrame({"value": [np.nan, 0.5], "low": [np.nan, 0.3], "high": [np.nan, 0.7]}, WORDS)
BY_CHANCE = pd.DataFrame({"null low": [-0.2, -0.1], "null high": [0.2, 0.1]}, WORDS)

FIGURES = {
    "noise, one panel": lambda: noise_beside_print(
        LIMITS.rename(columns={0.0: "unlike", 0.5: "alike"}), [-0.15, 0.6], marked=7, label="|R²|"
    ),
    "amounts": lambda: found_by_amount(
        {"counted": FOUND.fillna(0.2), "vectors": FOUND},
        BY_CHANCE,
        x="words of text for each place",
        y="r with the planted lean",
        marked=4000,
        name="a speech",
    ),
    "noise": lambda: noise_by_words(LIMITS, BEYOND, [0.15, 0.25, 0.6], marked=7, label="|R²|"),
    "a few places": lambda: ordered_places(
        {"criminal words": INTERVALS}, label="← male   female →"
    ),
    "51 places": lambda: ordered_places({long("criminal words"): MANY}, label=LABEL),
    "a line, long names": lambda: places_with_line(
        PLACES.assign(group=PLACES["group"].map(long)),
        LINE,
        x=LABEL,
        y="women's earnings over men's",
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_as_figures_of_the_book_are(name):
    drawn.check(FIGURES[name])


def test_each_correlation_is_a_curve_in_both_panels():
    fig = FIGURES["noise"]()
    for ax, table in zip(fig.axes, (LIMITS, BEYOND)):
        curves = [line for line in ax.lines if line.get_marker() != "None"]
        assert [line.get_ydata().tolist() for line in curves] == table.T.to_numpy().tolist()
    assert data_of(fig).loc[(20, 0.5)].tolist() == [0.2, 2]


def test_places_stand_in_order_and_intervals_without_zero_are_filled():
    ax = FIGURES["a few places"]().axes[0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["OH", "NY", "TX"]
    filled, hollow = ax.collections[1:]
    assert np.allclose(filled.get_offsets(), [[2, 0.3]])
    assert len(hollow.get_offsets()) == 2 and to_hex(hollow.get_facecolors()[0]) == "#ffffff"


def test_amounts_without_a_lean_are_left_out_and_sizes_of_printed_values_are_shown():
    lines = {line.get_label(): line for line in FIGURES["amounts"]().axes[0].lines}
    assert lines["vectors"].get_xydata().tolist() == [[100_000, 0.5]]
    assert lines["counted"].get_xydata().tolist() == [[10_000, 0.2], [100_000, 0.5]]
    (printed,) = FIGURES["noise, one panel"]().axes[0].collections
    assert printed.get_offsets()[:, 1].tolist() == [0.15, 0.6]
