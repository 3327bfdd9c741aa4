"""Figures in the form of tables."""

import pytest

from tests.plots.figures import FIGURES, row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_a_heat_map_prints_every_number_and_sets_those_of_noise_small():
    texts = {text.get_text(): text.get_fontsize() for text in FIGURES["heat_map"]().axes[0].texts}
    assert set(texts) == {".40", "-.20", "-.50", ".02", ".10"}
    assert texts[".02"] == texts["-.20"] < texts[".40"] == texts["-.50"]


def test_papers_with_most_results_stand_on_top_and_counts_are_written():
    ax = FIGURES["verdict_counts"]().axes[0]
    assert row_labels(ax) == ["p", "q"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["reproduced", "no\nresult"]
    assert {(text.xy, text.get_text()) for text in ax.texts} == {
        ((0, 0), "1"),
        ((1, 0), "1"),
        ((1, 1), "2"),
    }
