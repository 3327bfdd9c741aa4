"""The embedding itself: words, their vectors, and pairs of words that stay in step."""

import mmap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from lib.embeddings.vocabulary import NAMED, ListedWords, examples, pair_list, variants, word_list

BLOCK = 2**23  # numbers taken at a time from a memory-mapped matrix: 32 MB


class UnknownWord(KeyError):
    """A word that an embedding does not hold; the message names the variants that it does hold."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Rows:
    """The words found, their (k, d) vectors in the order asked for, and the words that were missing."""

    words: tuple[str, ...]
    vectors: np.ndarray
    missing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Two (p, d) arrays, row j of both belonging to `kept[j]`; `missing` are the pairs left out for want of a word."""

    female: np.ndarray
    male: np.ndarray
    kept: tuple[tuple[str, str], ...]
    missing: tuple[tuple[str, str], ...]


class UnitRows:
    """The rows of a memory-mapped (n, d) matrix, scaled to length 1 when they are taken: `unit[rows]`, `unit @ vector`."""

    def __init__(self, vectors: np.ndarray):
        self._vectors = vectors
        self.shape, self.dtype, self.ndim = vectors.shape, vectors.dtype, 2

    def __len__(self) -> int:
        return len(self._vectors)

    def __getitem__(self, rows) -> np.ndarray:
        return _unit(take(self._vectors, rows))

    def blocks(self) -> Iterator[np.ndarray]:
        """The rows in order, 32 MB at a time."""
        return (self[start:stop] for start, stop in spans(self.shape))

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        return np.concatenate([block @ other for block in self.blocks()])

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self[:].astype(dtype or self.dtype, copy=False)


class Embedding:
    """n words and their (n, d) float32 vectors.

    words : unique strings; any text is a word, whatever its script, and spaces are allowed.
    vectors : (n, d) numbers; a float32 array or memmap is used as it is, without a copy.
    name, source : what to call it, and where its bytes come from (`key@sha256:…`).
    ranked : whether the rows come in an order of frequency, the most frequent word first.
    Raises ValueError naming the word when words repeat, or when a row holds NaN, infinity or only zeros: a row without a
    direction has no bias. (`load_embedding` leaves zero and repeated rows of a file out, with a warning.)
    """

    def __init__(
        self, words: Iterable[str], vectors, name: str = "", source: str = "", ranked: bool = False
    ):
        words, vectors = word_list(words), _matrix(vectors)
        if len(words) != len(vectors) or not vectors.shape[1]:
            raise ValueError(
                f"expected one row for each word, got {len(words):,} words and an array {vectors.shape}"
            )
        listed = ListedWords(words)
        if repeated := listed.repeated():
            raise ValueError(
                f"expected each word once, got {examples(repeated)} more than once; keep one row of each"
            )
        _check_rows(listed, vectors)
        self._set(listed, vectors, name, source, ranked)

    @classmethod
    def _checked(
        cls, words: Sequence[str], vectors: np.ndarray, name: str, source: str, ranked: bool
    ) -> "Embedding":
        """An embedding of words and rows that were checked before: nothing is scanned."""
        embedding = cls.__new__(cls)
        embedding._set(words, vectors, name, source, ranked)
        return embedding

    def _set(self, words, vectors, name, source, ranked) -> None:
        self.words, self.vectors = words, vectors
        self.name, self.source, self.ranked = name, source, bool(ranked)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __repr__(self) -> str:
        return f"Embedding({self.name!r}, {len(self):,} words x {self.vectors.shape[1]}, source={self.source!r})"

    def __getitem__(self, word: str) -> np.ndarray:
        """The (d,) vector of a word; UnknownWord, a KeyError, names the variants that exist."""
        return take(self.vectors, self._row(word))

    def rank(self, word: str) -> int | None:
        """The place of a word in the order of frequency, 0 for the most frequent; None where the rows have another order."""
        row = self._row(word)
        return row if self.ranked else None

    def _row(self, word: str) -> int:
        row = int(self.words.positions(word_list([word]))[0])
        if row < 0:
            raise UnknownWord(self._unknown([word]))
        return row

    def rows(self, words: Iterable[str], missing: str = "error") -> Rows:
        """The rows of several words, in the order asked for; a word asked for twice comes twice.

        missing : "error" raises UnknownWord naming the words that are not there; "drop" leaves them out and lists them.
        Raises ValueError for an empty list or a bare string.
        """
        words = word_list(words)
        positions = self.words.positions(words)
        lost = tuple(word for word, row in zip(words, positions) if row < 0)
        if _is_error(missing) and lost:
            raise UnknownWord(self._unknown(lost))
        found = tuple(word for word, row in zip(words, positions) if row >= 0)
        return Rows(found, take(self.vectors, positions[positions >= 0]), lost)

    def pairs(self, pairs: Iterable[tuple[str, str]], missing: str = "error") -> Pairs:
        """The rows of (female word, male word) pairs; a pair that lost a word is left out whole and shifts no other.

        missing : "error" raises UnknownWord naming the words that are not there; "drop" lists their pairs as missing.
        Raises ValueError for an empty list and for anything but two words a pair.
        """
        pairs = pair_list(pairs)
        female, male = (self.words.positions(side) for side in zip(*pairs))
        whole = (female >= 0) & (male >= 0)
        if _is_error(missing) and not whole.all():
            raise UnknownWord(
                self._unknown([word for pair in pairs for word in pair if word not in self])
            )
        kept = tuple(pair for pair, complete in zip(pairs, whole) if complete)
        lost = tuple(pair for pair, complete in zip(pairs, whole) if not complete)
        return Pairs(take(self.vectors, female[whole]), take(self.vectors, male[whole]), kept, lost)

    @cached_property
    def unit(self) -> np.ndarray | UnitRows:
        """All rows at length 1: an (n, d) array, or of a memory-mapped embedding a view that scales rows when asked for."""
        return (
            UnitRows(self.vectors)
            if isinstance(self.vectors, np.memmap)
            else _unit(np.array(self.vectors))
        )

    def first(self, count: int) -> "Embedding":
        """The embedding of the first `count` words, without a copy of the vectors; itself when it has no more."""
        if positive(count) >= len(self):
            return self
        words, source = self.words.first(count), f"{self.source}[:{count}]"
        return self._checked(words, self.vectors[:count], self.name, source, self.ranked)

    def _unknown(self, words: Sequence[str]) -> str:
        """Which words are missing, and which variants of them are there."""
        words = list(dict.fromkeys(words))
        clues = []
        for word in words[:NAMED]:
            held = [variant for variant in variants(word) if variant in self.words]
            clues.append(repr(word) + (f" (but {', '.join(map(repr, held))})" if held else ""))
        more = f" and {len(words) - NAMED:,} more" if len(words) > NAMED else ""
        verb = "is" if len(words) == 1 else "are"
        return (
            f"{', '.join(clues)}{more} {verb} not among the {len(self):,} words of {self.name or 'this embedding'}; choose "
            "other words, or leave missing ones out with .rows(words, missing='drop')"
        )


def _matrix(vectors) -> np.ndarray:
    """Vectors as an (n, d) float32 array; a memmap stays one."""
    vectors = np.asanyarray(vectors)
    if vectors.ndim != 2:
        raise ValueError(
            f"expected vectors of shape (words, dimensions), got shape {vectors.shape}; give one row a word"
        )
    if vectors.dtype.kind not in "fiu":
        raise ValueError(
            f"expected vectors of real numbers, got {vectors.dtype}; convert them to float32"
        )
    return vectors.astype(np.float32, copy=False)


def spans(shape: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Start and stop of runs of rows that take 32 MB each, for an array of (n, d)."""
    step = max(1, BLOCK // shape[1])
    return ((start, min(start + step, shape[0])) for start in range(0, shape[0], step))


def take(vectors: np.ndarray, rows) -> np.ndarray:
    """A copy of some rows of an (n, d) array, by any index. A memmap's are read from its file: where a page of a mapped file
    is touched, the system may count megabytes around it as resident.
    """
    place = _place_in_file(vectors)
    if place is None:
        return np.array(vectors[rows])
    wanted = np.arange(len(vectors))[rows]
    flat = wanted.reshape(-1)
    taken = np.empty((len(flat), vectors.shape[1]), dtype=np.float32)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(flat) != 1) + 1)) if len(flat) else []
    with Path(vectors.filename).open("rb") as file:
        for start, stop in zip(
            starts, [*starts[1:], len(flat)]
        ):  # each run of neighbouring rows at once
            file.seek(place + int(flat[start]) * vectors.strides[0])
            if (
                file.readinto(memoryview(taken[start:stop]).cast("B"))
                != (stop - start) * vectors.strides[0]
            ):
                raise OSError(
                    f"{vectors.filename}: expected {len(vectors):,} rows, the file is shorter now; open it again"
                )
    return taken.reshape(*wanted.shape, vectors.shape[1])


def _place_in_file(vectors: np.ndarray) -> int | None:
    """The byte of a memmap's file at which its first row begins; None for other arrays and for rows not end to end."""
    mapped = getattr(vectors, "_mmap", None)
    if (
        mapped is None
        or not isinstance(vectors, np.memmap)
        or not vectors.filename
        or not vectors.flags.c_contiguous
    ):
        return None
    begin = vectors.offset - vectors.offset % mmap.ALLOCATIONGRANULARITY
    return begin + vectors.ctypes.data - np.frombuffer(mapped, np.uint8).ctypes.data


def _unit(rows: np.ndarray) -> np.ndarray:
    """Rows (or one row) divided by their length, in place."""
    lengths = np.sqrt(np.einsum("...i,...i->...", rows, rows, dtype=np.float64))
    rows /= lengths[..., None]
    return rows


def _check_rows(words: Sequence[str], vectors: np.ndarray) -> None:
    """Refuse NaN, infinity and rows of zeros."""
    for start, stop in spans(vectors.shape):
        block = take(vectors, slice(start, stop))
        for rows, fault in (
            (~np.isfinite(block).all(axis=1), "NaN or infinity"),
            (~block.any(axis=1), "only zeros"),
        ):
            if rows.any():
                row = start + int(rows.argmax())
                raise ValueError(
                    f"expected finite rows with a direction, got {fault} in row {row:,} ({words[row]!r}) and in "
                    f"{int(rows.sum()) - 1:,} more; leave such words out"
                )


def _is_error(missing: str) -> bool:
    if missing not in ("error", "drop"):
        raise ValueError(f"expected missing='error' or missing='drop', got {missing!r}")
    return missing == "error"


def positive(count: int | None) -> int | None:
    """A number of rows as it is; ValueError unless it is 1 or more, or None for all."""
    if count is not None and (
        isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1
    ):
        raise ValueError(f"expected a number of rows of 1 or more, got {count!r}")
    return count
