"""The profiles of the book, from the lightest to the heaviest, and what each asks for
(data/profiles).
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from lib.checks import one_of
from lib.paths import DATA

PROFILES = ("embedded", "sample", "full")
FOLDER = DATA / "profiles"


def chapter_entries(profile: str, folder: Path | None = None) -> Mapping[str, Mapping[str, Any]]:
    """What a profile says of each chapter, as the file says it.

    Parameters
    ----------
    profile : str
        The name of a file, without .yml.
    folder : Path, optional
        Where the profiles are, where not in data/profiles.

    Returns
    -------
    Mapping
        `parameters`, `data`, `resources` and `after` by chapter, as far as they are given.

    Raises
    ------
    ValueError
        For an unknown profile.
    """
    folder = folder or FOLDER
    one_of("profile", profile, sorted(path.stem for path in folder.glob("*.yml")))
    return _read(folder / f"{profile}.yml")


@cache
def _read(path: Path) -> Mapping[str, Mapping[str, Any]]:
    content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    chapters = content.get("chapters") or {}
    return MappingProxyType({name: entry or {} for name, entry in chapters.items()})


def data_keys(profile: str, folder: Path | None = None) -> list[str]:
    """What a profile reads, in the order of its file, each once.

    Parameters
    ----------
    profile : str
        The name of a file, without .yml.
    folder : Path, optional
        Where the profiles are, where not in data/profiles.

    Returns
    -------
    list of str
        Registry keys, and `hub:<model>` or `hub:<model>@<commit>` for models.
    """
    entries = chapter_entries(profile, folder).values()
    return list(dict.fromkeys(key for entry in entries for key in entry.get("data", ())))


def profiles_that_need(key: str) -> list[str]:
    """The profiles that read a registry key, the lightest first; [] when none does."""
    return [profile for profile in PROFILES if key in data_keys(profile)]
