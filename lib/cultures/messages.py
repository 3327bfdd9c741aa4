"""Files of messages with a place, read some thousand rows at a time: CSV, JSON lines and parquet.

The first two may be packed as .gz. What cannot be read is counted and left out; a file that lacks a
column is an error. A quotation mark that opens and does not close swallows no rows: it is counted and
taken for a character. Text is UTF-8 (or UTF-16 with its mark); bytes that are no UTF-8 are taken for
Windows-1252, which is what mixed files mostly hold.
"""

import codecs
import csv
import io
import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lib.checks import did_you_mean, one_of
from lib.files import bounded_lines, unpacked

BATCH = 4096
LONGEST_FIELD = (
    2**17
)  # characters, the csv module's own limit; a longer field has lost a quotation mark
LONGEST_LINE = 2**20  # characters; a longer one is counted as malformed
NAMED = 30  # columns that a message lists
QUOTING = ("usual", "none")
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
    quoting : str
        "usual", where a cell in quotation marks may hold separators and lines, or "none", where a
        quotation mark is a character like any other.
    progress : callable, optional
        Told how far the reading is.

    Attributes
    ----------
    counts : Counter
        rows, malformed (no row of the table), repeated_headers, other_language, repaired (stretches of bytes
        that were no UTF-8), open_quotes (marks that no other one closes), of this file alone; filled
        while reading.

    Raises
    ------
    ValueError
        For a column that is missing or there twice, for a format that is not read, for packed data or
        parquet that is damaged, and for parquet without the library pyarrow.
    """

    path: Path
    text: str
    place: str
    language: str | None = None
    wanted: str = "en"
    quoting: str = "usual"
    progress: Progress | None = None
    counts: Counter = field(default_factory=Counter, init=False)

    def __post_init__(self) -> None:
        one_of("quoting", self.quoting, QUOTING)

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
            mark, header = self._header(next(lines, ""))
            positions = [self._position(column, header) for column in self._columns]
            text, place = positions[:2]
            language = positions[2] if self.language else None
            width = max(positions) + 1
            for row in self._cells(lines, mark, len(header)):
                if row == header:
                    self.counts.update(rows=1, repeated_headers=1)
                elif len(row) >= width:
                    yield row[text], row[place], row[language] if self.language else None
                elif row:
                    self._count_malformed()

    def _cells(self, lines: Iterator[str], mark: str, width: int) -> Iterator[list[str]]:
        """The rows of a table. Where a quotation mark is lost, its line is read without marks and the
        lines behind it once more.
        """
        again: deque[str] = deque()
        taken: list[str] = []

        def feed() -> Iterator[str]:
            while (line := again.popleft() if again else next(lines, None)) is not None:
                taken.append(line)
                yield line

        as_usual = csv.QUOTE_MINIMAL if self.quoting == "usual" else csv.QUOTE_NONE
        while True:
            taken.clear()
            try:
                # a reader for each row, as one that met the end of the file is over
                row = next(csv.reader(feed(), delimiter=mark, quoting=as_usual), None)
            except csv.Error:  # a cell beyond the limit, most often behind a lost mark
                row = []
            if row is None:
                return
            if len(taken) > 1 and (not row or _lost_mark(taken, mark, width)):
                self.counts["open_quotes"] += 1
                again.extendleft(reversed(taken[1:]))
                row = _without_marks(taken[0], mark)
            if row or not taken[0].strip():
                yield row
            else:
                self._count_malformed()

    def _header(self, first: str) -> tuple[str, list[str]]:
        """The mark between the columns, the one that gives the wanted ones, and the header."""
        try:
            headers = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",\t;|"}
        except csv.Error as error:
            raise ValueError(
                f"{self.path}, line 1: expected names of columns, got a line of {len(first):,} characters "
                f"({error}); is it a table, and is a quotation mark lost?"
            ) from error
        mark = max(
            headers, key=lambda mark: sum(column in headers[mark] for column in self._columns)
        )
        return mark, headers[mark]

    def _position(self, column: str, header: list[str]) -> int:
        if header.count(column) == 1:
            return header.index(column)
        what = "has no column" if column not in header else "has more than one column"
        listed = ", ".join(repr(name[:40]) for name in header[:NAMED])
        hint = did_you_mean(column, header) if column not in header else ""
        raise ValueError(
            f"{self.path}: {what} {column!r}; expected it once among "
            f"{listed}. Name another with --text-column, --place-column or --language-column. {hint}".rstrip()
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
                except (ValueError, RecursionError):
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
                "`pip install -e '.[parquet]'`, or convert the file to CSV"
            ) from error
        try:
            with ParquetFile(self.path) as file:
                names, total = file.schema_arrow.names, max(1, file.metadata.num_rows)
                missing = [column for column in self._columns if names.count(column) != 1]
                for batch in file.iter_batches(BATCH, columns=self._columns) if not missing else ():
                    columns = [batch.column(column).to_pylist() for column in self._columns]
                    yield from map(_as_row, zip(*columns))
                    if self.progress:
                        self.progress(self.counts["rows"], self.counts["rows"] / total)
        except Exception as error:  # pyarrow passes on whatever its decoders raise
            raise ValueError(
                f"{self.path}: expected a parquet file, got something else or damage after "
                f"{self.counts['rows']:,} rows ({error}); fetch it again, or write it anew"
            ) from error
        for column in missing:
            self._position(column, names)

    def _count_malformed(self, lines: int = 1) -> None:
        self.counts.update(rows=lines, malformed=lines)

    @contextmanager
    def _lines(self) -> Iterator[Iterator[str]]:
        """The lines of a text file, unpacked and decoded."""
        with unpacked(self.path, lambda: self.counts["rows"]) as (file, raw):
            buffered = io.BufferedReader(file) if file is not raw else raw
            wide = buffered.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            coding = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
            yield self._repaired(io.TextIOWrapper(buffered, *coding, newline=""), raw)

    def _repaired(self, text: io.TextIOWrapper, raw: io.BufferedReader) -> Iterator[str]:
        """Lines with Windows-1252 where bytes were no UTF-8; progress is told by the bytes of the
        file as it lies there.
        """
        size = max(1, self.path.stat().st_size)
        for number, line in enumerate(bounded_lines(text, LONGEST_LINE)):
            if self.progress and number % BATCH == 0:
                self.progress(self.counts["rows"], raw.tell() / size)
            if line is None:
                self._count_malformed()
                continue
            if not line.isascii():
                line, repaired = NOT_UTF8.subn(_as_windows, line)
                self.counts["repaired"] += repaired
            yield line


def _lost_mark(lines: list[str], mark: str, width: int) -> bool:
    """Whether the quotation mark that joins some lines to one row is a lost one: it never closes, or
    closes before other text, or what it holds are rows. In a text a comma is common, so there it
    takes three lines or more, most of them rows.
    """
    try:
        list(csv.reader(lines, delimiter=mark, strict=True))
    except csv.Error:
        return True
    inside = lines[1:-1]
    rows = sum(len(_without_marks(line, mark)) == width for line in inside)
    return rows >= max(3, 0.8 * len(inside)) if mark == "," else rows > 0


def _without_marks(line: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark, quoting=csv.QUOTE_NONE), [])
    except csv.Error:
        return []


def _as_windows(escaped: re.Match) -> str:
    return escaped.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace")


def _as_row(values: list[object]) -> Row:
    text, place, *language = (
        # JSON may escape half a character, which no file can hold
        "" if value is None else str(value).encode("utf-8", "replace").decode()
        for value in values
    )
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
