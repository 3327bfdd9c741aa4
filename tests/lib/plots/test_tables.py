"""Figures in the form of tables."""

import pandas as pd
import pytest

from lib.plots import tables
from tests.lib.plots.figures import FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_a_heat_map_prints_every_number_and_sets_those_of_noise_thin():
    texts = {text.get_text(): text.get_fontweight() for text in FIGURES["heat_map"]().axes[0].texts}
    assert set(texts) == {".40", "−.20", "−.50", ".02", ".10"}
    assert texts[".02"] == texts["−.20"] == "normal" and texts[".40"] == texts["−.50"] == "bold"


def test_what_rounds_to_zero_has_no_sign():
    table = pd.DataFrame({"threat": [-0.001, 0.4]}, ["wages", "seats"])
    assert tables.heat_map(table, label="R²").axes[0].texts[0].get_text() == ".00"
