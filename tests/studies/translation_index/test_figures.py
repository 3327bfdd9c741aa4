"""The curve of the score: its words, and printed values as open diamonds."""

import pytest

from tests.lib.plots.figures import FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_marks_say_what_they_are_and_printed_values_are_open():
    balance, no_she = FIGURES["score_curves"]().axes
    assert [text.get_text() for text in balance.texts] == ["half: 0.50"]
    assert len(balance.collections) == 1
    diamonds = no_she.collections[0]
    assert len(diamonds.get_offsets()) == 2 and len(diamonds.get_facecolors()) == 0
