"""Vocabularies: words in memory or on disk, the row of each, and what to say about a word that is
not there.
"""

import hashlib
import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

NAMED = 5  # examples an error or a warning names
RUN = 2**16  # words decoded at a time


class ListedWords(Sequence[str]):
    """Words in memory, with the row of each; of words that repeat, the last row."""

    def __init__(self, words: Iterable[str]):
        self._words = tuple(words)
        self._row = {word: row for row, word in enumerate(self._words)}

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, item):
        return self._words[item]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._row

    def positions(self, words: Iterable[str]) -> np.ndarray:
        """The row of each word, -1 for a word that is not there."""
        return np.array([self._row.get(word, -1) for word in words], dtype=np.int64)

    def repeated(self) -> list[str]:
        """The words that stand in more than one row."""
        if len(self._row) == len(self._words):
            return []
        return list(
            dict.fromkeys(word for row, word in enumerate(self._words) if self._row[word] != row)
        )

    def first(self, count: int) -> "ListedWords":
        """The first `count` words."""
        return ListedWords(self._words[:count])


class StoredWords(Sequence[str]):
    """Words on disk, none of them in memory until it is asked for.

    Parameters
    ----------
    text : ndarray of uint8
        The words' UTF-8 bytes, end to end.
    offsets : ndarray of int of shape (n + 1,)
        Where each word begins.
    hashes : ndarray of uint64 of shape (n,)
        `word_hash` of each, sorted.
    order : ndarray of int of shape (n,)
        The row of each of those.
    count : int, optional
        The first so many words only.
    """

    def __init__(
        self,
        text: np.ndarray,
        offsets: np.ndarray,
        hashes: np.ndarray,
        order: np.ndarray,
        count: int | None = None,
    ):
        self._arrays = text, offsets, hashes, order
        self._count = len(order) if count is None else min(count, len(order))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, item):
        if isinstance(item, slice):
            return tuple(self[row] for row in range(*item.indices(self._count)))
        row = range(self._count)[item]
        text, offsets, _, _ = self._arrays
        return bytes(text[offsets[row] : offsets[row + 1]]).decode()

    def __iter__(self) -> Iterator[str]:
        text, offsets, _, _ = self._arrays
        for start in range(0, self._count, RUN):
            ends = offsets[start : min(start + RUN, self._count) + 1].tolist()
            run = bytes(text[ends[0] : ends[-1]])
            for begin, end in itertools.pairwise(ends):
                yield run[begin - ends[0] : end - ends[0]].decode()

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and bool(self.positions([word])[0] >= 0)

    def positions(self, words: Iterable[str]) -> np.ndarray:
        """The row of each word, -1 for a word that is not there."""
        _, _, hashes, _ = self._arrays
        words = list(words)
        wanted = np.array([word_hash(word) for word in words], dtype=np.uint64)
        first = np.searchsorted(hashes, wanted).tolist()
        return np.array([self._row(*query) for query in zip(words, wanted, first)], dtype=np.int64)

    def _row(self, word: str, wanted: np.uint64, place: int) -> int:
        """The row of a word whose hash stands at a place or not at all; -1 for no row."""
        _, _, hashes, order = self._arrays
        while place < len(hashes) and hashes[place] == wanted:  # words may share a hash
            row = int(order[place])
            if row < self._count and self[row] == word:
                return row
            place += 1
        return -1

    def first(self, count: int) -> "StoredWords":
        """The first `count` words."""
        return StoredWords(*self._arrays, count=min(count, self._count))


def word_hash(word: str | bytes) -> int:
    """64 bits of a word's BLAKE2b hash: the same on every machine and in every release of
    Python.
    """
    data = word.encode(errors="surrogatepass") if isinstance(word, str) else word
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def as_words(words: Iterable[str]) -> list[str]:
    """A non-empty list of words; ValueError for anything else."""
    if isinstance(words, str):
        raise ValueError(f"expected a list of words, got the text {words!r}; write [{words!r}]")
    if isinstance(words, Mapping) and any(not _is_bare(value) for value in words.values()):
        raise ValueError(
            f"expected a list of words, got a dict of {_named(words)}; give the list of one of them"
        )
    words = _listed("a list of words", words)
    if not words:
        raise ValueError("expected at least one word, got an empty list")
    wrong = next((word for word in words if not isinstance(word, str)), None)
    if wrong is not None:
        raise ValueError(
            f"expected words as text, got {wrong!r} ({type(wrong).__name__}); "
            "decode or convert it first"
        )
    return words


def as_pairs(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """A non-empty list of pairs of words; ValueError for anything else."""
    if hasattr(pairs, "columns") and {*map(str, pairs.columns)} >= {"female", "male"}:
        pairs = zip(pairs["female"], pairs["male"])
    if isinstance(pairs, Mapping):
        mend = (
            "list(pairs.items())"
            if all(isinstance(value, str) for value in pairs.values())
            else "list(zip(pairs['female'], pairs['male'])), by the names of its own lists"
        )
        raise ValueError(
            f"expected a list of pairs like ('she', 'he'), got a dict of {_named(pairs)}; give {mend}"
        )
    if isinstance(pairs, str):
        raise ValueError(
            f"expected a list of pairs like ('she', 'he'), got the text {pairs[:40]!r}; give what is in it, such as "
            "json.loads(text), or json.loads(Path(name).read_text()) for a file"
        )
    pairs = _listed("a list of pairs like ('she', 'he')", pairs)
    if not pairs:
        raise ValueError("expected at least one pair of words, got an empty list")
    for number, pair in enumerate(pairs):
        # a set has no first word, and of a dict the keys would be taken for the words
        parts = list(pair) if isinstance(pair, Iterable) and not _is_bare(pair) else []
        unordered = isinstance(pair, Mapping | Set)
        if len(parts) != 2 or unordered or not all(isinstance(word, str) for word in parts):
            raise ValueError(
                f"expected pairs like ('she', 'he'), got {pair!r} as pair {number}; "
                "give two words for each, the female one first"
            )
    return [(first, second) for first, second in pairs]


def _listed(expected: str, items: Iterable[Any]) -> list[Any]:
    """The items of a list, an array or a column; ValueError for what has others than it seems."""
    if hasattr(items, "columns"):  # whose items are the names of its columns
        raise ValueError(
            f"expected {expected}, got a table with the columns {', '.join(map(str, items.columns))}; give one column, "
            "or for pairs table[['the female words', 'the male words']].to_numpy(), by the names of its own columns"
        )
    if (
        hasattr(items, "index_to_key")
        or not isinstance(items, Iterable)
        or isinstance(items, bytes)
    ):
        raise ValueError(
            f"expected {expected}, got {str(items)[:60]!r} ({type(items).__name__}); give the words themselves"
        )
    return list(items)


def _is_bare(value: object) -> bool:
    """Whether a value has no items: a number, nothing, or a text."""
    return isinstance(value, str) or not isinstance(value, Iterable)


def _named(table: Mapping[Any, Any]) -> str:
    return ", ".join(map(repr, list(table)[:3])) + ("…" if len(table) > 3 else "")


def variants(word: str) -> list[str]:
    """Other spellings of a word: case, plural, spaces and hyphens, and the other forms of its
    accents.
    """
    bare = word.strip()
    low = bare.lower()
    forms = [bare, low, bare.capitalize(), bare.title(), bare.upper()]
    forms += [bare.replace(old, new) for old in " _-" for new in ("_", "-", " ", "") if old in bare]
    forms += [form + ending for form in (bare, low) for ending in ("s", "es", "ly")]
    forms += [
        form.removesuffix(end)
        for form in (bare, low)
        for end in ("s", "es", "'s", "ly")
        if form.endswith(end)
    ]
    forms += [unicodedata.normalize(form, bare) for form in ("NFC", "NFD", "NFKC")]
    return [form for form in dict.fromkeys(forms) if form and form != word]


def examples(words: Sequence[str]) -> str:
    """Some words for a message: 'a', 'b' and 3 more."""
    words = list(dict.fromkeys(words))
    more = f" and {len(words) - NAMED:,} more" if len(words) > NAMED else ""
    return ", ".join(map(repr, words[:NAMED])) + more
