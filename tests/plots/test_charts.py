"""Figures of many places: drawn alike every time, labelled, and every number in its place."""

import numpy as np
import pandas as pd
import pytest

from lib import plots
from lib.plots import bars, curves, intervals, points, tables

pytestmark = pytest.mark.usefixtures("figures_are_closed")

RNG = np.random.default_rng(0)
CODES = ["TX", "OH", "NY", "UT", "CA", "ME"]
TABLE = pd.DataFrame(
    {"threat": [0.4, -0.2, np.nan], "criminal": [-0.5, 0.02, 0.1]}, ["wages", "seats", "degrees"]
)
PLACES = pd.DataFrame(
    {"x": RNG.standard_normal(6), "y": RNG.standard_normal(6), "group": list("ababab")}, CODES
)
LINE = pd.DataFrame({"line": [0.0, 1.0], "low": [-1.0, 0.0], "high": [1.0, 2.0]}, [0.0, 1.0])
INTERVALS = pd.DataFrame(
    {"value": [0.3, -0.1, 0.0], "low": [0.1, -0.3, -0.2], "high": [0.5, 0.1, 0.2]},
    ["TX", "OH", "NY"],
)
CURVES = pd.DataFrame({"threat": [0.1, 0.4], "random words": [0.02, 0.03]}, [2000, 10_000])

FIGURES = {
    "null with marks": lambda: bars.null_with_marks(
        RNG.random(200),
        {"threat": [0.3, 0.6], "stem": [0.2]},
        label="|R²|",
        limit=0.3,
        of_null="noise",
    ),
    "heat map": lambda: tables.heat_map(TABLE, label="signed R²", inside=TABLE.abs() < 0.3),
    "places with a line": lambda: points.places_with_line(
        PLACES, LINE, x="← male   threat   female →", y="wages", named=3
    ),
    "ordered places": lambda: intervals.ordered_places(
        {"criminal words": INTERVALS}, label="← male   female →"
    ),
    "recovered by": lambda: curves.recovered_by(
        {"Text": CURVES}, x="words", y="R²", level=0.5, logarithmic=True
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_alike_every_time(name):
    RNG.bit_generator.state = np.random.default_rng(1).bit_generator.state
    first = plots.render(FIGURES[name]())
    RNG.bit_generator.state = np.random.default_rng(1).bit_generator.state
    assert first == plots.render(FIGURES[name]())


def test_a_heat_map_prints_every_number_and_sets_those_of_noise_small():
    texts = {text.get_text(): text.get_fontsize() for text in FIGURES["heat map"]().axes[0].texts}
    assert set(texts) == {".40", "-.20", "-.50", ".02", ".10"}
    assert texts[".02"] == texts["-.20"] < texts[".40"] == texts["-.50"]


def test_places_carry_their_codes_and_groups_their_marks():
    axes = FIGURES["places with a line"]().axes[0]
    assert len(axes.texts) == 3 and {text.get_text() for text in axes.texts} < set(CODES)
    assert sum(len(dots.get_offsets()) for dots in axes.collections[1:]) == len(PLACES)


def test_places_stand_in_order_and_intervals_without_zero_are_filled():
    axes = FIGURES["ordered places"]().axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["OH", "NY", "TX"]
    filled = [tuple(colour[:3]) != (1, 1, 1) for colour in axes.collections[-1].get_facecolors()]
    assert filled == [False, False, True]
