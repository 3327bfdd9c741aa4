"""Reading the values of a spreadsheet that authors published (.xlsx)."""

from __future__ import annotations

import zipfile
from pathlib import Path

Cell = str | float


def read_sheets(path: str | Path) -> dict[str, dict[tuple[int, str], Cell]]:
    """Sheet name -> (row, column letters) -> value; cells without a value are left out.

    Formulas come as the value saved with them. Raises ValueError when the file is no .xlsx.
    """
    import openpyxl

    try:
        with Path(path).open("rb") as file:
            book = openpyxl.load_workbook(file, data_only=True)
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        openpyxl.utils.exceptions.InvalidFileException,
    ) as error:
        raise ValueError(
            f"{path}: expected a spreadsheet in .xlsx format, got something else ({error})"
        ) from error
    return {
        sheet.title: {
            (c.row, c.column_letter): c.value
            for row in sheet.iter_rows()
            for c in row
            if c.value is not None
        }
        for sheet in book.worksheets
    }
