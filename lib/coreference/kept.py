"""Arrays that took long to compute, kept in the book's cache for the next run."""

import logging
from collections.abc import Callable
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
    path = cache_folder() / "coreference" / f".{kind}" / f"{text_hash(key)}.npy"
    if path.is_file():
        try:
            return np.load(path, allow_pickle=False)
        except (ValueError, EOFError, OSError):
            log.warning("%s is damaged; it is computed again", path)
    values = compute()
    try:
        with new_file(path, values.nbytes) as temporary, temporary.open("wb") as file:
            np.save(file, values, allow_pickle=False)
    except OSError as error:
        log.warning("%s are not kept for the next run: %s", kind, error)
    return values
