"""Figures of the translation gender bias index: drawn alike every time, every share and score in its place."""

import pandas as pd
import pytest

from lib import plots
from lib.plots import bars, curves

pytestmark = pytest.mark.usefixtures("figures_are_closed")

SHARES = pd.DataFrame(
    {"female": [0.2, 0.0], "neutral": [0.0, 0.1], "male": [0.8, 0.9], "score": [0.4, 0.316]},
    ["informal", "formal"],
)
CURVE = pd.Series([0.0, 0.5, 0.0], [0.0, 0.5, 1.0])
FIGURES = {
    "score curves": lambda: curves.score_curves(
        {"No neutral output": CURVE, "No she": CURVE},
        {"No neutral output": (0.5, 0.5, "half: 0.50"), "No she": (0.2, 0.4, "low")},
        level=0.5,
        labels={"No neutral output": "she", "No she": "neutral"},
        printed={"No she": pd.DataFrame({"share": [0.1, 0.2], "score": [0.3, 0.4]})},
    ),
    "shares by set": lambda: bars.shares_by_set({"one": SHARES, "two": SHARES[::-1]}),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_alike_every_time(name):
    assert plots.render(FIGURES[name]()) == plots.render(FIGURES[name]())


def test_bars_fill_a_row_and_rows_keep_the_order_of_the_first_panel():
    one, two = FIGURES["shares by set"]().axes
    for ax in (one, two):
        reach = {round(bar.get_y(), 2): 0.0 for bar in ax.patches}
        for bar in ax.patches:
            reach[round(bar.get_y(), 2)] += bar.get_width()
        assert len(ax.patches) == 6 and list(reach.values()) == pytest.approx([1, 1])
        assert [text.get_text() for text in ax.texts] == [".40", ".32"]


def test_unread_outputs_have_a_segment_of_their_own():
    table = SHARES.assign(unread=[0.1, 0.0], male=[0.7, 0.9])
    assert len(bars.shares_by_set({"one": table}).axes[0].patches) == 8


def test_marks_say_what_they_are_and_printed_values_are_open():
    balance, no_she = FIGURES["score curves"]().axes
    assert [text.get_text() for text in balance.texts] == ["half: 0.50"] and len(
        balance.collections
    ) == 1
    diamonds = no_she.collections[0]
    assert len(diamonds.get_offsets()) == 2 and tuple(diamonds.get_facecolors()[0][:3]) == (1, 1, 1)
