"""Files that are there whole or not at all, and hashes of what they hold."""

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex


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
def new_file(path: Path, size: int | None = None) -> Iterator[Path]:
    """A temporary name beside a file, which takes the file's place when all went well and goes away when not.

    Parameters
    ----------
    path : Path
        Where the file goes; one that is there is replaced.
    size : int, optional
        Bytes to come, for the message about a full disk.

    Yields
    ------
    Path
        An empty file to write; it keeps the suffix of `path`.

    Raises
    ------
    WriteError
        Where the disk is full or the folder may not be written.
    """
    part = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{path.stem}.", suffix=f".part{path.suffix}", dir=path.parent
        )
        os.close(handle)
        part = Path(name)
        yield part
        part.chmod(0o644)
        part.replace(path)
    except OSError as error:
        if explained := _explained(error, path, size or _bytes_below(part)):
            raise explained from error
        raise
    finally:
        if part:
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder under a temporary name that takes its own name when all went well, and goes away when not.

    Raises
    ------
    FileExistsError
        Where there is such a folder, also one that another process has finished meanwhile.
    WriteError
        Where the disk is full or the folder may not be written.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} exists already; remove it first, or choose another name")
    # a random name, because process numbers repeat on hosts that share a disk
    part = folder.with_name(f".{folder.name}.{token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        yield part
        part.rename(folder)
    except OSError as error:
        if error.errno == errno.ENOTEMPTY:
            raise FileExistsError(
                f"{folder} was written by another process meanwhile, and is kept"
            ) from error
        if explained := _explained(error, folder, _bytes_below(part)):
            raise explained from error
        raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _bytes_below(path: Path | None) -> int:
    if path is None or not path.exists():
        return 0
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _explained(error: OSError, path: Path, size: int) -> WriteError | None:
    """The error with a message that says what to do; None where it is of another kind."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        free = shutil.disk_usage(next(place for place in path.parents if place.exists())).free
        message = (
            f"the disk is full: {path} needs {size_text(size)} or more and {size_text(free)} are free; "
            "nothing half-written is left: make room, or choose a folder on another disk"
        )
        return WriteError(error.errno, message)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        message = (
            f"{path} cannot be written ({error.strerror}); give a folder you may write "
            "(BIASBOOK_CACHE for the book's own)"
        )
        return WriteError(error.errno, message)
    return None


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
