"""Paper against run: what stands first, what is folded, and what a row says."""

import base64
import io
import re

import numpy as np
import pandas as pd
import pytest

from lib import plots
from lib.plots.against import against

ROWS = pd.DataFrame(
    [
        ("a.1", "Table 1", "d · WEAT · B1", "1.37", "1.37", "0.5 to 1.6", "reproduced", "rerun"),
        ("a.2", "Table 1", "d · WEAT · B2", "-1.02", "0.5", "", "differs", "rerun"),
        (
            "a.3",
            "Table 1",
            "n words · GAP",
            "48088 words",
            "48088 words",
            "",
            "reproduced",
            "rerun",
        ),
        ("a.4", "Table 1", "p value · WEAT", "< 15 %", "14.7 %", "", "holds", "as released"),
        ("a.5", "Table 2", "d · WEAT", "1", "2", "", "agrees elsewhere", "other"),
    ],
    columns=["claim_id", "location", "what", "paper", "run", "interval", "verdict", "basis"],
).assign(reason=["", "0.5 against -1.02", "", "in_notebook", ""], difference=np.nan)


def cells(html):
    lines = re.findall(r"<tr><th scope=\"row\">(.*?)</th>(.*?)</tr>", html)
    return {what: re.findall(r'class="number">([^<]*)<', row) for what, row in lines}


@pytest.fixture
def html():
    return against(ROWS, caption="Paper against run")


def test_the_paper_s_data_come_first_and_everything_else_is_folded(html):
    own, released, elsewhere = (
        html.index(words) for words in ("own data", "authors' files", "other data")
    )
    assert own < released < elsewhere
    folded = html[html.index('<details class="against-section"') :]
    assert "agrees elsewhere" in folded and "holds" in folded and "differs" not in folded
    assert "1 differs" in html[:released]


def test_ids_are_only_in_the_file(html):
    encoded = re.search(r"base64,([^\"]+)", html)[1]
    saved = pd.read_csv(io.BytesIO(base64.b64decode(encoded)))
    assert list(saved["claim_id"]) == list(ROWS["claim_id"])
    assert not re.search(r">[^<]*\ba\.1\b", html)


def test_numbers_have_a_true_minus_groups_of_thousands_and_no_unit_of_their_own(html):
    shown = cells(html)
    assert shown["B2"] == ["−1.02", "0.5"]
    assert shown["number of words · GAP"] == ["48,088", "48,088"]
    assert shown["p-value · WEAT"] == ["&lt; 15 %", "14.7 %"]
    assert "0.5 against −1.02" in html


def test_each_quantity_has_a_scale_of_its_own(html):
    tables = re.findall(r"<tbody>(.*?)</tbody>", html)
    assert [len(re.findall('class="printed"', table)) for table in tables] == [2, 1, 1, 1]
    ends = re.search(r'class="strip-ends"><span>([^<]+)</span><span>([^<]+)<', tables[0])
    assert ends.groups() == ("−1.1", "1.7")
    assert tables[0].count('class="interval"') == 1


def test_text_stands_for_the_table_where_no_html_is_shown(monkeypatch, refuses):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: seen.append(data))
    plots.show_against(ROWS)
    text = seen[0]["text/plain"].splitlines()
    assert text[0] == "Paper against run: 2 reproduced, 1 differs, 1 holds, 1 agrees elsewhere"
    assert "Table 1 · d · WEAT · B2: printed -1.02, ours 0.5: differs (0.5 against -1.02)" in text
    refuses(lambda: plots.show_against(ROWS.drop(columns="basis")), ["column", "basis"])
