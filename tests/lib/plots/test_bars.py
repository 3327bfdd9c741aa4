"""Figures of shares and distributions as bars."""

import numpy as np
import pytest

from lib.plots import bars
from tests.lib.plots.figures import FIGURES, SHARES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_bars_fill_a_row_and_scores_stand_behind_them():
    for ax in FIGURES["shares_by_set"]().axes:
        reach = {round(bar.get_y(), 2): 0.0 for bar in ax.patches}
        for bar in ax.patches:
            reach[round(bar.get_y(), 2)] += bar.get_width()
        assert len(ax.patches) == 6 and list(reach.values()) == pytest.approx([1, 1])
        assert [text.get_text() for text in ax.texts] == [".40", ".32"]


def test_a_set_without_a_score_shows_none_and_the_others_keep_their_rows():
    ax = bars.shares_by_set({"one": SHARES.assign(score=[np.nan, 0.5])}).axes[0]
    assert [(text.get_text(), text.xy[1]) for text in ax.texts] == [(".50", 1)]
