"""Word lists with their sources (data/lexicons): printed in papers, or written for this book."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lib.checks import one_of
from lib.paths import DATA

FOLDER = DATA / "lexicons"
_FORM = "words of one's own, in UTF-8: a JSON list, or one word a line"


class WordSets(NamedTuple):
    """The four word sets of an association test: targets X and Y, attributes A and B."""

    X: tuple[str, ...]
    Y: tuple[str, ...]
    A: tuple[str, ...]
    B: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """The word lists of one source; ``lexicon["bsri_female"]`` is one of them.

    Attributes
    ----------
    source : str
        The file's name in data/lexicons.
    citation : str or None
        Its key in references.bib; None for lists written for this book.
    lists : mapping
        Name -> words, or rows of words (pairs are (female, male) unless the note says otherwise).
    where, license, note : str
        The place in the paper, the licence and remarks, as the file states them.
    tests : mapping
        Name -> the names of the lists X, Y, A and B that it joins.
    """

    source: str
    citation: str | None
    lists: Mapping[str, tuple[Any, ...]]
    where: str = ""
    license: str = ""
    note: str = ""
    tests: Mapping[str, tuple[str, str, str, str]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        """One list, words or rows. Raises ValueError, which names the lists there are."""
        one_of(f"list of {self.source}", name, sorted(self.lists))
        return self.lists[name]

    def test(self, name: str) -> WordSets:
        """The sets of an association test.

        Parameters
        ----------
        name : str
            One of `tests`.

        Returns
        -------
        WordSets

        Raises
        ------
        ValueError
            For another name; the message lists the tests there are.

        Examples
        --------
        >>> load_lexicon("caliskan2017").test("weat7").B[:3]
        ('female', 'woman', 'girl')
        """
        one_of(f"test of {self.source}", name, sorted(self.tests))
        return WordSets(*(self.lists[part] for part in self.tests[name]))


def available() -> tuple[str, ...]:
    """The names of all sources, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def load_lexicon(source: str) -> Lexicon:
    """The word lists of a source.

    Parameters
    ----------
    source : str
        One of `available()`.

    Returns
    -------
    Lexicon

    Raises
    ------
    ValueError
        For another name; the message lists the sources there are.

    Examples
    --------
    >>> load_lexicon("lu2021")["g1"]
    ('man', 'woman', 'gay')
    """
    one_of("source of word lists", source, available())
    content = json.loads((FOLDER / f"{source}.json").read_text(encoding="utf-8"))
    lists = {
        name: tuple(tuple(item) if isinstance(item, list) else item for item in items)
        for name, items in content["lists"].items()
    }
    tests = {name: tuple(parts) for name, parts in content.get("tests", {}).items()}
    return Lexicon(source=source, lists=lists, tests=tests, **content["source"])


def word_list(name: str) -> tuple[str, ...]:
    """One list of words by "source/list".

    Parameters
    ----------
    name : str
        The source, a slash and the name of its list.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        For a name of another form, an unknown source or list, and a list of rows.

    Examples
    --------
    >>> word_list("zhang2020/bsri_female")[:3]
    ('affectionate', 'affectionately', 'cheerful')
    """
    words = _list(name)
    if not isinstance(words[0], str):
        raise ValueError(f"word list: expected words in {name!r}, got rows of {len(words[0])}")
    return words


def pair_list(name: str) -> tuple[tuple[str, str], ...]:
    """One list of pairs of words by "source/list", (female, male) unless its note says otherwise.

    Parameters
    ----------
    name : str
        The source, a slash and the name of its list.

    Returns
    -------
    tuple of (str, str)

    Raises
    ------
    ValueError
        For a name of another form, an unknown source or list, and a list of anything but pairs.

    Examples
    --------
    >>> pair_list("zhao2018gnglove/definition_pairs")[0]
    ('nun', 'priest')
    """
    pairs = _list(name)
    if isinstance(pairs[0], str) or len(pairs[0]) != 2:
        raise ValueError(f"pair list: expected pairs in {name!r}, got {pairs[0]!r} among them")
    return pairs


def base_pairs(source: str = "zhang2020") -> tuple[tuple[str, str], ...]:
    """The (female, male) base pairs of a source.

    Parameters
    ----------
    source : str
        By default the ten pairs that Zhang, Sneyd & Stevenson (2020) compare.

    Returns
    -------
    tuple of (str, str)

    Raises
    ------
    ValueError
        For an unknown source, and for one without base pairs.

    Examples
    --------
    >>> base_pairs()[:2]
    (('she', 'he'), ('her', 'his'))
    """
    return pair_list(f"{source}/base_pairs")


def _list(name: str) -> tuple[Any, ...]:
    """A list by "source/list"."""
    source, _, part = name.partition("/") if isinstance(name, str) else ("", "", "")
    if not (source and part):
        raise ValueError(
            'word list: expected "source/list" such as "zhang2020/bsri_female", '
            f"got {name!r}; lib.lexicons.available() names the sources"
        )
    return load_lexicon(source)[part]


def read_words(path: str | Path) -> tuple[str, ...]:
    """Words of one's own from a file: a JSON list, or text or CSV with one word a line.

    Parameters
    ----------
    path : str or Path
        In UTF-8. Of a CSV the file has one column; quotes around a word are taken off. A word that
        comes again is read once.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        Where the file cannot be read, or holds anything but words.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
    ...     _ = file.write("nurse\\nvice president\\n")
    >>> read_words(file.name)
    ('nurse', 'vice president')
    """
    path = Path(path).expanduser()
    try:
        text = path.read_text(encoding="utf-8-sig")
        words = json.loads(text) if path.suffix.lower() == ".json" else _lines(text)
    except (OSError, ValueError, csv.Error, RecursionError) as error:
        raise ValueError(f"{path}: expected {_FORM}; got {error}.") from error
    wrong = [word for word in words if not _is_word(word)] if isinstance(words, list) else [words]
    if wrong or not words:
        got = f"{wrong[0]!r:.60}" if wrong else "no word"
        raise ValueError(f"{path}: expected {_FORM}; got {got}.")
    return tuple(dict.fromkeys(word.strip() for word in words))


def _lines(text: str) -> list[str]:
    rows = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    for row in rows:
        if len(row) > 1:
            raise ValueError(f"{len(row)} columns in the line {','.join(row)!r:.60}")
    return [row[0] for row in rows if row[0].strip()]


def _is_word(word: object) -> bool:
    """Whether a word can stand in a vocabulary: printable text of a sensible length."""
    return isinstance(word, str) and bool(word.strip()) and len(word) <= 100 and word.isprintable()
