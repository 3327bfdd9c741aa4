"""The text of one culture, whole or a fixed random sample of its messages."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.cultures.texts import read_report

LINES = 2**16  # of a text, read at a time


@dataclass(frozen=True)
class CultureText:
    """The messages of one culture from several files, as lists of words; can be iterated again and
    again.

    Each message has a random key that depends on the seed, its file and its place there alone, and the `cap`
    smallest keys are taken: a sample that is the same for any number of workers. Messages come in the order
    of the files.

    Parameters
    ----------
    code : str
        Of the state or country.
    parts : tuple of Path
        Folders made by `lib.cultures.texts.split_file`.
    cap : int, optional
        Most messages taken; all by default.
    seed : int
        Of the sample.
    """

    code: str
    parts: tuple[Path, ...]
    cap: int | None = None
    seed: int = 0

    @cached_property
    def _counts(self) -> list[int]:
        return [read_report(part).messages.get(self.code, 0) for part in self.parts]

    @property
    def messages(self) -> int:
        """How many messages an iteration gives."""
        return min(sum(self._counts), self.cap or sum(self._counts))

    @cached_property
    def _largest_key(self) -> np.uint64 | None:
        """The largest key that is taken; None where all are."""
        if self.messages == sum(self._counts):
            return None
        smallest = np.empty(0, np.uint64)
        for part, count in zip(self.parts, self._counts):
            for start in range(0, count, LINES):
                keys = self._keys(part, start, min(LINES, count - start))
                if len(smallest) >= self.cap:
                    keys = keys[keys < smallest.max()]
                smallest = np.concatenate((smallest, keys))
                if len(smallest) > self.cap + 16 * LINES:
                    smallest = np.partition(smallest, self.cap - 1)[: self.cap]
        return np.partition(smallest, self.cap - 1)[self.cap - 1]

    def _keys(self, part: Path, start: int, count: int) -> NDArray[np.uint64]:
        """Keys of the messages start, start + 1, … of one part: the finaliser of SplitMix64.

        NumPy's counter-based Philox would do as well, but gives other keys, so other samples than those on
        which vectors have been trained.
        """
        name = f"{self.seed} {part.name} {self.code}".encode()
        first = np.uint64(int.from_bytes(hashlib.sha256(name).digest()[:8], "little"))
        numbers = np.arange(start + 1, start + count + 1, dtype=np.uint64)
        keys = numbers * np.uint64(0x9E3779B97F4A7C15) + first
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            keys = (keys ^ (keys >> np.uint64(shift))) * np.uint64(factor)
        return keys ^ (keys >> np.uint64(31))

    def lines(self) -> Iterator[str]:
        """The messages as lines."""
        for part, count in zip(self.parts, self._counts):
            if not count:
                continue
            with (part / f"{self.code}.txt").open(encoding="utf-8", newline="\n") as file:
                for start in range(0, count, LINES):
                    block = islice(file, min(LINES, count - start))
                    if self._largest_key is not None:
                        block = list(block)
                        keys = self._keys(part, start, len(block))
                        block = compress(block, keys <= self._largest_key)
                    yield from block

    def __iter__(self) -> Iterator[list[str]]:
        return map(str.split, self.lines())
