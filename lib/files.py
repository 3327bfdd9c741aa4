"""Files that are there whole or not at all, and hashes of what they hold.

What is being written has a temporary name, `.NAME.<8 hex digits>.part`, and is locked. A process that is killed cannot
take it away; it loses the lock with it, and the next write to the same place removes what nobody holds.
"""

import contextlib
import csv
import errno
import fcntl
import gzip
import hashlib
import io
import os
import re
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, TextIO, cast

FULL = (errno.ENOSPC, errno.EDQUOT)  # what a full disk raises
_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_CROWDED = 2**20  # bytes: with less of them free, a failure is a full disk's
_NOTHING_LEFT = "nothing half-written is left"


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
    with new_file(path, size=len(data)) as part:
        _write(part, data)
    return path


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write files that belong together: all of them or, where one cannot be written, none.

    Those that hold their content already are left as they are.

    Parameters
    ----------
    files : Mapping of Path to bytes
        The last one takes its place last, so it should be the one that vouches for the others.

    Raises
    ------
    WriteError
        As `write_whole`; all the files are then as they were.
    """
    changed = {path: data for path, data in files.items() if not _holds(path, data)}
    with contextlib.ExitStack() as stack:
        # they take their names when the stack unwinds: not before all are written, the last one last
        parts = {path: stack.enter_context(new_file(path)) for path in reversed(changed)}
        for path, data in changed.items():
            try:
                _write(parts[path], data)
            except OSError as error:
                raise explained(error, path, len(data)) or error from error


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def write_if_changed(path: Path, content: bytes) -> bool:
    """`write_whole`, unless the file holds just this already; whether it was written."""
    if _holds(path, content):
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
    with _temporary(path, _empty_file, size) as part:
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
    with _temporary(folder, Path.mkdir) as part:
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
def scratch_folder(name: str) -> Iterator[Path]:
    """A folder for temporary files, which only this user can read and which goes away at the end.

    Parameters
    ----------
    name : str
        What it is for. Folders of the same name that killed processes left are removed.

    Yields
    ------
    Path
        Below TMPDIR.

    Raises
    ------
    WriteError
        Where TMPDIR is full or may not be written.
    """
    path = Path(tempfile.gettempdir()) / name
    with contextlib.ExitStack() as stack:
        try:
            part = stack.enter_context(_part(path, lambda part: part.mkdir(mode=0o700)))
        except OSError as error:
            raise explained(error, path) or error from error
        yield part


@contextlib.contextmanager
def _temporary(path: Path, make: Callable[[Path], None], size: int = 0) -> Iterator[Path]:
    """Something under a hidden name beside a path; what goes wrong with it is explained."""
    try:
        with _part(path, make) as part:
            try:
                yield part
            except OSError:
                size = size or _bytes_below(part)
                raise
    except OSError as error:
        if explanation := explained(error, path, size):
            raise explanation from error
        raise


@contextlib.contextmanager
def _part(path: Path, make: Callable[[Path], None]) -> Iterator[Path]:
    """Something under a hidden name beside a path, locked; nothing stays there."""
    with contextlib.ExitStack() as stack:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path)
        while True:
            # random, as process numbers repeat on hosts that share a disk
            part = path.with_name(f".{path.stem}.{token_hex(4)}.part{path.suffix}")
            stack.callback(_remove, part)
            make(part)
            if stack.enter_context(_locked(part, new=True)):
                break
        yield part


def remove_leftovers(path: Path) -> None:
    """Remove what processes that were killed left of a file or folder: all that no process holds.

    Parameters
    ----------
    path : Path
        The file or folder that was to be made; it stays as it is.
    """
    left = re.compile(rf"\.{re.escape(path.stem)}\.[0-9a-f]{{8}}\.part{re.escape(path.suffix)}")
    with contextlib.suppress(OSError):
        for name in filter(left.fullmatch, os.listdir(path.parent)):  # noqa: PTH208  (names are enough)
            part = path.with_name(name)
            with contextlib.suppress(OSError), _locked(part) as alone:
                if alone and part.stat().st_uid == os.getuid():
                    _remove(part)


@contextlib.contextmanager
def _locked(part: Path, new: bool = False) -> Iterator[bool]:
    """Whether a part is there and this process alone has it, until the end.

    Some shared disks have no locks. There every part is taken for one's own when it is made, and for another's when it
    is found.
    """
    with contextlib.ExitStack() as stack:
        try:
            mode = os.O_RDONLY if part.is_dir() else os.O_RDWR  # NFS locks only what may be written
            descriptor = os.open(part, mode | os.O_NOFOLLOW)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = os.path.samestat(os.fstat(descriptor), part.stat())
        except (BlockingIOError, FileNotFoundError):  # removed, as it was not locked yet
            alone = False
        except OSError as error:
            alone = new and error.errno in _NO_LOCKS
        yield alone


def _empty_file(part: Path) -> None:
    part.touch(mode=0o644, exist_ok=False)


def _remove(part: Path) -> None:
    if part.is_dir() and not part.is_symlink():
        shutil.rmtree(part, ignore_errors=True)
    elif os.path.lexists(part):
        part.unlink(missing_ok=True)


def _bytes_below(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def explained(
    error: OSError, path: Path, size: int = 0, left: str = _NOTHING_LEFT
) -> WriteError | None:
    """An error of the disk as a message that says what to do.

    Parameters
    ----------
    error : OSError
        What was raised while something was written.
    path : Path
        What could not be written, or the folder that has no room.
    size : int, optional
        Bytes that it needs at least; 0 where nobody knows.
    left : str, optional
        What is there now.

    Returns
    -------
    WriteError or None
        None for errors of other kinds, and for one that is explained already.
    """
    if isinstance(error, WriteError) or (isinstance(error, FileExistsError) and not error.errno):
        return None
    needed = f"needs {size_text(size)} or more" if size else "needs room"
    if error.errno in FULL:
        message = (
            f"the disk is full: {path} {needed} and {size_text(_free(path))} are free; "
            f"{left}: make room, or choose a folder on another disk"
        )
        return WriteError(error.errno, message)
    if error.errno == errno.EFBIG:
        message = (
            f"{path} {needed}, and no file here may be that large; {left}: see `ulimit -f`, or choose a "
            "folder on another disk (FAT holds files of up to 4 GB)"
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


def in_words(error: Exception, path: Path | None = None) -> str:
    """What a command prints of an error: one line, also where a disk is the reason.

    Parameters
    ----------
    error : Exception
    path : Path, optional
        What was being written, where the error does not name it.

    Returns
    -------
    str

    Examples
    --------
    >>> in_words(OSError(30, "Read-only file system", "book/.cache"))
    "book/.cache cannot be written (Read-only file system); give a folder you may write (BIASBOOK_CACHE for the book's own)"
    """
    if not isinstance(error, OSError) or error.errno not in (*FULL, errno.EFBIG, errno.EROFS):
        return str(error)
    named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else path
    return str((explained(error, named) if named else None) or error)


def crowded(path: Path) -> str:
    """A sentence where the disk of a file or folder has next to no room, which explains whatever
    failed there; else empty.
    """
    if (free := _free(path)) >= _CROWDED:
        return ""
    return f"the disk is full: {path} needs room and {size_text(free)} are free; make room there"


def _free(path: Path) -> int:
    place = next(place for place in (path, *path.parents) if place.exists())
    return shutil.disk_usage(place).free


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
