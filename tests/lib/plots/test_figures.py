"""All figures: drawn alike every time, labelled, legible, and with the table they were drawn from."""

import importlib
import inspect
import io
import re
import warnings

import numpy as np
import pandas as pd
import pytest

from lib import plots
from lib.paths import ROOT
from lib.plots import curves, dots, intervals, layout, points, style
from studies.multiclass import figures as multiclass
from tests.lib.plots.figures import FIGURES, LONG_FIGURES

COLUMN = 690  # pixels of a page on a desktop

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
        drawn = set(FIGURES) | set(re.findall(r"\w+", " ".join(test.read_text() for test in tests)))
        assert figures_in(path) <= drawn, path


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_alike_every_time_and_without_warnings(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = FIGURES[name](), FIGURES[name]()
        assert plots.render(first) == plots.render(second)
    assert plots.render(first).lstrip().startswith(b"<?xml")


@pytest.mark.parametrize("name", [n for n in FIGURES if n not in ("heat_map", "word_across_pairs")])
def test_a_figure_says_what_its_axes_are(name):
    fig = FIGURES[name]()
    assert any(ax.get_xlabel() for ax in fig.axes) or fig.get_supxlabel() or fig.get_supylabel()


@pytest.mark.parametrize("drawn", [FIGURES, LONG_FIGURES], ids=["short", "long"])
@pytest.mark.parametrize("name", LONG_FIGURES)
def test_a_figure_is_no_wider_than_the_page_and_its_text_large_enough(name, drawn):
    image = plots.render(drawn[name]()).decode()
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', image)[1])
    assert width <= 72 * (style.WIDTH + 0.16)  # with the white around it
    size = float(re.search(r'data-smallest-text="([\d.]+)"', image)[1])
    assert size >= 9 and size * COLUMN / max(width, COLUMN * 0.75) >= 9


def test_long_inputs_are_tried_for_every_figure_that_takes_words_from_its_chapter():
    assert set(FIGURES) - set(LONG_FIGURES) == {"cosine_by_dimension", "agreement_against_cosine"}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_offers_its_numbers_as_csv(name):
    table = layout.data_of(FIGURES[name]())
    again = pd.read_csv(io.StringIO(table.to_csv()))
    assert len(again) == len(table) > 0
    assert len(again.select_dtypes("number").columns) > 0


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
    "no columns": lambda: dots.share_dots(pd.DataFrame(index=["a"]), label="share"),
    "no panels": lambda: intervals.dots_by_panel(nothing("panel", "row", "value"), label="d"),
    "no embeddings": lambda: dots.target_associations({}, lists=("career", "family")),
    "an empty list": lambda: dots.target_associations({"a": ([], [1.0])}, lists=("b", "c")),
    "an empty strip": lambda: dots.strips({"": {"a": pd.Series(dtype=float)}}, labels={"": "d"}),
    "no classes' words": lambda: multiclass.class_cosines(
        nothing("man"), nothing("low", "high"), label="cosine", band=""
    ),
    "no curve": lambda: curves.curves_by_panel({"a": nothing("b")}, x="aperture"),
    "no points": lambda: points.scatter([], [], [], x="inside", y="outside"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_where_there_is_nothing_to_draw_a_figure_is_empty_and_no_error(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plots.render(EMPTY[name]())
