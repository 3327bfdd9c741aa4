"""Clouds of tokens, drawn."""

import pytest

from lib.plots import style
from tests.lib.plots.figures import FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_each_cloud_carries_its_word_in_its_colour():
    ax = FIGURES["token_clouds"]().axes[0]
    assert {text.get_text(): text.get_color() for text in ax.texts} == {
        "he": style.PALETTE["male"],
        "she": style.PALETTE["female"],
    }
    he, she = ax.collections
    assert len(he.get_facecolors()) == 1 and len(she.get_facecolors()) == 0
