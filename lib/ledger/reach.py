"""What it takes to settle a printed number: derived from its scope, the registry and the profiles."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from lib.paths import DATA
from lib.profiles import PROFILES, chapter_entries, data_keys

REACHES = ("here", "full", "public", "retrain", "never")


def reach(claim: Mapping[Any, str]) -> str:
    """How far away the data of a printed result are.

    Parameters
    ----------
    claim : Mapping
        A row of `lib.ledger.claims.load_paper`.

    Returns
    -------
    str
        One of `REACHES`: here (a profile that runs on any machine reads the data, or a registered file of the authors
        holds the number), full (the profile full loads them), public (a file exists that no chapter reads for it yet),
        retrain (a system has to be trained again), never (not released). "" for what is no result of the paper.

    Examples
    --------
    >>> from lib.ledger import claims
    >>> reach(claims.row("cho2019_tgbi.table1.1"))
    'here'
    """
    if claim["kind"] != "result":
        return ""
    at_hand = sources_read("embedded") | sources_read("sample")
    if claim["released"] and set(claim["released"].split("|")) <= at_hand:
        return "here"
    if claim["basis"] == "retrained":
        return "retrain"
    for profile, name in zip(PROFILES, ("here", "here", "full")):
        early_enough = claim["profile"] and PROFILES.index(claim["profile"]) <= PROFILES.index(
            profile
        )
        if early_enough and _reads(profile, claim["data"]):
            return name
    return "public" if claim["public"] else "never"


def _reads(profile: str, patterns: str) -> bool:
    return patterns == "any" or any(
        fnmatch.filter(sources_read(profile), pattern) for pattern in patterns.split("|")
    )


@cache
def sources_read(profile: str) -> frozenset[str]:
    """The names of everything that a profile reads: registry keys, hub models, vectors of this book.

    Parameters
    ----------
    profile : str
        One of `lib.profiles.PROFILES`.

    Returns
    -------
    frozenset of str

    Examples
    --------
    >>> "glove_twitter_25d_12k" in sources_read("sample")
    True
    """
    hub = {key.removeprefix("hub:").partition("@")[0] for key in data_keys(profile)}
    ours = {path.name for path in (DATA / "models").rglob("*") if path.suffix in (".npz", "")}
    return frozenset({*hub, *ours, *_texts(chapter_entries(profile))})


def _texts(value: Any) -> Iterator[str]:
    """All texts in nested parameters."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
