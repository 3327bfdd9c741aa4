"""All figures: drawn alike every time, labelled, legible, and with the table they were drawn from."""

import importlib
import inspect
import re
import warnings

import numpy as np
import pandas as pd
import pytest

from lib import plots
from lib.paths import ROOT
from lib.plots import curves, dots, intervals, points
from tests.lib.plots.figures import FIGURES, LONG_FIGURES
from tests.support import drawn

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def figures_in(path):
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return {
        name
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
        if str(inspect.signature(function).return_annotation).endswith("Figure")
    }


def test_every_public_figure_is_drawn_here_or_in_the_tests_of_its_study():
    ours = (ROOT / "lib" / "plots").glob("*.py")
    assert set().union(*map(figures_in, ours)) - {"with_data"} <= set(FIGURES)
    for path in ROOT.glob("studies/*/figures.py"):
        tests = (ROOT / "tests" / "studies" / path.parent.name).glob("*.py")
        known = set(FIGURES) | set(re.findall(r"\w+", " ".join(test.read_text() for test in tests)))
        assert figures_in(path) <= known, path


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_what_every_figure_has_to_be(name):
    drawn.check(FIGURES[name], axes=name not in ("heat_map", "word_across_pairs"))


@pytest.mark.parametrize("name", LONG_FIGURES)
def test_a_figure_with_long_words_is_no_wider_than_the_page(name):
    drawn.fits_the_page(plots.render(LONG_FIGURES[name]()))


def test_long_words_are_tried_for_every_figure_of_lib():
    ours = (ROOT / "lib" / "plots").glob("*.py")
    assert set().union(*map(figures_in, ours)) - {"with_data"} <= set(LONG_FIGURES)


@pytest.mark.parametrize(
    "name", ["scores_by_pair", "word_across_pairs", "target_associations", "text_to_vectors"]
)
def test_female_stands_right(name):
    axes = FIGURES[name]().axes
    assert axes[0].get_xlim()[0] < axes[0].get_xlim()[1]
    poles = [text for ax in axes for text in ax.texts if set("←→") & set(text.get_text())]
    assert [text.get_text().strip("←→ ").removesuffix("-leaning") for text in poles] == [
        "male",
        "female",
    ]
    assert [text.get_ha() for text in poles] == ["left", "right"]


@pytest.mark.parametrize("name", ["odds_moved_by", "strips"])
def test_an_axis_in_the_paper_s_order_is_turned_so_that_female_stands_right(name):
    left, right = FIGURES[name]().axes[0].get_xlim()
    assert left > right


def nothing(*columns):
    return pd.DataFrame({column: pd.Series(dtype=float) for column in columns})


EMPTY = {
    "no words": lambda: dots.scores_by_pair(np.zeros((0, 2)), [], [("she", "he")] * 2, measure="d"),
    "only NaN": lambda: dots.scores_by_pair([[np.nan]], ["nurse"], [("she", "he")], measure="d"),
    "no rows": lambda: intervals.interval_dots(nothing("value", "low", "high"), label="kappa"),
    "no embeddings": lambda: dots.target_associations({}, lists=("career", "family")),
    "an empty list": lambda: dots.target_associations({"a": ([], [1.0])}, lists=("b", "c")),
    "no curve": lambda: curves.curves_by_panel({"a": nothing("b")}, x="aperture"),
    "no points": lambda: points.scatter([], [], [], x="inside", y="outside"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_where_there_is_nothing_to_draw_a_figure_is_empty_and_no_error(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plots.render(EMPTY[name]())
