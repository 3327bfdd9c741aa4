"""The English–Spanish sentence pairs of Tatoeba (Tiedemann 2020; tatoeba.org)."""

import zipfile

from lib.sources import fetch

KEY = "tatoeba_spa_eng_zip"

Pair = tuple[str, str]  # an English sentence and a Spanish one


def read_pairs() -> list[Pair]:
    """The pairs in the order of the file. Needs the `sample` files."""
    with zipfile.ZipFile(fetch(KEY)) as archive:
        lines = archive.read("spa-eng/spa.txt").decode("utf-8").splitlines()
    return [tuple(line.split("\t")[:2]) for line in lines]


def letters(sentence: str) -> str:
    """A sentence without case, spaces and punctuation, to tell whether two are the same.

    Examples
    --------
    >>> letters("I'm tired!") == letters("Im tired")
    True
    """
    return "".join(filter(str.isalnum, sentence.casefold()))
