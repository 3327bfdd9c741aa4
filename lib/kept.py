"""Arrays that took long to compute, kept in the book's cache for the next run."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.definitions import code_of
from lib.files import new_file, text_hash
from lib.paths import cache_folder

Rows = NDArray[Any] | Sequence[NDArray[Any]]
log = logging.getLogger("lib")


def kept(kind: str, key: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """An array from the cache, or computed and put there.

    Parameters
    ----------
    kind : str
        What it is, such as "states": the name of the folder, which is hidden, so that no chapter depends on it.
    key : str
        All that decides the array beside the code that `compute` reaches.
    compute : callable
        Makes it, where it is not there or damaged.

    Returns
    -------
    ndarray
        A folder that cannot be written only costs the time of computing again.
    """
    path = path_of(kind, key, compute)
    values = read(path)
    if values is None:
        values = compute()
        write(path, values)
    return values


def kept_rows(
    kind: str, keys: Sequence[str], compute: Callable[[list[int]], Rows], chunk: int
) -> Iterator[tuple[list[int], Rows]]:
    """Rows of an array, each of them kept by itself, so that any choice of them is found again.

    Parameters
    ----------
    kind : str
        As in `kept`.
    keys : sequence of str
        For each row all that decides it, as in `kept`.
    compute : callable
        Makes the rows at some places.
    chunk : int
        How many rows are made together, and what an interruption can cost.

    Yields
    ------
    places : list of int
        First those that were there, then the others in the order of `keys`.
    rows : ndarray, or sequence of ndarray
        As `compute` makes them; they may differ in shape.
    """
    paths = [path_of(kind, key, compute) for key in keys]
    missing = []
    for place, path in enumerate(paths):
        row = read(path)
        if row is None:
            missing.append(place)
        else:
            yield [place], row[None]
    for start in range(0, len(missing), chunk):
        places = missing[start : start + chunk]
        rows = compute(places)
        for place, row in zip(places, rows):
            write(paths[place], row)
        yield places, rows


def path_of(kind: str, key: str, compute: Callable[..., Rows]) -> Path:
    """The file of an array that `compute` makes, whether it is there or not."""
    name = text_hash(json.dumps([key, code_of(compute)]))
    return cache_folder() / "kept" / f".{kind}" / f"{name}.npy"


def read(path: Path) -> NDArray[Any] | None:
    """An array from the cache; nothing where it is not there or damaged."""
    if not path.is_file():
        return None
    try:
        values: NDArray[Any] = np.load(path, allow_pickle=False)
        return values
    except (ValueError, EOFError, OSError):
        log.warning("%s is damaged; it is computed again", path)
        return None


def write(path: Path, values: NDArray[Any]) -> None:
    """Put an array into the cache; a folder that cannot be written is a warning."""
    try:
        with new_file(path, values.nbytes) as temporary, temporary.open("wb") as file:
            np.save(file, values, allow_pickle=False)
    except OSError as error:
        log.warning("%s is not kept for the next run: %s", path.parent.name[1:], error)
