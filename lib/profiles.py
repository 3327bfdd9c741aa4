"""The profiles of the book, from the lightest to the heaviest, and what each asks for
(data/profiles).
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

from lib.checks import one_of
from lib.documents import read_yaml
from lib.paths import DATA

PROFILES = ("embedded", "sample", "full")
FOLDER = DATA / "profiles"
EVIDENCE = "_evidence"  # ends the name of the notebook that holds the evidence of a story
_ENTRIES = {
    "parameters": (dict, "parameters: {seed: 1}"),
    "resources": (dict, "resources: {GPU: 1}"),
    "data": (list, "data: [key, key]"),
}


def story_of(chapter: str) -> str:
    """The chapter that tells the story to which a notebook holds the evidence; a story is its own.

    Parameters
    ----------
    chapter : str
        The name of a notebook.

    Returns
    -------
    str

    Examples
    --------
    >>> story_of("base_pair_stability_evidence"), story_of("ripa")
    ('base_pair_stability', 'ripa')
    """
    return chapter.removesuffix(EVIDENCE)


def page_of(chapter: str) -> str:
    """The page of a chapter, from the root of the book and without an ending: evidence has a folder of its own.

    Examples
    --------
    >>> page_of("ripa"), page_of("ripa_evidence")
    ('chapters/ripa', 'chapters/evidence/ripa')
    """
    story = story_of(chapter)
    return f"chapters/{story}" if chapter == story else f"chapters/evidence/{story}"


def chapter_of(page: str | PurePath) -> str:
    """The chapter whose page this is; the inverse of `page_of`, whatever stands before and however the page ends.

    Examples
    --------
    >>> chapter_of("chapters/evidence/ripa"), chapter_of("book/chapters/ripa.ipynb")
    ('ripa_evidence', 'ripa')
    """
    path = PurePath(page)
    return path.stem + EVIDENCE if path.parent.name == EVIDENCE.strip("_") else path.stem


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
        For an unknown profile, and for a file that says something else; the message names the file and the line or the
        chapter.
    """
    folder = folder or FOLDER
    one_of("profile", profile, sorted(path.stem for path in folder.glob("*.yml")))
    return _read(folder / f"{profile}.yml")


@cache
def _read(path: Path) -> Mapping[str, Mapping[str, Any]]:
    content = read_yaml(path, dict)
    for name in content:
        one_of(f"{path}", name, ["chapters"])
    chapters = _of_kind(f"{path}: chapters", content.get("chapters"), dict, "chapter: {…}")
    entries = {}
    for name, given in chapters.items():
        where = f"{path}, chapter {name}"
        entry = _of_kind(where, given, dict, "parameters: {…}")
        for key, (kind, example) in _ENTRIES.items():
            value = _of_kind(f"{where}: {key}", entry.get(key), kind, example)
            entry = {**entry, key: value} if key in entry else entry
        for key in entry.get("data", ()):
            if not isinstance(key, str):
                raise ValueError(f"{where}: data: expected keys of the registry; got {key!r}.")
        for resource, amount in entry.get("resources", {}).items():
            if not isinstance(amount, int | float) or isinstance(amount, bool):
                raise ValueError(
                    f"{where}: resources: expected a number, such as GPU: 1; got {resource}: {amount!r}."
                )
        entries[name] = entry
    return MappingProxyType(entries)


def _of_kind(where: str, value: object, kind: type, example: str) -> Any:
    """A value, empty where nothing stands behind its name."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise ValueError(f"{where}: expected something like `{example}`; got {value!r}.")
    return value


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
