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


def test_the_largest_cosine_is_filled_and_named():
    cosines = pd.DataFrame({"man": [0.1, 0.4], "woman": [0.3, 0.2]}, ["nurse", "judge"])
    bars = pd.DataFrame({"low": [0.0, 0.1], "high": [0.2, 0.3]}, cosines.index)
    ax = dots.class_cosines(cosines, bars, label="cosine", band="random").axes[0]
    assert row_labels(ax) == ["judge", "nurse"]
    assert [text.get_text() for text in ax.texts] == ["man", "woman"]
    assert np.allclose(ax.collections[-2].get_offsets(), [[0.4, 0], [0.3, 1]])
    ends = [segment[:, 0].tolist() for segment in ax.collections[-1].get_segments()]
    assert ends == [[0.1, 0.3], [0.0, 0.2]]  # each word has its own bar


def test_words_to_check_stand_below_the_others():
    cosines = pd.DataFrame({"man": [0.9, 0.4], "woman": [0.3, 0.2]}, ["king", "judge"])
    bars = pd.DataFrame({"low": [0.0, 0.1], "high": [0.2, 0.3]}, cosines.index)
    ax = dots.class_cosines(cosines, bars, label="", band="", checks=["king"]).axes[0]
    assert row_labels(ax) == ["judge", "king"]


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
