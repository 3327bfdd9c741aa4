"""Hashes of large files, noted, so that a file which has not changed is not read again.

A note lies in a folder of the cache that belongs to this user alone. It counts for a file of the same size, times
and inode: whoever changes a byte changes the time that only the system sets (ctime), also when the other is set back.
"""

import json
import logging
import os
import stat
import time
from pathlib import Path

from lib.files import WriteError, file_hash, text_hash, write_whole
from lib.paths import cache_folder

LARGE = 64 * 2**20  # bytes; smaller files are read each time
SETTLED = 10**9  # nanoseconds without a change; a file may change twice within a tick of the clock

log = logging.getLogger("lib")


def known_hash(path: Path, algorithm: str = "sha256", large: int | None = None) -> str:
    """The hexadecimal digest of a file's bytes, read only where it is not known already.

    Parameters
    ----------
    path : Path
        A file.
    algorithm : str
        As in `hashlib`.
    large : int, optional
        The size in bytes from which on a hash is noted; `LARGE` by default.

    Returns
    -------
    str

    Examples
    --------
    >>> from lib.paths import DATA
    >>> known_hash(DATA / "models" / "glove" / "glove.npz") == file_hash(DATA / "models" / "glove" / "glove.npz")
    True
    """
    with path.open("rb") as file:  # opened in any case: a run notes what it has read
        before = os.fstat(file.fileno())
    if before.st_size < (LARGE if large is None else large):
        return file_hash(path, algorithm)
    stamp = {"path": str(path.absolute()), "algorithm": algorithm, **_state(before)}
    place = _folder() / f"{text_hash(f'{algorithm} {path.absolute()}')[:32]}.json"
    if noted := _noted(place, stamp):
        return noted
    settled = time.time_ns() - before.st_ctime_ns > SETTLED
    received = file_hash(path, algorithm)
    if settled and _state(path.stat()) == _state(before):
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _ours(place.parent):
                write_whole(place, json.dumps(stamp | {"hash": received}))
        except (WriteError, OSError) as error:  # which costs the time of hashing again
            log.debug("no note for %s: %s", path, error)
    return received


def _folder() -> Path:
    """Where this user's notes lie; others who share the cache have their own."""
    user = os.geteuid() if hasattr(os, "geteuid") else "me"
    return cache_folder() / f".verified-{user}"


def _state(state: os.stat_result) -> dict[str, int]:
    names = ("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino", "st_dev")
    return {name: getattr(state, name) for name in names}


def _noted(place: Path, stamp: dict[str, object]) -> str:
    """The hash noted for a stamp; nothing where none is, or where somebody else may have written it."""
    try:
        if not (_ours(place.parent) and _ours(place)):
            return ""
        note = json.loads(place.read_text(encoding="utf-8"))
        known = note.get("hash") if isinstance(note, dict) else None
        return known if isinstance(known, str) and note == stamp | {"hash": known} else ""
    except (OSError, ValueError):
        return ""


def _ours(path: Path) -> bool:
    """Whether a folder or file is this user's (or root's), no link, and for nobody else to write."""
    if not hasattr(os, "geteuid"):  # a system that cannot say
        return False
    state = path.lstat()
    writable = state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return state.st_uid in (os.geteuid(), 0) and not stat.S_ISLNK(state.st_mode) and not writable
