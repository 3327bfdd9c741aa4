"""Files of outputs of a translator: an id, a source and an output a row, several outputs of one sentence among them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from lib.checks import did_you_mean

SUFFIXES = (".csv", ".tsv", ".jsonl", ".txt")
LONGEST_LINE = 1_000_000  # characters; longer is no row of a table
BARS = " ||| "  # between source and output in a text file, as the outputs of WinoMT are released
GENDERS = {
    "female": "female f she her woman women feminine",
    "male": "male m he his him man men masculine",
    "neutral": "neutral n they their them neuter",
}
STEREOTYPES = ("pro", "anti", "")
_COLUMNS = {
    "id": ("id", "sentence_id", "number"),
    "source": ("source", "src", "sentence", "english", "text"),
    "output": ("output", "translation", "target", "hypothesis", "answer"),
    "person": ("person", "entity", "occupation"),
    "gender": ("gender", "says"),
    "stereotype": ("stereotype",),
    "ended": ("ended", "finish_reason"),
}


class Outputs(NamedTuple):
    """Result of `read_outputs`.

    Attributes
    ----------
    table : DataFrame
        A row for each output: id, source ("" where the file has none), output, person, gender, stereotype and ended (""
        where the file does not say), all text.
    notes : tuple of str
        What was read otherwise than it stands in the file, in sentences.
    """

    table: pd.DataFrame
    notes: tuple[str, ...]


def read_outputs(path: str | Path) -> Outputs:
    """Read a file of outputs.

    Parameters
    ----------
    path : str or Path
        In UTF-8. CSV or TSV with a heading (between cells stands what stands between its columns: commas, tabs or semicolons), JSONL with an object a line, or text with ``source ||| output`` a line (its id
        is the number of the line). Columns, by these or similar names: ``output``, and ``id`` or ``source`` or both; rows of
        one id, and in JSONL a list of outputs, are several answers to one sentence. For sentences of one's own also
        ``person``, the English word for whom it is about, ``gender`` as the sentence says it, and ``stereotype``, "pro" or
        "anti". ``ended`` may be "length" where a limit cut the output.

    Returns
    -------
    Outputs

    Raises
    ------
    ValueError
        Where the file is none of these, or one id has two sources; the message says what stood there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("id,source,output\\n1,The nurse left.,El enfermero salió.\\n")
    >>> read_outputs(file.name).table.loc[0, ["id", "output"]].tolist()
    ['1', 'El enfermero salió.']
    """
    path = Path(path).expanduser()
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValueError(
            f"{path}: expected a file of outputs, got: {error.strerror or error}"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: expected text in UTF-8, got other bytes at byte {error.start:,}"
        ) from error
    if any(len(line) > LONGEST_LINE for line in text.splitlines()) or "\0" in text:
        raise ValueError(f"{path}: expected a table as text, got something else")
    kind, notes = path.suffix.lower(), []
    if kind == ".txt":
        table = _of_bars(path, text)
    elif kind == ".jsonl":
        table = _named(path, pd.DataFrame(_objects(path, text)))
    elif kind in (".csv", ".tsv"):
        rows = _rows(path, text, _separator(text, "," if kind == ".csv" else "\t"))
        table = _named(path, pd.DataFrame(rows[1:], columns=rows[0], dtype=str))
    else:
        raise ValueError(
            f"{path}: expected a file of {', '.join(SUFFIXES)}, got {kind or 'no ending'!r}"
        )
    if not len(table):
        raise ValueError(f"{path}: expected outputs, got none")
    if "id" not in table:
        table["id"] = table["source"]
    for column in _COLUMNS:
        values = table[column] if column in table else pd.Series("", table.index)
        table[column] = values.map(
            lambda value: "" if value is None or value != value else str(value)
        )
    for column in ("id", "source", "person"):
        table[column] = table[column].str.strip()
    nameless = table["id"] == ""
    if nameless.any():
        table["id"] = table["id"].mask(nameless, table["source"])
        lost = table["id"] == ""
        notes.append(f"{nameless.sum():,} rows have no id; their source stands for it.")
        if lost.any():
            notes.append(f"{lost.sum():,} rows have neither id nor source and are left out.")
            table = table[~lost]
    several = table.groupby("id")["source"].nunique()
    if (several > 1).any():
        raise ValueError(
            f"{path}: expected one source for each id, got {several.max()} for {several.idxmax()!r:.60}; give each sentence an id of its own"
        )
    table["gender"] = _genders(path, table["gender"])
    wrong = ~table["stereotype"].isin(STEREOTYPES)
    if wrong.any():
        raise ValueError(
            f"{path}: expected a stereotype of pro, anti or nothing, got {table['stereotype'][wrong].iloc[0]!r:.60}"
        )
    return Outputs(table[list(_COLUMNS)].reset_index(drop=True), tuple(notes))


def _of_bars(path: Path, text: str) -> pd.DataFrame:
    pairs = [line.split(BARS) for line in text.splitlines() if line.strip()]
    wrong = next((number for number, pair in enumerate(pairs, 1) if len(pair) != 2), None)
    if wrong:
        raise ValueError(f"{path}: expected 'source ||| output' in each line, line {wrong} is none")
    table = pd.DataFrame(pairs, columns=["source", "output"])
    table.insert(0, "id", [str(number) for number in range(1, len(pairs) + 1)])
    return table


def _objects(path: Path, text: str) -> Iterator[dict[str, object]]:
    """The objects of lines, one for each of several outputs."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ValueError(f"{path}: expected a JSON object in each line, line {number} is none")
        lists = [name for name, value in found.items() if isinstance(value, list)]
        if len(lists) > 1 or any(isinstance(value, dict) for value in found.values()):
            raise ValueError(
                f"{path}: expected text in line {number}, and a list for outputs alone"
            )
        if lists:
            yield from ({**found, lists[0]: value} for value in found[lists[0]])
        else:
            yield found


def _separator(text: str, usual: str) -> str:
    """What stands between the columns of a heading, whatever the file is called."""
    heading = text.partition("\n")[0]
    return max((usual, ",", "\t", ";"), key=heading.count)


def _rows(path: Path, text: str, separator: str) -> list[list[str]]:
    """Rows of a table, each as wide as its heading."""
    lines = text.splitlines()
    if separator == "\t" and {line.count("\t") for line in lines if line} == {lines[0].count("\t")}:
        # a line a row: an open quotation mark must not swallow the lines behind it
        rows = [[_unquoted(cell) for cell in line.split("\t")] for line in lines if line]
    else:
        try:
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
            rows = [row for row in reader if row]
        except csv.Error as error:
            raise ValueError(
                f"{path}: expected a table with {separator!r} between cells, got: {error}"
            ) from error
    width = len(rows[0]) if rows else 0
    wrong = next((number for number, row in enumerate(rows, 1) if len(row) != width), None)
    if wrong:
        raise ValueError(
            f"{path}: expected {width} cells in each row, got {len(rows[wrong - 1])} in row {wrong}; quote cells that hold {separator!r}"
        )
    if width < 2 or len(set(rows[0])) < width:
        raise ValueError(
            f"{path}: expected a heading such as id,source,output, got {separator.join(rows[0] if rows else [])!r:.60}"
        )
    return rows


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', ""):
        return cell[1:-1].replace('""', '"')
    return cell


def _named(path: Path, table: pd.DataFrame) -> pd.DataFrame:
    """The columns that are known by their names."""
    there = {str(name).strip().lower(): name for name in table}
    found = {
        column: table[next(there[name] for name in names if name in there)]
        for column, names in _COLUMNS.items()
        if any(name in there for name in names)
    }
    if "output" not in found or not {"id", "source"} & {*found}:
        hint = next(filter(None, (did_you_mean(name, [*_COLUMNS]) for name in there)), "")
        raise ValueError(
            f"{path}: expected the columns id, source and output (or source and output), got {', '.join(there)!r:.120}. {hint}".rstrip()
        )
    return pd.DataFrame(found)


def _genders(path: Path, column: pd.Series) -> pd.Series:
    said = column.str.strip().str.lower()
    names = {name: gender for gender, words in GENDERS.items() for name in words.split()}
    wrong = ~said.isin([*names, ""])
    if wrong.any():
        raise ValueError(
            f"{path}: expected a gender of {', '.join(GENDERS)} or nothing, got {column[wrong].iloc[0]!r:.60}"
        )
    return said.map(names).fillna("")
