"""Files of messages with a place, read some thousand rows at a time: CSV, JSON lines and parquet.

The first two may be packed as .gz. What cannot be read is counted and left out; a file that lacks a
column is an error. Text is UTF-8 (or UTF-16 with its mark); bytes that are no UTF-8 are taken for
Windows-1252, which is what mixed files mostly hold.
"""

import codecs
import csv
import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

BATCH = 4096
LONGEST_FIELD = (
    2**17
)  # characters, the csv module's own limit; a longer field has lost a quotation mark
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
}
NOT_UTF8 = re.compile("[\udc80-\udcff]+")  # as the decoder's "surrogateescape" passes such bytes on

Batch = tuple[list[str], list[str]]  # texts and places
Progress = Callable[[int, float], None]  # rows read, share of the file
Row = tuple[str, str, str | None]  # text, place, language


@dataclass
class Messages:
    """The rows of one file as batches of texts and places; iterate once.

    Parameters
    ----------
    path : Path
        Its suffix says the format (`SUFFIXES`).
    text, place : str
        Names of columns (in JSON a dot goes inside: "user.location").
    language : str, optional
        The column of a language code, of which only `wanted` is kept.
    wanted : str
        That code, in small letters.
    progress : callable, optional
        Told how far the reading is.

    Attributes
    ----------
    counts : Counter
        rows, malformed (no row of the table), repeated_headers, other_language, repaired (stretches of bytes
        that were no UTF-8), of this file alone; filled while reading.

    Raises
    ------
    ValueError
        For a column that is missing or there twice, for a format that is not read, and for parquet without
        the library pyarrow.
    """

    path: Path
    text: str
    place: str
    language: str | None = None
    wanted: str = "en"
    progress: Progress | None = None
    counts: Counter = field(default_factory=Counter, init=False)

    def __iter__(self) -> Iterator[Batch]:
        texts: list[str] = []
        places: list[str] = []
        for text, place, language in self._rows():
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
        return [name for name in (self.text, self.place, self.language) if name]

    def _rows(self) -> Iterator[Row]:
        name = Path(self.path.stem if self.path.suffix == ".gz" else self.path)
        kind = SUFFIXES.get(name.suffix)
        if kind is None:
            raise ValueError(
                f"{self.path}: expected a name that ends in {', '.join(SUFFIXES)}, "
                "with or without .gz; rename the file, or convert it to one of these"
            )
        return {"csv": self._csv, "json": self._json, "parquet": self._parquet}[kind]()

    def _csv(self) -> Iterator[Row]:
        with self._lines() as lines:
            reader, header = self._header(next(lines, ""), lines)
            positions = [self._position(column, header) for column in self._columns]
            text, place = positions[:2]
            language = positions[2] if self.language else None
            width, read_to = max(positions) + 1, 0
            while True:
                try:
                    for row in reader:
                        if row == header:
                            self.counts.update(rows=1, repeated_headers=1)
                        elif len(row) >= width:
                            yield row[text], row[place], row[language] if self.language else None
                        elif row:
                            self._count_malformed()
                        read_to = reader.line_num
                    return
                except csv.Error:
                    self._count_malformed(reader.line_num - read_to)

    def _header(self, first: str, lines: Iterator[str]) -> tuple[Iterator[list[str]], list[str]]:
        """A reader of the rows after the header, and the header, cut by the mark that gives the
        wanted columns.
        """
        headers = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",\t;|"}
        mark = max(
            headers, key=lambda mark: sum(column in headers[mark] for column in self._columns)
        )
        return csv.reader(lines, delimiter=mark), headers[mark]

    def _position(self, column: str, header: list[str]) -> int:
        if header.count(column) == 1:
            return header.index(column)
        what = "has no column" if column not in header else "has more than one column"
        raise ValueError(
            f"{self.path}: {what} {column!r}; expected it once among "
            f"{', '.join(map(repr, header))}. Name another with --text-column, --place-column or "
            "--language-column."
        )

    def _json(self) -> Iterator[Row]:
        paths = [column.split(".") for column in self._columns]
        has_text = False
        with self._lines() as lines:
            for line in lines:
                if line.isspace():
                    continue
                try:
                    values = [_inside(json.loads(line), path) for path in paths]
                except ValueError:
                    self._count_malformed()
                    continue
                has_text = has_text or values[0] is not None
                yield _as_row(values)
        if not has_text and self.counts["rows"]:
            raise ValueError(
                f"{self.path}: no record has {self.text!r}; name the field of the text with "
                "--text-column, and put a dot where it lies inside another (user.location)"
            )

    def _parquet(self) -> Iterator[Row]:
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
                yield from map(_as_row, zip(*columns))
                if self.progress:
                    self.progress(self.counts["rows"], self.counts["rows"] / total)

    def _count_malformed(self, lines: int = 1) -> None:
        self.counts.update(rows=lines, malformed=lines)

    @contextmanager
    def _lines(self) -> Iterator[Iterator[str]]:
        """The lines of a text file, unpacked and decoded."""
        with self.path.open("rb") as raw:
            mark = raw.read(2)
            raw.seek(0)
            if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                text = io.TextIOWrapper(raw, "utf-16", "replace", newline="")
            else:
                packed = self.path.suffix == ".gz"
                file = gzip.open(raw) if packed else raw  # noqa: SIM115
                text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="")
            yield self._repaired(text, raw)

    def _repaired(self, text: io.TextIOWrapper, raw: io.BufferedReader) -> Iterator[str]:
        """Lines with Windows-1252 where bytes were no UTF-8; progress is told by the bytes of the
        file as it lies there.
        """
        size = max(1, self.path.stat().st_size)
        for number, line in enumerate(text):
            if self.progress and number % BATCH == 0:
                self.progress(self.counts["rows"], raw.tell() / size)
            if not line.isascii():
                line, repaired = NOT_UTF8.subn(_as_windows, line)
                self.counts["repaired"] += repaired
            yield line


def _as_windows(escaped: re.Match) -> str:
    return escaped.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def _as_row(values: list[object]) -> Row:
    text, place, *language = ("" if value is None else str(value) for value in values)
    return text, place, language[0] if language else None


def _inside(record: object, path: list[str]) -> object:
    """A value inside nested objects, None where there is none; ValueError when the record is no
    object.
    """
    if not isinstance(record, dict):
        raise ValueError("expected an object")
    for key in path:
        record = record.get(key) if isinstance(record, dict) else None
    return record
