"""Tables on a page: alignment, scope, signs, missing values, one row of headers."""

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from runner.tables import tidy_tables

FRAME = pd.DataFrame(
    {
        "word": ["nurse", "judge", "non-binary"],
        "d": [-0.2, 0.1, np.nan],
        "p_value": [0.0001, 0.03, 0.25],
        "words": [50_000, 1000, 7],
    },
    pd.Index(["one", "two", "three"], name="vectors"),
)


def styled(frame, caption="A table"):
    return frame.style.format(precision=3).set_caption(caption).to_html()


def parsed(html):
    return BeautifulSoup(html, "html.parser")


def rows(html, part):
    return [
        [cell.get_text(strip=True) for cell in row.find_all(["th", "td"])]
        for row in parsed(html).select(f"{part} tr")
    ]


@pytest.fixture(params=[styled, pd.DataFrame.to_html], ids=["styled", "plain"])
def html(request):
    return tidy_tables(request.param(FRAME), "Results")


def test_headers_say_what_they_head_and_text_stands_left_and_numbers_right(html):
    table = parsed(html)
    kinds = ["text", "text", "number", "number", "number"]
    assert [cell["class"][-1] for cell in table.select("thead th")] == kinds
    assert [cell["class"][-1] for cell in table.select("tbody tr")[0].find_all("td")] == kinds[1:]
    assert {cell["scope"] for cell in table.select("thead th")} == {"col"}
    assert {cell["scope"] for cell in table.select("tbody th")} == {"row"}
    assert rows(html, "thead") == [["vectors", "word", "d", "p value", "words"]]


def test_numbers_have_one_form():
    assert rows(tidy_tables(styled(FRAME)), "tbody") == [
        ["one", "nurse", "−0.200", "< .001", "50,000"],
        ["two", "judge", "0.100", ".030", "1,000"],
        ["three", "non-binary", "–", ".250", "7"],
    ]


def test_zero_has_no_sign_and_ranges_and_words_keep_their_hyphens():
    frame = pd.DataFrame({"d": ["-0.000", "(-0.1 to -.2)", "2016-01", "+0.0 %"]})
    table = rows(tidy_tables(frame.to_html(index=False)), "tbody")
    assert table == [["0.000"], ["(−0.1 to −.2)"], ["2016-01"], ["0.0 %"]]
    frame = pd.DataFrame({"seed": [123456, 2016]})  # names and years are no amounts
    assert rows(tidy_tables(frame.to_html(index=False)), "tbody") == [["123456"], ["2016"]]


def test_a_dash_is_explained_and_a_table_without_a_caption_has_one_to_be_heard():
    assert parsed(tidy_tables(styled(FRAME))).caption.get_text() == "A table (–: no value)"
    full = FRAME.fillna(0).to_html()
    caption = parsed(tidy_tables(full, "Results")).caption
    assert caption.get_text() == "Results" and caption["class"] == ["only-heard"]
    seen = parsed(tidy_tables(FRAME.to_html(), "Results")).caption
    assert seen.get_text() == "Results (–: no value)" and "class" not in seen.attrs


def test_groups_of_columns_span_them_and_labels_of_several_rows_theirs():
    grouped = pd.DataFrame(
        np.eye(4),
        pd.MultiIndex.from_product([["a", "b"], ["c", "d"]], names=["first", "second"]),
        pd.MultiIndex.from_product([["run", "printed"], ["x", "y"]]),
    )
    table = parsed(tidy_tables(styled(grouped)))
    assert [cell["scope"] for cell in table.select("th.group")] == ["colgroup"] * 2
    assert [cell.get_text() for cell in table.select("tbody th[scope=rowgroup]")] == ["a", "b"]
    headers = rows(str(table), "thead")
    assert len(headers) == 2 and headers[1] == ["first", "second", "x", "y", "x", "y"]


def test_a_table_that_a_style_refers_to_keeps_its_names():
    html = FRAME.style.set_properties(subset=["word"], **{"font-style": "italic"}).to_html()
    assert 'id="T_' in tidy_tables(html) and "_row0_col0" in tidy_tables(html)
    assert "_row0_col0" not in tidy_tables(styled(FRAME))


@pytest.mark.parametrize(
    "html", ["<p>−1</p>", '<div class="search-table"><table><th>-1</th></table></div>']
)
def test_other_outputs_are_left_alone(html):
    assert tidy_tables(html) == html
