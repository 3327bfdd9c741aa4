"""Verdicts as stacked bars: said in words, in a fixed order, with their colours."""

import re

import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from lib import plots
from lib.paths import ROOT
from lib.plots.style import VERDICT_COLOURS

COUNTS = pd.DataFrame(
    {"differs": [1, 0], "no result": [0, 30], "reproduced": [99, 10]}, ["Cho & al.", "Zhang"]
)


@pytest.fixture
def html(monkeypatch):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data: seen.append(data.data))
    plots.show_verdict_bars(
        COUNTS,
        caption="Verdicts by paper",
        links={"Zhang": "zhang.html"},
        notes={"Zhang": "10 of 12 come out"},
        more={"Zhang": ("certificate", "certificates.html#zhang")},
    )
    return seen[0]


def test_a_bar_says_its_counts_in_words_the_good_ones_first(html):
    assert re.findall(r'role="img" aria-label="([^"]+)"', html) == [
        "Cho &amp; al.: 99 reproduced, 1 differs",
        "Zhang: 10 reproduced, 30 no result",
    ]
    assert re.findall(r'class="part part-([a-z-]+)" style="flex-grow:(\d+)"', html) == [
        ("reproduced", "99"),
        ("differs", "1"),
        ("reproduced", "10"),
        ("no-result", "30"),
    ]


def test_a_part_too_narrow_for_its_number_has_none(html):
    assert re.findall(r'title="[^"]+">(\d*)<', html) == ["99", "", "10", "30"]


def test_rows_carry_links_and_notes_and_the_legend_the_totals(html):
    assert '<a href="zhang.html">Zhang</a>' in html
    assert '10 of 12 come out · <a href="certificates.html#zhang">certificate</a>' in html
    assert ">reproduced</span> 109<" in html


def test_a_verdict_without_a_colour_is_refused(refuses):
    refuses(
        lambda: plots.show_verdict_bars(COUNTS.rename(columns={"differs": "difers"}), caption=""),
        ["verdict", "difers"],
    )


def test_every_verdict_has_a_colour_of_its_own_in_the_style_sheet():
    sheet = (ROOT / "_static" / "search_table.css").read_text()
    for verdict in VERDICT_COLOURS:
        name = verdict.replace(" ", "-")
        assert f".mark-{name}, .part-{name} {{ --mark: var(--verdict-{name}); }}" in sheet
    assert len(set(VERDICT_COLOURS.values())) == len(VERDICT_COLOURS)


def luminance(colour):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in to_rgb(colour)]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize("verdict", VERDICT_COLOURS)
def test_a_number_in_a_bar_can_be_read(verdict):
    sheet = (ROOT / "_static" / "search_table.css").read_text()
    white = re.search(r"\.verdict-bar :is\(([^)]+)\) \{ color: #fff; \}", sheet)[1]
    ink = "#fff" if f".part-{verdict.replace(' ', '-')}" in white.split(", ") else "#222"
    light, dark = sorted((luminance(ink), luminance(VERDICT_COLOURS[verdict])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
