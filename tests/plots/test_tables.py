"""Figures in the form of tables."""

import pytest

from tests.plots.figures import FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_a_heat_map_prints_every_number_and_sets_those_of_noise_small():
    texts = {text.get_text(): text.get_fontsize() for text in FIGURES["heat_map"]().axes[0].texts}
    assert set(texts) == {".40", "-.20", "-.50", ".02", ".10"}
    assert texts[".02"] == texts["-.20"] < texts[".40"] == texts["-.50"]
