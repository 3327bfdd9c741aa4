"""Files that are there whole or not at all, and hashes of what they hold."""

import contextlib
import csv
import errno
import gzip
import hashlib
import io
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, TextIO, cast

FULL = (errno.ENOSPC, errno.EDQUOT)  # what a full disk raises


_FORMULA = re.compile(r"[=@\t\r]|[-+](?!(?:[\d\s.,:%()\[\]–−+-]|e[-+]?\d|to\b|inf\b)*$)")


class WriteError(OSError):
    """Something could not be written: the message says what, where, and what to do.

    Nothing was left behind.
    """

    def __str__(self) -> str:
        return str(self.strerror)


def write_whole(path: Path, content: str | bytes) -> Path:
    """Write a file so that a reader sees all of it or none.

    Parameters
    ----------
    path : Path
        The file; folders above it are made.
    content : str or bytes
        Text is written as UTF-8, its line ends as they are.

    Returns
    -------
    Path
        `path`.

    Raises
    ------
    WriteError
        Where the disk is full or the folder may not be written; the file is then as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    with new_file(path, size=len(data)) as part, part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return path


def write_if_changed(path: Path, content: bytes) -> bool:
    """`write_whole`, unless the file holds just this already; whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    write_whole(path, content)
    return True


@contextlib.contextmanager
def new_file(path: Path, size: int = 0) -> Iterator[Path]:
    """A temporary name beside a file, which takes the file's place when all went well and goes away
    when not.

    Parameters
    ----------
    path : Path
        Where the file goes; one that is there is replaced.
    size : int, optional
        Bytes to come, for the message about a full disk; otherwise what was written so far counts.

    Yields
    ------
    Path
        An empty file to write; it keeps the suffix of `path`.

    Raises
    ------
    WriteError
        Where the disk is full or the folder may not be written.
    """
    with _temporary_name(path, size) as part:
        part.touch(mode=0o644)
        yield part
        part.replace(path)


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder under a temporary name that takes its own name when all went well, and goes away
    when not.

    Parameters
    ----------
    folder : Path
        Where the folder goes; there must be none yet.

    Yields
    ------
    Path
        An empty folder to fill.

    Raises
    ------
    FileExistsError
        Where there is such a folder, also one that another process has finished meanwhile.
    WriteError
        Where the disk is full or the folder may not be written.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} exists already; remove it first, or choose another name")
    with _temporary_name(folder) as part:
        part.mkdir()
        yield part
        try:
            part.rename(folder)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                raise FileExistsError(
                    f"{folder} was written by another process meanwhile, and is kept"
                ) from error
            raise


@contextlib.contextmanager
def _temporary_name(path: Path, size: int = 0) -> Iterator[Path]:
    """A hidden name beside a path, random as process numbers repeat on hosts that share a disk;
    nothing stays there.
    """
    part = path.with_name(f".{path.stem}.{token_hex(4)}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
    except OSError as error:
        if explanation := explained(error, path, size or _bytes_below(part)):
            raise explanation from error
        raise
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        elif part.is_file():
            part.unlink()


def _bytes_below(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def explained(error: OSError, path: Path, size: int = 0) -> WriteError | None:
    """An error of the disk as a message that says what to do.

    Parameters
    ----------
    error : OSError
        What was raised while something was written.
    path : Path
        What could not be written, or the folder that has no room.
    size : int, optional
        Bytes that it needs at least; 0 where nobody knows.

    Returns
    -------
    WriteError or None
        None for errors of other kinds, and for one that is explained already.
    """
    if isinstance(error, WriteError) or (isinstance(error, FileExistsError) and not error.errno):
        return None
    if error.errno in FULL:
        place = next(place for place in (path, *path.parents) if place.exists())
        needed = f"needs {size_text(size)} or more" if size else "needs room"
        message = (
            f"the disk is full: {path} {needed} and {size_text(shutil.disk_usage(place).free)} are free; "
            "nothing half-written is left: make room, or choose a folder on another disk"
        )
        return WriteError(error.errno, message)
    if isinstance(error, PermissionError | NotADirectoryError | FileExistsError) or (
        error.errno == errno.EROFS
    ):
        message = (
            f"{path} cannot be written ({error.strerror or error}); give a folder you may write "
            "(BIASBOOK_CACHE for the book's own)"
        )
        return WriteError(error.errno, message)
    return None


@contextlib.contextmanager
def unpacked(path: Path, rows: Callable[[], int]) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The bytes of a file, unpacked where gzip packed them, and the file as it lies there.

    Parameters
    ----------
    path : Path
        Its first bytes say whether it is packed, not its name.
    rows : callable
        Tells how many rows were read, for the message.

    Yields
    ------
    (file, file)
        The same twice where nothing is packed; `tell` of the second says how far the reading is.

    Raises
    ------
    ValueError
        Where packed data is cut off or damaged; the message says where.
    """
    size = max(1, path.stat().st_size)
    with path.open("rb") as raw:
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
        file = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw
        try:
            yield file, raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"{path}: expected whole gzip data, got an end or damage near byte {raw.tell():,} of {size:,}, after "
                f"{rows():,} rows ({error}); fetch the file again"
            ) from error


def bounded_lines(file: TextIO, limit: int) -> Iterator[str | None]:
    """The lines of a file with their ends, None in place of one of `limit` characters or more: a line
    without end must not fill memory.
    """
    while line := file.readline(limit):
        if len(line) < limit:
            yield line
            continue
        while not line.endswith(("\n", "\r")) and (line := file.readline(limit)):
            pass
        yield None


def spreadsheet_csv(text: str) -> str:
    """A CSV that people open, without a cell that a spreadsheet would run as a formula.

    Words, names and sentences come from outside, and a spreadsheet runs a cell that begins with =, +, -, @ or a
    tab. Such a text gets an apostrophe before it; numbers, and numbers with their intervals, stay. A CSV that this
    book reads back is written without.

    Parameters
    ----------
    text : str
        Comma-separated.

    Returns
    -------
    str
        The same where no cell is of that kind.

    Examples
    --------
    >>> spreadsheet_csv("word,score\\n=cmd|' /C calc'!A0,-0.5\\n")
    "word,score\\n'=cmd|' /C calc'!A0,-0.5\\n"
    """
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not any(_FORMULA.match(cell) for row in rows for cell in row):
        return text
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows if row)


def _cell(text: str) -> str:
    """A cell as text; with quotation marks also around a lone \\r, which csv.writer leaves bare."""
    text = f"'{text}" if _FORMULA.match(text) else text
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]|^$', text) else text


def file_hash(path: Path | str, algorithm: str = "sha256") -> str:
    """The hexadecimal digest of a file's bytes."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def text_hash(content: str | bytes) -> str:
    """The SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def size_text(size: int) -> str:
    """A number of bytes for people: 812 bytes, 2.2 MB, 1.7 GB."""
    if size < 1000:
        return f"{size} bytes"
    for unit, scale in (("kB", 1e3), ("MB", 1e6)):
        if size < scale * 999.5:
            return f"{size / scale:.1f} {unit}"
    return f"{size / 1e9:.1f} GB"
