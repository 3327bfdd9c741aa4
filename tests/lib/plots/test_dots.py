"""Figures of dots in rows."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from lib.plots import dots, style
from tests.lib.plots.figures import FIGURES, SCORES, WORDS, marked, row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_every_score_is_a_dot_and_words_stand_in_the_order_of_their_means():
    ax = FIGURES["scores_by_pair"]().axes[0]
    assert np.allclose(np.sort(marked(ax)[:, 0]), np.sort(SCORES.ravel()))
    assert row_labels(ax) == [WORDS[row] for row in np.argsort(-SCORES.mean(axis=1))]


def test_the_pairs_at_the_ends_of_a_row_are_named():
    ax = FIGURES["scores_by_pair"]().axes[0]
    first = np.argmax(SCORES.mean(axis=1))
    names = ["she–he", "her–his", "woman–man"]
    ends = [names[SCORES[first].argmin()], names[SCORES[first].argmax()]]
    assert [text.get_text() for text in ax.texts[:2]] == ends


def test_strips_name_as_many_ends_as_asked():
    fig = dots.strips(
        {"": {"a": pd.Series([1.0, 2.0, 3.0, 4.0], list("wxyz"))}}, labels={"": "score"}, named=2
    )
    assert [text.get_text() for text in fig.axes[0].texts] == ["w, x", "y, z"]


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


def test_marks_take_the_colour_of_the_side_they_move_to():
    ax = FIGURES["odds_moved_by"]().axes[0]
    shown = ax.collections[-1]
    assert [to_hex(colour) for colour in shown.get_facecolors()] == [
        style.PALETTE["male"],
        style.PALETTE["female"],
    ]
