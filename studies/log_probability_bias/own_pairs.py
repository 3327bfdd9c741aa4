"""Pairs for the gap: in the parameter, or in a file of the reader's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lib import parameters as rules
from lib.checks import as_list
from lib.own_lists import pairs_or, read_own_pairs

BOOK = "book"
_ENDINGS = (".txt", ".csv", ".tsv", ".json", ".yaml", ".yml")


def pairs_or_file(name: str, value: Any) -> list[str]:
    """A rule: pairs such as he/she, the male word first; or a file of pairs that `lib.own_lists.read_own_pairs` reads, the
    female word first; or "book", those of this book.

    Examples
    --------
    >>> pairs_or_file("targets", "he/she, man/woman")
    ['he/she', 'man/woman']
    """
    if (targets := as_list(value)) == [BOOK]:
        return [BOOK]
    if _is_file(targets):
        return [pairs_or()(name, targets[0])]
    return rules.pairs(name, value)


def male_first(targets: Sequence[str]) -> list[str]:
    """Pairs such as he/she, of a file turned so that the male word comes first, as the chapter has them."""
    if not _is_file(targets):
        return list(targets)
    return [f"{male}/{female}" for female, male in read_own_pairs(targets[0])]


def _is_file(targets: Sequence[Any]) -> bool:
    """Whether this is one file, there or misspelt, and no pair."""
    return (
        len(targets) == 1
        and isinstance(targets[0], str)
        and (targets[0].lower().endswith(_ENDINGS) or Path(targets[0]).expanduser().is_file())
    )
