"""Tables that are searched in the page: what is said of them, and how a browser shows them from a disk."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from lib import plots
from lib.files import spreadsheet_csv
from lib.paths import ROOT
from lib.plots.search_table import search_table
from tests.support.browser import DESKTOP, in_a_browser

VERDICTS = ["reproduced", "differs", "no result"]
ROWS = pd.DataFrame(
    {
        "verdict": pd.Categorical(
            ["no result", "differs", "reproduced", "differs"], VERDICTS, ordered=True
        ),
        "printed": ["0.5 %", "−10", "9", "< 0.01"],
        "what": ['a "b", c', "d <e>", "f", "same random words"],
        "id": ["zhang.1", "zhang.2", "cho.1", "cho.2"],
    }
)


@pytest.fixture
def displayed(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, **options: seen.append((data, options["metadata"]))
    )
    return seen


@pytest.fixture
def shown(displayed):
    """The page and the files of a long table."""
    plots.show_search_table(
        ROWS,
        name="numbers",
        caption="Four <numbers>",
        hidden=["id"],
        filters=["verdict"],
        wide=["what"],
        marked="verdict",
        links={"what": {"f": "f.html"}},
        per_page=2,
        files={"claims.json": "[]\n"},
    )
    data, metadata = displayed[0]
    return data["text/html"], metadata["site_files"]


def test_rows_are_beside_the_page_and_say_the_same_as_the_table(shown):
    _, files = shown
    content = json.loads(files["numbers.js"].partition("]=")[2].rstrip(";\n"))
    again = {
        column["name"]: [column["values"][code] for code in column["codes"]]
        for column in content["columns"]
    }
    assert again == {name: list(values.astype(str)) for name, values in ROWS.items()}
    assert [column["ordered"] for column in content["columns"]] == [True, False, False, False]


def test_the_csv_has_every_column_and_further_files_are_offered(shown):
    html, files = shown
    again = pd.read_csv(io.StringIO(files["numbers.csv"]), dtype=str)
    assert again.equals(ROWS.astype(str))
    assert files["claims.json"] == "[]\n"
    assert 'href="../_static/files/claims.json" download' in html


def test_text_is_text_and_the_first_rows_stand_in_the_page(shown):
    html, _ = shown
    assert "Four &lt;numbers&gt;" in html and "d &lt;e&gt;" in html and "zhang.1" not in html
    assert html.count("<tr>") == 1 + len(ROWS)
    assert 'class="verdict-mark mark-no-result">no result<' in html


@pytest.mark.parametrize("argument", [{"filters": ["colour"]}, {"wide": ["wat"]}])
def test_a_column_that_is_not_there_is_refused(argument, refuses):
    refuses(
        lambda: search_table(ROWS, name="numbers", **argument),
        ["column", next(iter(argument.values()))[0]],
    )


@pytest.fixture
def page(shown, browser, tmp_path):
    html, files = shown
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_static" / "files").mkdir(parents=True)
    for name, content in files.items():
        (tmp_path / "_static" / "files" / name).write_text(content)
    for name in ("search_table.js", "search_table.css", "palette.css"):
        (tmp_path / "_static" / name).write_bytes((ROOT / "_static" / name).read_bytes())
    short = search_table(ROWS[["id", "what", "printed"]], name="short", hidden=["id"], per_page=2)
    (tmp_path / "chapters" / "page.html").write_text(
        '<!doctype html><meta charset="utf-8"><script src="../_static/search_table.js"></script>'
        f'<link rel="stylesheet" href="../_static/search_table.css">{html}{short}'
    )
    opened = browser.new_page(viewport=DESKTOP)
    opened.goto((tmp_path / "chapters" / "page.html").as_uri())
    yield opened
    opened.close()


def column(page, place, table="numbers"):
    return page.locator(f"#{table}-table tbody tr td:nth-child({place})").all_inner_texts()


@in_a_browser
def test_words_are_found_in_any_order_also_in_hidden_columns_and_quotes_keep_them_together(page):
    search = page.locator("#numbers-table input[type=search]")
    search.fill("DIFFERS zhang")
    assert column(page, 2) == ["−10"]
    search.fill("words same")
    assert column(page, 2) == ["< 0.01"]
    search.fill('"words same"')
    assert column(page, 2) == []
    assert "No row fits" in page.locator("#numbers-table [role=status]").inner_text()


@in_a_browser
def test_headings_sort_as_numbers_and_in_the_order_of_categories(page):
    heading = page.locator("#numbers-table thead button")
    heading.nth(1).click()
    assert column(page, 2) == ["−10", "< 0.01"]
    heading.nth(1).click()
    assert column(page, 2) == ["9", "0.5 %"]
    assert page.locator("#numbers-table th").nth(1).get_attribute("aria-sort") == "descending"
    heading.nth(0).click()
    assert column(page, 1) == ["reproduced", "differs"]


@in_a_browser
def test_a_filter_and_the_pages_leave_what_belongs_there(page):
    page.locator("#numbers-table").get_by_label("verdict").select_option(label="differs")
    assert column(page, 1) == ["differs", "differs"]
    page.locator("#numbers-table").get_by_label("verdict").select_option(label="all")
    page.locator("#numbers-table").get_by_role("button", name="Next").click()
    assert column(page, 2) == ["9", "< 0.01"]
    assert "Rows 3 to 4 of 4" in page.locator("#numbers-table [role=status]").inner_text()


@in_a_browser
def test_what_is_saved_is_what_is_left_with_hidden_columns(page):
    page.locator("#numbers-table input[type=search]").fill("cho")
    with page.expect_download() as download:
        page.locator("#numbers-table").get_by_role("button", name="CSV").click()
    saved = pd.read_csv(Path(download.value.path()), dtype=str)
    assert saved.equals(ROWS[ROWS["id"].str.startswith("cho")].astype(str).reset_index(drop=True))


FORMULAS = ["=cmd|' /C calc'!A0", "-1+cmd|'x'!A1", "@SUM(1)", "\t=1"]
NUMBERS = ["-0.5", "+0.20 (-0.1 to +0.5)", "-inf"]


def test_the_file_beside_the_page_has_no_formula_and_the_page_has_the_text(displayed):
    rows = pd.DataFrame({"word": FORMULAS + NUMBERS})
    plots.show_search_table(rows, name="hostile", caption="Hostile words")
    html, files = displayed[0][0]["text/html"], displayed[0][1]["site_files"]
    saved = pd.read_csv(io.StringIO(files["hostile.csv"]))["word"].tolist()
    assert saved == [*(f"'{cell}" for cell in FORMULAS), *NUMBERS]
    assert '<td data-label="word">@SUM(1)</td>' in html


@in_a_browser
def test_a_saved_cell_is_no_formula(browser, tmp_path):
    table = search_table(pd.DataFrame({"word": FORMULAS + NUMBERS}), name="hostile")
    script = (ROOT / "_static" / "search_table.js").read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><meta charset="utf-8"><script>{script}</script>{table}')
    opened = browser.new_page(viewport=DESKTOP)
    opened.goto(page.as_uri())
    with opened.expect_download() as download:
        opened.get_by_role("button", name="CSV").click()
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    opened.close()
    assert saved == spreadsheet_csv(saved)
    cells = pd.read_csv(io.StringIO(saved))["word"].tolist()
    assert cells == [*(f"'{cell}" for cell in FORMULAS), *NUMBERS]
