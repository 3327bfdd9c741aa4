"""The embedding itself: words, their vectors, and pairs of words that stay in step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.embeddings.rows import FileRows, UnitRows, row_blocks, scaled
from lib.embeddings.spelling import SpelledWords, Spelling, suggestion
from lib.embeddings.vocabulary import (
    NAMED,
    ListedWords,
    StoredWords,
    as_pairs,
    as_words,
    examples,
    variants,
)

Floats = NDArray[np.floating]
Vocabulary = ListedWords | StoredWords | SpelledWords


class UnknownWord(KeyError):
    """A word that an embedding does not hold; the message names the variants that it does hold."""

    def __str__(self) -> str:
        return str(self.args[0])


class NoRows(np.ndarray):
    """No vectors, and why: a measure that is given them can say which forms of the words are there."""

    _explain: Callable[[], str] = staticmethod(lambda: "")

    @classmethod
    def of(cls, rows: Floats, explain: Callable[[], str]) -> Floats:
        """An array without rows that knows why."""
        none = rows.view(cls)
        none._explain = explain
        return none

    @property
    def why(self) -> str:
        """Which words are missing, and which forms of them are there."""
        return self._explain()


@dataclass(frozen=True, eq=False)
class Rows:
    """Words of an embedding and their vectors.

    Attributes
    ----------
    words : tuple of str
        The k words that are there, in the order asked for.
    vectors : ndarray of shape (k, d)
        Their vectors.
    missing : tuple of str
        The words that are not there.
    """

    words: tuple[str, ...]
    vectors: Floats
    missing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of words of an embedding and their vectors, row by row in step.

    Attributes
    ----------
    female, male : ndarray of shape (p, d)
        Row j of both belongs to ``kept[j]``.
    kept : tuple of (str, str)
        The p pairs both of whose words are there.
    missing : tuple of (str, str)
        Pairs dropped because a word is missing.
    """

    female: Floats
    male: Floats
    kept: tuple[tuple[str, str], ...]
    missing: tuple[tuple[str, str], ...]

    @property
    def labels(self) -> list[str]:
        """The kept pairs as text, such as "she-he"."""
        return ["-".join(pair) for pair in self.kept]


class Embedding:
    """n words and their (n, d) float32 vectors.

    Parameters
    ----------
    words : iterable of str
        Unique words; any text is a word, whatever its script, and spaces are allowed.
    vectors : array_like of shape (n, d)
        Numbers; a float32 array or memmap is used as it is, without a copy.
    name, source : str
        What to call it, and where its bytes come from (``key@sha256:…``).
    ranked : bool
        Whether the rows come in an order of frequency, the most frequent word first.

    Raises
    ------
    ValueError
        Naming the word, when words repeat, or when a row holds NaN, infinity or only zeros: a row
        without a direction has no bias. (`load_embedding` leaves zero and repeated rows of a file
        out, with a warning.)

    Examples
    --------
    >>> e = Embedding(["she", "he", "nurse"], [[1, 0], [0, 1], [3, 4]], name="three")
    >>> e["nurse"]
    array([3., 4.], dtype=float32)
    >>> e.rows(["nurse", "doctor"], missing="drop").missing
    ('doctor',)
    >>> e.pairs([("she", "he")]).labels
    ['she-he']
    """

    words: Vocabulary
    vectors: Floats
    name: str
    source: str
    ranked: bool

    def __init__(
        self,
        words: Iterable[str],
        vectors: ArrayLike,
        name: str = "",
        source: str = "",
        ranked: bool = False,
    ):
        listed, matrix = ListedWords(as_words(words)), _matrix(vectors)
        if len(listed) != len(matrix) or not matrix.shape[1]:
            raise ValueError(
                "expected one row for each word, "
                f"got {len(listed):,} words and an array {matrix.shape}"
            )
        if repeated := listed.repeated():
            raise ValueError(
                f"expected each word once, got {examples(repeated)} more than once; "
                "keep one row of each"
            )
        _check_rows(listed, matrix)
        self._set(listed, matrix, name, source, ranked)

    @classmethod
    def unchecked(
        cls,
        words: Vocabulary,
        vectors: Floats | FileRows,
        name: str,
        source: str,
        ranked: bool,
    ) -> Embedding:
        """An embedding of words and rows that were checked before: nothing is scanned."""
        embedding = cls.__new__(cls)
        embedding._set(words, vectors, name, source, ranked)
        return embedding

    def _set(
        self,
        words: Vocabulary,
        vectors: Floats | FileRows,
        name: str,
        source: str,
        ranked: bool,
    ) -> None:
        self.words, self.name, self.source, self.ranked = words, name, source, bool(ranked)
        self.vectors = vectors.mapped if isinstance(vectors, FileRows) else vectors
        self._rows = vectors

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __repr__(self) -> str:
        size = f"{len(self):,} words x {self.vectors.shape[1]}"
        return f"Embedding({self.name!r}, {size}, source={self.source!r})"

    def __getitem__(self, word: str) -> Floats:
        """The (d,) vector of a word; UnknownWord, a KeyError, names the variants that exist."""
        return np.array(self._rows[self._row(word)])

    def rank(self, word: str) -> int | None:
        """The place of a word in the order of frequency, 0 for the most frequent.

        None where the rows have another order; UnknownWord, a KeyError, for an unknown word.
        """
        row = self._row(word)
        return row if self.ranked else None

    def _row(self, word: str) -> int:
        row = int(self.words.positions(as_words([word]))[0])
        if row < 0:
            raise UnknownWord(self._unknown([word]))
        return row

    def rows(
        self, words: Iterable[str], missing: str = "error", spelling: str | Spelling = ""
    ) -> Rows:
        """The rows of several words, in the order asked for; a word asked for twice comes twice.

        Parameters
        ----------
        words : iterable of str
            One word or more.
        missing : {"error", "drop"}
            Whether a word that is not there raises UnknownWord, or is left out and listed.
        spelling : str or Spelling
            How this embedding spells its words, where not as the list does: ``"case=either"``, ``"prefix=/c/en/"``,
            ``"suffix=_NOUN"``, ``"form=NFD"``, or several with blanks between.

        Returns
        -------
        Rows
            Its words are those asked for.

        Raises
        ------
        ValueError
            For an empty list or anything but a list of words.
        UnknownWord
            For words that are not there; a KeyError.

        Examples
        --------
        >>> e = Embedding(["/c/en/she", "/c/en/He"], np.eye(2))
        >>> e.rows(["she", "he"], spelling="prefix=/c/en/ case=either").vectors[1]
        array([0., 1.], dtype=float32)
        """
        if spelling:
            return self.spelled(spelling).rows(words, missing)
        words, drop = as_words(words), _is_drop(missing)
        positions = self.words.positions(words)
        absent = tuple(word for word, row in zip(words, positions) if row < 0)
        if absent and not drop:
            raise UnknownWord(self._unknown(absent))
        present = tuple(word for word, row in zip(words, positions) if row >= 0)
        return Rows(present, self._take(positions[positions >= 0], absent), absent)

    def pairs(
        self,
        pairs: Iterable[tuple[str, str]],
        missing: str = "error",
        spelling: str | Spelling = "",
    ) -> Pairs:
        """The rows of (female word, male word) pairs.

        Parameters
        ----------
        pairs : iterable of (str, str)
            One pair or more: lists, tuples or the rows of an array of shape (n, 2); or a DataFrame with the columns
            female and male.
        missing : {"error", "drop"}
            Whether a word that is not there raises UnknownWord, or its pair is left out whole and
            listed; no other pair shifts. Where none is left, the measures say which forms are there.
        spelling : str or Spelling
            As in `rows`.

        Returns
        -------
        Pairs

        Raises
        ------
        ValueError
            For an empty list and for anything but two words a pair.
        UnknownWord
            For words that are not there; a KeyError.
        """
        if spelling:
            return self.spelled(spelling).pairs(pairs, missing)
        pairs, drop = as_pairs(pairs), _is_drop(missing)
        female, male = (self.words.positions(side) for side in zip(*pairs))
        whole = (female >= 0) & (male >= 0)
        absent = [
            word
            for pair, rows in zip(pairs, zip(female, male))
            for word, row in zip(pair, rows)
            if row < 0
        ]
        if absent and not drop:
            raise UnknownWord(self._unknown(absent))
        kept = tuple(pair for pair, complete in zip(pairs, whole) if complete)
        lost = tuple(pair for pair, complete in zip(pairs, whole) if not complete)
        sides = (self._take(side[whole], absent) for side in (female, male))
        return Pairs(*sides, kept, lost)

    def spelled(self, spelling: str | Spelling) -> Embedding:
        """This embedding with its words looked up in another spelling; rows are shared.

        Parameters
        ----------
        spelling : str or Spelling
            As in `rows`.

        Returns
        -------
        Embedding
            Its `words` are shown without the prefix and the suffix.

        Examples
        --------
        >>> e = Embedding(["she_PRON", "nurse_NOUN"], np.eye(2)).spelled("suffix=_NOUN")
        >>> list(e.words), "nurse" in e
        (['she_PRON', 'nurse'], True)
        """
        chosen = Spelling.of(spelling)
        words = SpelledWords(getattr(self.words, "plain", self.words), chosen)
        return self.unchecked(words, self._rows, self.name, self.source, self.ranked)

    def _take(self, positions: NDArray[np.int64], absent: Sequence[str] = ()) -> Floats:
        rows = np.asarray(self._rows[positions])
        return rows if len(rows) else NoRows.of(rows, lambda: self._unknown(absent, drop=True))

    @cached_property
    def unit(self) -> Floats | UnitRows:
        """All rows at length 1: an array (n, d), or scaled when asked for where rows are on
        disk.
        """
        on_disk = isinstance(self.vectors, np.memmap)
        return UnitRows(self._rows) if on_disk else scaled(np.array(self.vectors))

    def blocks(self) -> Iterator[tuple[Sequence[str], Floats]]:
        """Words and rows in order, 32 MB of rows at a time."""
        return ((self.words[rows], self._rows[rows]) for rows in row_blocks(self.vectors.shape))

    def first(self, count: int) -> Embedding:
        """The embedding of the first `count` words, without a copy; itself when it has no more."""
        if positive(count) >= len(self):
            return self
        words, source, rows = self.words.first(count), f"{self.source}[:{count}]", self._rows
        rows = FileRows(rows.path, count) if isinstance(rows, FileRows) else rows[:count]
        return self.unchecked(words, rows, self.name, source, self.ranked)

    def _unknown(self, words: Sequence[str], drop: bool = False) -> str:
        """Which words are missing, which forms of them are there, and how to find those."""
        words = list(dict.fromkeys(words))
        spelling = suggestion(self.words, words[:NAMED])
        clues = []
        for word in words[:NAMED]:
            forms = [*variants(word), *(spelling.forms(word) if spelling else ())]
            close = [repr(form) for form in dict.fromkeys(forms) if form in self.words]
            clues.append(repr(word) + (f" (but {', '.join(close)})" if close else ""))
        more = f" and {len(words) - NAMED:,} more" if len(words) > NAMED else ""
        verb = "is" if len(words) == 1 else "are"
        mends = ["choose other words"]
        mends += (
            [f"look them up as they are spelled there, spelling='{spelling}'"] if spelling else []
        )
        mends += [] if drop else ["leave missing ones out with .rows(words, missing='drop')"]
        *others, last = mends
        advice = f"{', '.join(others)}, or {last}" if others else last
        return (
            f"{', '.join(clues)}{more} {verb} not among the {len(self):,} words of "
            f"{self.name or 'this embedding'}; {advice}"
        )


def _matrix(vectors: ArrayLike) -> Floats:
    """Vectors as an (n, d) float32 array; a memmap stays one."""
    array = np.asanyarray(vectors)
    if array.ndim != 2:
        raise ValueError(
            f"expected vectors of shape (words, dimensions), got shape {array.shape}; "
            "give one row a word"
        )
    if array.dtype.kind not in "fiu":
        raise ValueError(
            f"expected vectors of real numbers, got {array.dtype}; convert them to float32"
        )
    return array.astype(np.float32, copy=False)


def _check_rows(words: Sequence[str], vectors: Floats) -> None:
    """Refuse NaN, infinity and rows of zeros."""
    for rows in row_blocks(vectors.shape):
        block = np.asarray(vectors[rows])
        for flawed, fault in (
            (~np.isfinite(block).all(axis=1), "NaN or infinity"),
            (~block.any(axis=1), "only zeros"),
        ):
            if flawed.any():
                row = rows.start + int(flawed.argmax())
                raise ValueError(
                    f"expected finite rows with a direction, got {fault} in row {row:,} "
                    f"({words[row]!r}) and in {int(flawed.sum()) - 1:,} more; "
                    "leave such words out"
                )


def _is_drop(missing: str) -> bool:
    one_of("missing", missing, ("error", "drop"))
    return missing == "drop"


def positive(count: int) -> int:
    """A number of rows as it is; ValueError unless it is a whole number of 1 or more."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise ValueError(f"expected a number of rows of 1 or more, got {count!r}")
    return int(count)
