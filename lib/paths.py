"""Where things are: the folders of the checkout, and those that BIASBOOK_* variables name.

A relative folder in a variable counts from the root of the checkout, so that a notebook finds it
from anywhere.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
LIBRARY = ROOT / "lib"


def cache_folder() -> Path:
    """Where downloads go: `BIASBOOK_CACHE`, else `bias-measured` in the operating system's
    cache.
    """
    if folder := _named_folder("BIASBOOK_CACHE"):
        return folder
    import pooch

    return Path(pooch.os_cache("bias-measured"))


def mirror_folder() -> Path | None:
    """A folder that holds the tree of the registered URLs, read and never written:
    `BIASBOOK_MIRROR`.
    """
    return _named_folder("BIASBOOK_MIRROR")


def results_folder() -> Path | None:
    """Where a chapter's results go: `BIASBOOK_RESULTS`; None outside a run."""
    return _named_folder("BIASBOOK_RESULTS")


def _named_folder(variable: str) -> Path | None:
    named = os.environ.get(variable)
    return ROOT / Path(named).expanduser() if named else None
