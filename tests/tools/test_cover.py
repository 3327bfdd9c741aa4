"""The figure on the cover is a real result: its committed numbers come back."""

import numpy as np
import pandas as pd

from tools import cover


def test_the_cover_shows_what_the_library_computes():
    committed = pd.read_csv(cover.STATIC / "cover.csv", index_col="word")
    computed = cover.cover_scores()
    assert list(committed.columns) == list(computed.columns)
    assert tuple(committed.index) == cover.OCCUPATIONS
    assert np.allclose(committed, computed, atol=2e-5)


def test_the_cover_shows_words_that_change_sides():
    signs = np.sign(pd.read_csv(cover.STATIC / "cover.csv", index_col="word"))
    assert (signs.nunique(axis=1) > 1).sum() >= 2


def test_the_cover_figure_is_committed_as_a_drawing():
    assert (cover.STATIC / "cover.svg").read_text(encoding="utf-8").count("<use ") >= 8 * 10
