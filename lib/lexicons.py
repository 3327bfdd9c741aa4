"""Word lists with their sources (data/lexicons): printed in papers, or written for this book."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lib.checks import did_you_mean, one_of
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
    return read_lexicon(FOLDER / f"{source}.json")


def read_lexicon(path: Path) -> Lexicon:
    """The word lists of a file.

    Parameters
    ----------
    path : Path
        JSON as in data/lexicons: an object with `source`, `lists` and, if there are any, `tests`.

    Returns
    -------
    Lexicon
        Named as the file.

    Raises
    ------
    ValueError
        For what is no such file; the message names the place and what was expected there.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON in UTF-8, got something else ({error})") from error
    _names(content, path, "the file", needs=("source", "lists"), may=("tests",))
    source, listed, tests = content["source"], content["lists"], content.get("tests", {})
    _names(source, path, "source", needs=("citation",), may=("where", "license", "note"))
    for name, text in source.items():
        if not isinstance(text, str) and not (name == "citation" and text is None):
            raise ValueError(f"{path}, source: expected text as {name!r}, got {text!r}")
    lists = {
        name: _items(items, f"{path}, lists, {name!r}")
        for name, items in _object(listed, path, "lists")
    }
    for name, parts in _object(tests, path, "tests"):
        where = f"{path}, tests, {name!r}"
        if not isinstance(parts, list) or len(parts) != len(WordSets._fields):
            raise ValueError(f"{where}: expected the names of four lists, got {parts!r}")
        for part in parts:
            one_of(where, part, lists)
    tests = {name: tuple(parts) for name, parts in tests.items()}
    return Lexicon(source=path.stem, lists=lists, tests=tests, **source)


def _names(value: object, path: Path, what: str, needs: Sequence[str], may: Sequence[str]) -> None:
    """Check that an object has the names it needs and no others."""
    names = [name for name, _ in _object(value, path, what)]
    for name in needs:
        if name not in names:
            hint = did_you_mean(name, names)
            raise ValueError(
                f"{path}: expected {name!r} in {what}, got {', '.join(names) or 'nothing'}. {hint}".rstrip()
            )
    for name in names:
        one_of(f"{path}, {what}", name, [*needs, *may])


def _object(value: object, path: Path, what: str) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise ValueError(f"{path}: expected names and values as {what}, got {str(value)[:40]!r}")
    return list(value.items())


def _items(items: object, where: str) -> tuple[Any, ...]:
    """The words of a list, or its rows of words."""
    rows = items if isinstance(items, list) and items else [None]
    words = rows if all(isinstance(row, str) for row in rows) else None
    if words is None and all(isinstance(row, list) and row for row in rows):
        words = [word for row in rows for word in row]
    if words is None or not all(isinstance(word, str) and word for word in words):
        raise ValueError(f"{where}: expected words, or rows of words, got {str(items)[:60]}")
    return tuple(tuple(row) if isinstance(row, list) else row for row in rows)


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


# No chapter reads by this any more (`lib.own_lists` is the reader). It goes, with `choice(file=True)`, `words` and `templates` of
# `lib.parameters`, when all chapters are recorded anew: by `choice` each record depends on it.
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
