"""Forest plots in the form of tables: what stands where on the scale."""

import re

import numpy as np
import pandas as pd
import pytest

from lib.plots.forest import forest

ROWS = pd.DataFrame(
    {
        "subject": [
            "WEAT · GAP · category: B1, n words: 8",
            "WEAT · GAP · category: B2, n words: 8",
        ],
        "printed": ["0.0", "1.0"],
        "run": ["0.0", "0.5"],
        "verdict": ["reproduced", "differs"],
        "printed number": [0.0, 1.0],
        "ours": [0.0, 0.5],
        "low": [np.nan, 0.25],
        "high": [np.nan, 0.75],
    }
)


def places(html, name):
    return [float(place) for place in re.findall(rf'class="{name}" style="left:([\d.]+)%', html)]


def test_marks_stand_in_proportion_with_a_little_room_at_the_ends():
    html = forest(ROWS, title="Table 1", summary="")
    room = 100 * 0.04 / 1.08
    assert places(html, "printed") == pytest.approx([room, 100 - room], abs=0.01)
    assert places(html, "ours") == pytest.approx([room, 50], abs=0.01)


def test_an_interval_and_a_null_are_drawn_where_they_are_known():
    html = forest(ROWS, title="Table 1", summary="")
    assert html.count('class="interval"') == 1 and html.count('class="null"') == 0
    start, width = re.search(
        r'class="interval" style="left:([\d.]+)%;width:([\d.]+)%', html
    ).groups()
    assert float(start) + float(width) / 2 == pytest.approx(50, abs=0.01)
    null = ROWS.assign(**{"null low": -0.2, "null high": 0.2})
    assert forest(null, title="Table 1", summary="").count('class="null"') == 2


def test_what_all_rows_share_is_said_once():
    html = forest(ROWS, title="Table 1", summary="Two cells.")
    assert "All: WEAT · GAP · n words: 8" in html
    assert re.findall(r'<th scope="row">([^<]+)<', html) == ["category: B1", "category: B2"]
    alone = forest(ROWS.head(1), title="Table 1", summary="One cell.")
    assert re.findall(r'<th scope="row">([^<]+)<', alone) == [
        "WEAT · GAP · category: B1 · n words: 8"
    ]
