"""Spreadsheets: values of a small one made here, of the one that Karve et al. published, and files that are none."""

import zipfile

import openpyxl
import pytest

from lib.datasets.spreadsheet import read_sheets
from lib.sources import fetch


def test_cells_come_by_row_and_column_numbers_as_numbers(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "One"
    for place, value in {"A2": "d", "AB2": -0.25, "A3": "two parts", "C3": "NA"}.items():
        book.active[place] = value
    book.save(tmp_path / "small.xlsx")
    assert read_sheets(tmp_path / "small.xlsx") == {
        "One": {(2, "A"): "d", (2, "AB"): -0.25, (3, "A"): "two parts", (3, "C"): "NA"}
    }


@pytest.mark.sample("conceptor_weat_results")
def test_the_published_spreadsheet_is_read():
    sheets = read_sheets(fetch("conceptor_weat_results"))
    assert sheets["Career, Family"][3, "A"] == "Glove"
    assert sheets["Career, Family"][3, "C"] == pytest.approx(1.7819, abs=1e-4)


@pytest.mark.parametrize("content", [b"no archive", None])
def test_a_file_that_is_no_spreadsheet_is_refused(tmp_path, refuses, content):
    path = tmp_path / "file.xlsx"
    if content is None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("other.txt", "")
    else:
        path.write_bytes(content)
    refuses(lambda: read_sheets(path), [".xlsx", "file.xlsx"])
