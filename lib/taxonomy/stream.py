"""Sentences of a file, one after the other, through the filters into a CSV.

A file is read piece by piece, so memory does not grow with it. What is done is kept beside the
output under a hidden name until the file is through; only then does the output get its name.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from lib import __version__
from lib.checks import did_you_mean, one_of
from lib.files import explained, file_hash, spreadsheet_csv, text_hash, write_whole
from lib.taxonomy.filters import FILTERS, NO_NAMES, judge

FORMATS = ("text", "running", "csv", "tsv")
HEADER = ("number", "candidate", "dropped_by", "reason", "mentions", "sentence")
LONGEST = 20_000  # characters of a sentence or row
PIECE = 65_536  # characters that are read at a time
_KEPT = "what is done is kept, and the same command goes on from there"
KEPT_EVERY = 2_000  # sentences between two notes of how far we are

# A sentence ends at . ! or ?, with closing quotes or brackets, before white space and a capital, a
# number or an opening quote, or at an empty line.
END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]?[A-Z0-9])|\n\s*\n")
NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|St|Sr|Jr|Messrs|Gov|Sen|Rep|vs|etc|viz|"
    r"cf|No|Vol|pp?|Fig|Co|Inc|i\.e|e\.g)|\b[A-Z])\.$"
)


class TooLongError(ValueError):
    """A sentence, line or row is longer than `LONGEST` characters."""


@dataclass(frozen=True)
class Reading:
    """How a file is to be read.

    Attributes
    ----------
    form : {"text", "running", "csv", "tsv"}
        "text", one sentence a line; "running", split by us at ".", "!" and "?"; tables have one
        sentence a row.
    column : str
        Of a table: the column with the sentences.
    encoding : str
        Of the file.
    """

    form: str = "text"
    column: str = "sentence"
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Done:
    """How far a file is through.

    Attributes
    ----------
    sentences, candidates : int
        Seen so far.
    """

    sentences: int = 0
    candidates: int = 0


def split_sentences(pieces: Iterable[str]) -> Iterator[str]:
    """Running text as sentences, with white space made single.

    A sentence ends at ".", "!" or "?" before white space and a capital letter, a digit or an opening
    quote, but not after a title ("Mr."), an initial ("J.") or a short form ("e.g."). An empty line
    ends one too.

    Parameters
    ----------
    pieces : iterable of str
        The text in pieces of any length.

    Yields
    ------
    str
        Sentences, none of them empty.

    Raises
    ------
    TooLongError
        Where a sentence is longer than `LONGEST` characters.

    Examples
    --------
    >>> list(split_sentences(["Mr. Hale left. He to", "ok his hat! Why?"]))
    ['Mr. Hale left.', 'He took his hat!', 'Why?']
    """
    rest = ""
    for piece in pieces:
        rest += piece
        start = 0
        for match in END.finditer(rest):
            text = rest[start : match.end()]
            if NO_END.search(text):
                continue
            if sentence := " ".join(text.split()):
                yield _short(sentence)
            start = match.end()
        rest = _short(rest[start:])
    if sentence := " ".join(rest.split()):
        yield sentence


def sentences_of(path: Path, reading: Reading) -> Iterator[str]:
    """The sentences of a file, read piece by piece; empty lines and cells are left out.

    Parameters
    ----------
    path : Path
        The file.
    reading : Reading
        How it is to be read.

    Yields
    ------
    str

    Raises
    ------
    ValueError
        For an unknown form or encoding, bytes of another encoding, a table without the column or
        with a row that has no such cell, or a sentence longer than `LONGEST` characters.
    OSError
        Where the file cannot be read.
    """
    one_of("form", reading.form, FORMATS)
    try:
        "".encode(reading.encoding)
    except LookupError:
        raise ValueError(
            f"encoding: expected one that Python knows, such as utf-8 or latin-1, got {reading.encoding!r}"
        ) from None
    encoding = "utf-8-sig" if reading.encoding.lower() in ("utf-8", "utf8") else reading.encoding
    with path.open(encoding=encoding, newline=None) as file:
        try:
            if reading.form == "running":
                yield from split_sentences(iter(lambda: file.read(PIECE), ""))
            elif reading.form == "text":
                yield from (line for line in map(str.strip, _lines(file)) if line)
            else:
                yield from _cells(path, file, reading)
        except UnicodeError as error:
            raise ValueError(
                f"{path}: expected {reading.encoding}, got bytes that are not ({error}); name the "
                "encoding of the file, such as latin-1"
            ) from None
        except TooLongError as error:
            raise ValueError(f"{path}: {error}") from None


def filter_file(
    path: Path,
    output: Path,
    reading: Reading = Reading(),
    *,
    filters: Sequence[str] = tuple(FILTERS),
    names: Collection[str] = NO_NAMES,
    every: bool = False,
    progress: Callable[[Done], None] | None = None,
) -> Done:
    """Write the candidates of a file, or every sentence with its verdict, as CSV.

    An interruption leaves what is done beside the output; the same call goes on from there. Where
    the input turns out to be bad, nothing is left.

    Parameters
    ----------
    path : Path
        The file with the sentences.
    output : Path
        The CSV: `HEADER`, one row a candidate.
    reading : Reading
        How the file is to be read.
    filters, names
        As in `lib.taxonomy.filters.judge`.
    every : bool
        Whether sentences that were dropped are written too.
    progress : callable, optional
        Called with how far we are, every `KEPT_EVERY` sentences.

    Returns
    -------
    Done

    Raises
    ------
    ValueError
        As `sentences_of`; for a file without a sentence, and an output that is the file itself.
    OSError
        Where a file cannot be read or written.
    """
    if output.resolve() == path.resolve():
        raise ValueError(f"{output}: expected another file than the input; choose another name")
    for name in filters:
        one_of("filter", name, FILTERS)
    asked = {
        **asdict(reading),
        "filters": list(filters),
        "names": text_hash(" ".join(sorted(names))),
        "every": every,
    }
    asked |= {"input": file_hash(path), "version": __version__}
    part = output.with_name(f".{output.name}.part")
    note = output.with_name(f".{output.name}.part.json")
    done, size = _found(note, part, asked)
    sentences = islice(sentences_of(path, reading), done.sentences, None)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with part.open("r+b" if size else "wb") as file:
            file.truncate(size)
            file.seek(size)
            if not size:
                file.write(_rows([HEADER]))
            while block := list(islice(sentences, KEPT_EVERY)):
                rows, found = _judged(block, done.sentences, filters, names, every)
                file.write(_rows(rows))
                file.flush()
                os.fsync(file.fileno())
                done = Done(done.sentences + len(block), done.candidates + found)
                write_whole(note, json.dumps({**asked, **asdict(done), "bytes": file.tell()}))
                if progress:
                    progress(done)
        if not done.sentences:
            raise ValueError(f"{path}: expected sentences, got none; is it the right file?")
    except ValueError:
        part.unlink(missing_ok=True)
        note.unlink(missing_ok=True)
        raise
    except OSError as error:
        raise (explained(error, output, left=_KEPT) or error) from error
    part.replace(output)
    note.unlink(missing_ok=True)
    return done


def _judged(
    block: Sequence[str], before: int, filters: Sequence[str], names: Collection[str], every: bool
) -> tuple[list[tuple[object, ...]], int]:
    """The rows of a block of sentences, and how many are candidates."""
    rows: list[tuple[object, ...]] = []
    candidates = 0
    for number, sentence in enumerate(block, start=before + 1):
        verdict = judge(sentence, filters=filters, names=names)
        candidates += verdict.candidate
        if verdict.candidate or every:
            mentions = "; ".join(" | ".join(cluster) for cluster in verdict.mentions)
            answer = "yes" if verdict.candidate else "no"
            rows.append((number, answer, verdict.dropped_by, verdict.reason, mentions, sentence))
    return rows, candidates


def _rows(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return spreadsheet_csv(text.getvalue()).encode()


def _found(note: Path, part: Path, asked: dict[str, object]) -> tuple[Done, int]:
    """How far an interrupted run with the same file and settings came, and its bytes."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(note.read_text(encoding="utf-8"))
        same = all(kept[name] == value for name, value in asked.items())
        if same and part.stat().st_size >= kept["bytes"]:
            return Done(kept["sentences"], kept["candidates"]), kept["bytes"]
    return Done(), 0


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise TooLongError(
            f"expected sentences of at most {LONGEST:,} characters, got a longer one that begins "
            f"{text[:40].strip()!r}; for running text give --format running, and see that its "
            "sentences end"
        )
    return text


def _lines(file: TextIO) -> Iterator[str]:
    """Lines of a file, none read further than what is allowed."""
    while line := file.readline(LONGEST + 1):
        yield _short(line)


def _cells(path: Path, file: TextIO, reading: Reading) -> Iterator[str]:
    separator = "\t" if reading.form == "tsv" else ","
    rows = csv.reader(_lines(file), delimiter=separator)
    try:
        header = next(filter(None, rows), [])
        if header and header.count(reading.column) != 1:
            what = "twice among" if reading.column in header else "got"
            hint = "" if reading.column in header else did_you_mean(reading.column, header)
            raise ValueError(
                f"{path}: expected one column {reading.column!r}, {what} {', '.join(header)[:200]}; name one "
                f"with --column. {hint}".rstrip()
            )
        place = header.index(reading.column) if header else 0
        for row in filter(None, rows):
            if len(row) <= place:
                raise ValueError(
                    f"{path}: expected {len(header)} cells, got {len(row)} in line {rows.line_num}; a "
                    "sentence that has the separator needs quotes"
                )
            if sentence := " ".join(row[place].split()):
                yield _short(sentence)
    except csv.Error as error:
        raise ValueError(
            f"{path}: expected a table, got line {rows.line_num}: {error}; a sentence that has "
            "quotes needs them doubled"
        ) from None
