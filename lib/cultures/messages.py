"""Files of messages with a place, read some thousand rows at a time: CSV, JSON lines and parquet, the first two also as .gz.

What cannot be read is counted and left out; a file that lacks a column is an error. Text is UTF-8 (or UTF-16 with its mark);
bytes that are neither are taken for Windows-1252, which is what mixed files mostly hold.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

BATCH = 4096
LONGEST_FIELD = 2**17  # characters; a CSV field beyond it has lost a quotation mark
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
}

Batch = tuple[list[str], list[str]]  # texts and places
Progress = Callable[[int, float], None]  # rows read, share of the file


@dataclass
class Records:
    """The rows of one file as batches of texts and places; iterate once.

    text, place : names of columns (in JSON a dot goes inside: "user.location"); language : the column of a language code,
    of which only `wanted` is kept; progress : told how far the reading is.
    counts : rows, malformed (no row of the table), repeated_headers, other_language, repaired (stretches of bytes that were
    no UTF-8); filled while reading.
    Raises ValueError for a column that is missing or there twice, for a format that is not read, and for parquet without
    the library pyarrow.
    """

    path: Path
    text: str
    place: str
    language: str | None = None
    wanted: str = "en"
    progress: Progress | None = None
    counts: Counter = field(default_factory=Counter)

    def __iter__(self) -> Iterator[Batch]:
        self.path = Path(self.path)
        kind = SUFFIXES.get(
            self.path.with_suffix("").suffix if self.path.suffix == ".gz" else self.path.suffix
        )
        if kind is None:
            raise ValueError(
                f"{self.path}: expected a name that ends in {', '.join(SUFFIXES)}, with or without .gz; rename "
                "the file, or convert it to one of these"
            )
        rows = {"csv": self._csv, "json": self._json, "parquet": self._parquet}[kind]()
        texts: list[str] = []
        places: list[str] = []
        for text, place, language in rows:
            self.counts["rows"] += 1
            if language is not None and language.strip().lower() != self.wanted:
                self.counts["other_language"] += 1
                continue
            texts.append(text)
            places.append(place)
            if len(texts) == BATCH:
                yield texts, places
                texts, places = [], []
        if texts:
            yield texts, places

    @property
    def _columns(self) -> list[str]:
        return [self.text, self.place] + ([self.language] if self.language else [])

    def _csv(self) -> Iterator[tuple[str, str, str | None]]:
        csv.field_size_limit(LONGEST_FIELD)
        with self._lines() as lines:
            first = next(lines, "")
            reader, header = self._header(first, lines)
            at = [self._position(column, header) for column in self._columns]
            t, p, q = at[0], at[1], at[2] if self.language else None
            width, begun = max(at) + 1, 0
            while True:
                try:
                    for row in reader:
                        if row == header:
                            self.counts.update(rows=1, repeated_headers=1)
                        elif len(row) >= width:
                            yield row[t], row[p], row[q] if q is not None else None
                        elif row:
                            self._malformed()
                        begun = reader.line_num
                    return
                except csv.Error:
                    self._malformed(reader.line_num - begun)

    def _header(self, first: str, lines: Iterator[str]) -> tuple[Iterator[list[str]], list[str]]:
        """A reader of the rows after the header, and the header, cut by the mark that gives the wanted columns."""
        candidates = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",\t;|"}
        mark = max(
            candidates, key=lambda mark: sum(column in candidates[mark] for column in self._columns)
        )
        return csv.reader(lines, delimiter=mark), candidates[mark]

    def _position(self, column: str, header: list[str]) -> int:
        if header.count(column) == 1:
            return header.index(column)
        what = "has no column" if column not in header else "has more than one column"
        raise ValueError(
            f"{self.path}: {what} {column!r}; expected it once among {', '.join(map(repr, header))}. Name "
            "another with --text-column, --place-column or --language-column."
        )

    def _json(self) -> Iterator[tuple[str, str, str | None]]:
        paths = [column.split(".") for column in self._columns]
        seen = False
        with self._lines() as lines:
            for line in lines:
                if line.isspace():
                    continue
                try:
                    values = [_inside(json.loads(line), path) for path in paths]
                except ValueError:
                    self._malformed()
                    continue
                seen = seen or values[0] is not None
                text, place, *language = ("" if value is None else str(value) for value in values)
                yield text, place, language[0] if language else None
        if not seen and self.counts["rows"]:
            raise ValueError(
                f"{self.path}: no record has {self.text!r}; name the field of the text with --text-column, and "
                "put a dot where it lies inside another (user.location)"
            )

    def _parquet(self) -> Iterator[tuple[str, str, str | None]]:
        try:
            from pyarrow.parquet import ParquetFile
        except ImportError as error:
            raise ValueError(
                f"{self.path}: parquet files are read with pyarrow, which is not installed: "
                "`pip install pyarrow`, or convert the file to CSV"
            ) from error
        with ParquetFile(self.path) as file:
            for column in self._columns:
                self._position(column, file.schema_arrow.names)
            total = file.metadata.num_rows
            for batch in file.iter_batches(BATCH, columns=self._columns):
                columns = [batch.column(column).to_pylist() for column in self._columns]
                for values in zip(*columns):
                    text, place, *language = (
                        "" if value is None else str(value) for value in values
                    )
                    yield text, place, language[0] if language else None
                if self.progress:
                    self.progress(self.counts["rows"], self.counts["rows"] / total)

    def _malformed(self, lines: int = 1) -> None:
        self.counts.update(rows=lines, malformed=lines)

    @contextmanager
    def _lines(self) -> Iterator[Iterator[str]]:
        """The lines of a text file, unpacked and decoded; progress is told by the bytes of the file as it lies there."""
        with self.path.open("rb") as raw:
            head = raw.read(2)
            raw.seek(0)
            packed = self.path.suffix == ".gz"
            file = gzip.open(raw) if packed else raw  # noqa: SIM115
            wide = not packed and head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            text = io.TextIOWrapper(
                file, "utf-16" if wide else "utf-8-sig", self._error_handler(), newline=""
            )
            yield self._told(text, raw)

    def _told(self, text: io.TextIOWrapper, raw: io.BufferedReader) -> Iterator[str]:
        size = max(1, self.path.stat().st_size)
        for number, line in enumerate(text):
            if self.progress and number % BATCH == 0:
                self.progress(self.counts["rows"], raw.tell() / size)
            yield line

    def _error_handler(self) -> str:
        def as_windows(error: UnicodeError) -> tuple[str, int]:
            self.counts["repaired"] += 1
            return error.object[error.start : error.end].decode("cp1252", "replace"), error.end

        codecs.register_error("cp1252", as_windows)
        return "cp1252"


def _inside(record: object, path: list[str]) -> object:
    """A value inside nested objects, None where there is none; ValueError when the record is no object."""
    if not isinstance(record, dict):
        raise ValueError("expected an object")
    for key in path:
        record = record.get(key) if isinstance(record, dict) else None
    return record
