"""Figures of dots in rows."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from lib.plots import style
from tests.lib.plots.figures import FIGURES, SCORES, WORDS, marked, row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_every_score_is_a_dot_and_words_stand_in_the_order_of_their_means():
    ax = FIGURES["scores_by_pair"]().axes[0]
    assert np.allclose(np.sort(marked(ax)[:, 0]), np.sort(SCORES.ravel()))
    assert row_labels(ax) == [WORDS[row] for row in np.argsort(-SCORES.mean(axis=1))]


def test_associations_are_turned_so_that_female_is_positive():
    ax = FIGURES["target_associations"]().axes[0]
    career = np.sort(marked(ax)[:, 0])[:2]
    assert np.allclose(career, [-1.0, -0.5])
    bars = ax.collections[-1]
    colours = [to_hex(colour[:3]) for colour in bars.get_colors()]
    assert colours == [style.PALETTE["male"], style.PALETTE["female"]]


def test_a_share_above_one_half_leans_female_and_a_missing_one_is_said():
    he, she = FIGURES["share_dots"]().axes
    assert [text.get_text() for text in he.texts] == ["20%", "not in vocabulary"]
    colours = {to_hex(colour) for colour in she.collections[1].get_facecolors()}
    assert colours == {style.PALETTE["female"], style.PALETTE["neutral"]}
