"""Arrays that took long to compute, kept in the book's cache for the next run."""

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.files import new_file, text_hash
from lib.paths import cache_folder

log = logging.getLogger("lib")


def kept(kind: str, key: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """An array from the cache, or computed and put there.

    Parameters
    ----------
    kind : str
        What it is, such as "states": the name of the folder, which is hidden, so that no chapter depends on it.
    key : str
        All that decides the array.
    compute : callable
        Makes it, where it is not there or damaged.

    Returns
    -------
    ndarray
        A folder that cannot be written only costs the time of computing again.
    """
    path = _path(kind, key)
    values = _read(path)
    if values is None:
        values = compute()
        _write(path, values)
    return values


def kept_rows(
    kind: str, keys: Sequence[str], compute: Callable[[list[int]], NDArray[Any]], chunk: int
) -> Iterator[tuple[list[int], NDArray[Any]]]:
    """Rows of an array, each of them kept by itself, so that any choice of them is found again.

    Parameters
    ----------
    kind : str
        As in `kept`.
    keys : sequence of str
        For each row all that decides it.
    compute : callable
        Makes the rows at some places.
    chunk : int
        How many rows are made together, and what an interruption can cost.

    Yields
    ------
    places : list of int
        First those that were there, then the others in the order of `keys`.
    rows : ndarray
    """
    paths = [_path(kind, key) for key in keys]
    missing = []
    for place, path in enumerate(paths):
        row = _read(path)
        if row is None:
            missing.append(place)
        else:
            yield [place], row[None]
    for start in range(0, len(missing), chunk):
        places = missing[start : start + chunk]
        rows = compute(places)
        for place, row in zip(places, rows):
            _write(paths[place], row)
        yield places, rows


def _path(kind: str, key: str) -> Path:
    return cache_folder() / "coreference" / f".{kind}" / f"{text_hash(key)}.npy"


def _read(path: Path) -> NDArray[Any] | None:
    if not path.is_file():
        return None
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError):
        log.warning("%s is damaged; it is computed again", path)
        return None


def _write(path: Path, values: NDArray[Any]) -> None:
    try:
        with new_file(path, values.nbytes) as temporary, temporary.open("wb") as file:
            np.save(file, values, allow_pickle=False)
    except OSError as error:
        log.warning("%s is not kept for the next run: %s", path.parent.name[1:], error)
