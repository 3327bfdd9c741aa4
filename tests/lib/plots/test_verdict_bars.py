"""Verdicts as stacked bars: said in words, in a fixed order, with their colours."""

import re

import pandas as pd
import pytest

from lib import plots
from lib.paths import ROOT
from lib.plots.style import VERDICT_COLOURS, contrast

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


def test_a_number_in_a_bar_can_be_read():
    sheet = (ROOT / "_static" / "search_table.css").read_text()
    white = re.search(r"\.verdict-bar :is\(([^)]+)\) \{ color: #fff; \}", sheet)[1].split(", ")
    for verdict, colour in VERDICT_COLOURS.items():
        ink = "#fff" if f".part-{verdict.replace(' ', '-')}" in white else "#222"
        assert contrast(ink, colour) >= 4.5, verdict
