"""Figures of shares and distributions as bars."""

import numpy as np
import pytest

from lib.plots import bars
from tests.lib.plots.figures import FIGURES, SHARES, row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_bars_fill_a_row_and_scores_stand_behind_them():
    for ax in FIGURES["shares_by_set"]().axes:
        reach = {round(bar.get_y(), 2): 0.0 for bar in ax.patches}
        for bar in ax.patches:
            reach[round(bar.get_y(), 2)] += bar.get_width()
        assert len(ax.patches) == 6 and list(reach.values()) == pytest.approx([1, 1])
        assert [text.get_text() for text in ax.texts] == [".40", ".32"]


def test_sets_keep_the_order_of_the_first_panel():
    assert row_labels(FIGURES["shares_by_set"]().axes[0]) == ["informal", "formal"]


def test_a_set_without_a_score_shows_none_and_the_others_keep_their_rows():
    ax = bars.shares_by_set({"one": SHARES.assign(score=[np.nan, 0.5])}).axes[0]
    assert [(text.get_text(), text.xy[1]) for text in ax.texts] == [(".50", 1)]


def test_unread_outputs_have_a_segment_of_their_own():
    table = SHARES.assign(unread=[0.1, 0.0], male=[0.7, 0.9])
    assert len(bars.shares_by_set({"one": table}).axes[0].patches) == 8


def test_the_legend_takes_other_words():
    fig = bars.shares_by_set({"one": SHARES}, {"neutral": "both"})
    assert [text.get_text() for text in fig.legends[0].get_texts()] == [
        "masculine",
        "both",
        "feminine",
    ]
