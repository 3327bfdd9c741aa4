"""A study of the reader's own: systems with a score and an outcome each, from a table in a file or in the notebook."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.checks import did_you_mean, one_of
from lib.own_lists import with_points

NO_NUMBER = ("", "na", "n/a", "nan", "none", "-", "–", ".")
FEWEST = 4  # systems that a correlation with an interval takes
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
TENS = {
    20: "twenty",
    30: "thirty",
    40: "forty",
    50: "fifty",
    60: "sixty",
    70: "seventy",
    80: "eighty",
}


def read_own_study(reference: str | Path) -> pd.DataFrame:
    """A CSV or TSV in UTF-8 with a heading: the name of a system, its score, its outcome. NaN where a cell holds no number.

    Of a table with more columns `scores.csv:SCORE,OUTCOME` names the two. Semicolons between cells and commas in numbers are read as
    spreadsheets write them.
    """
    path, asked = _parted(reference)
    if path.suffix.lower() not in (".csv", ".tsv"):
        raise ValueError(f"{path}: expected a table as .csv or .tsv: name, score, outcome")
    heading, *rows = _cells(path)
    wide = next((row for row in rows if len(row) != len(heading)), None)
    if wide is not None:
        raise ValueError(
            f"{path}: expected {len(heading)} cells in each line, as in its heading, got {','.join(wide)!r:.60}"
        )
    numeric = [_is_numeric([row[place] for row in rows]) for place in range(len(heading))]
    names = [row[0] for row in rows]
    if numeric[0]:  # no names
        names = [str(number) for number in range(1, len(rows) + 1)]
    if asked:
        places = []
        for name in asked:
            one_of(f"column of {path}", name, heading)
            places.append(heading.index(name))
    else:
        places = [place for place, right in enumerate(numeric) if right]
        if len(places) != 2:
            raise ValueError(
                f"{path}: expected one column of scores and one of outcomes, got columns of numbers: "
                f"{', '.join(heading[place] for place in places) or 'none'}. Name two: {path.name}:SCORE,OUTCOME"
            )
    columns = [_numbers(path, heading[place], [row[place] for row in rows]) for place in places]
    return pd.DataFrame(np.transpose(columns), names, [heading[place] for place in places])


def one_row_a_system(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Score and outcome of each system, (n, 2), and what is to be said of it: rows of one name, such as seeds, count once, with their mean; rows that
    lack a number are left out."""
    if not isinstance(table, pd.DataFrame) or table.shape[1] < 2:
        raise ValueError("systems: expected a table with a column of scores and one of outcomes")
    two = table.iloc[:, :2].apply(pd.to_numeric, errors="coerce").astype(float)
    two = two.where(np.isfinite(two)).set_axis(table.index.astype(str))
    whole = two.dropna()
    gone = list(dict.fromkeys(two.index[two.isna().any(axis=1)]))
    notes = [f"{len(two) - len(whole)} rows lack a number and are left out: {_listed(gone)}."]
    means = whole.groupby(level=0, sort=False).mean()
    notes = notes * bool(gone)
    if len(means) < len(whole):
        notes.append(
            f"{len(whole)} rows are of {len(means)} systems; rows of one name count once, with their mean."
        )
    if table.shape[1] > 2:
        others = _listed([str(name) for name in table.columns[2:]])
        notes.append(f"The first two columns are read; not used: {others}.")
    return means, notes


def why_not(table: pd.DataFrame) -> str:
    """Why these systems have no correlation; "" where they have."""
    if len(table) < FEWEST:
        return f"it takes {FEWEST} systems with a score and an outcome, and here are {len(table)}"
    same = [str(name) for name in table if not np.ptp(table[name]) > 0]
    return f"all systems have the same {' and '.join(same)}" if same else ""


def study_or(*names: str) -> Callable[[str, Any], str]:
    """A rule for a parameter: one of some names, or a file that `read_own_study` reads."""

    def rule(name: str, value: Any) -> str:
        if isinstance(value, str) and value in names:
            return value
        if not isinstance(value, str) or not value or not _parted(value)[0].is_file():
            near = did_you_mean(value, names)
            raise ValueError(
                f"{name}: expected {', '.join(names)}, or a CSV or TSV of your own systems (name, score, outcome); got {value!r}, which is no file here. {near}".strip()
            )
        try:
            read_own_study(value)
        except ValueError as error:
            raise ValueError(f"{name}: expected systems of your own. {error}") from error
        return value

    return rule


def correlation_that_matters(name: str, value: Any) -> float:
    """A rule: a number above 0 and below 1."""
    if type(value) not in (int, float) or not 0 < value < 1:
        raise ValueError(f"{name}: expected a number between 0 and 1; got {value!r}.")
    return float(value)


def _parted(reference: str | Path) -> tuple[Path, list[str]]:
    """The file, and the two columns asked for."""
    path = Path(reference).expanduser()
    file, colon, columns = str(path).rpartition(":")
    if path.is_file() or not colon or not Path(file).is_file():
        return path, []
    asked = [name.strip() for name in columns.split(",")]
    if len(asked) != 2:
        raise ValueError(
            f"{file}: expected two columns as SCORE,OUTCOME after the colon, got {columns!r}"
        )
    return Path(file), asked


def _cells(path: Path) -> list[list[str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        got = getattr(error, "strerror", None) or "other bytes; save it as UTF-8"
        raise ValueError(f"{path}: expected a table in UTF-8, got: {got}") from error
    first = next(iter(text.splitlines()), "")
    between = "\t" if path.suffix.lower() == ".tsv" else ";" if ";" in first else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True))
    except csv.Error as error:
        raise ValueError(
            f"{path}: expected a table with {between!r} between cells, got {error}"
        ) from error
    cells = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    if len(cells) < 2 or len(cells[0]) < 2:
        raise ValueError(f"{path}: expected a heading and a system a line: name, score, outcome")
    if all(_is_numeric([cell]) for cell in cells[0]):
        raise ValueError(
            f"{path}: expected a heading such as name,score,outcome; got {','.join(cells[0])!r:.60}"
        )
    return cells


def _is_numeric(cells: list[str]) -> bool:
    """Whether a column holds numbers, and nothing but these and empty cells."""
    held = [cell for cell in cells if cell.lower() not in NO_NUMBER]
    held = with_points(held) or held
    return bool(held) and all(map(_is_number, held))


def _numbers(path: Path, name: str, cells: list[str]) -> list[float]:
    held = [cell for cell in cells if cell.lower() not in NO_NUMBER]
    bad = next((cell for cell in with_points(held) or held if not _is_number(cell)), None)
    if bad is not None:
        raise ValueError(f"{path}: expected numbers in column {name!r}, got {bad!r:.60}")
    numbers = iter(with_points(held) or held)
    return [float("nan") if cell.lower() in NO_NUMBER else _float(next(numbers)) for cell in cells]


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(_float(text)))
    except ValueError:
        return False


def _float(text: str) -> float:
    return float(text.replace("−", "-"))


def _listed(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def spelled(number: int) -> str:
    """A small whole number as a word, as sentences begin with one; others in figures."""
    if 0 < number <= len(WORDS):
        return WORDS[number - 1]
    return TENS.get(number, f"{number:,}")
