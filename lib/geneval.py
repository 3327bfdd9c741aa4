"""MT-GenEval (Currey et al. 2022): sentences whose English says a gender, in pairs that differ in it, with references.

From Wikipedia, 300 test pairs a language. The measure needs no reader of a language: it looks for words that only the
reference of the other gender has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lib.sources import fetch

LANGUAGES = ("ar", "de", "es", "fr", "it", "pt", "ru")
WORDS = re.compile(r"\w+")


class Counterparts(NamedTuple):
    """The same sentence about a woman and about a man: English, and a reference for each."""

    feminine_english: str
    masculine_english: str
    feminine: str
    masculine: str


@dataclass(frozen=True)
class Overlaps:
    """Outputs by the words they share with only one of two references: the right one, the wrong one, both, or neither."""

    right: int
    wrong: int
    both: int
    neither: int

    @property
    def n(self) -> int:
        return self.right + self.wrong + self.both + self.neither

    @property
    def accuracy(self) -> float:
        """Share of the outputs without a word that only the wrong reference has; `neither` counts as right, as published."""
        return (self.right + self.neither) / self.n

    @property
    def shown(self) -> int:
        """Outputs that have a word of one reference only, so that the measure could see a gender at all."""
        return self.n - self.neither


def read_counterparts(language: str) -> list[Counterparts]:
    """The test sentences of a language, one of `LANGUAGES`. Needs the `sample` files.

    Raises ValueError for another language, and where the four files are not line by line of each other.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language: expected one of {', '.join(LANGUAGES)}, got {language!r}")
    parts = [(gender, of) for of in ("en", language) for gender in ("feminine", "masculine")]
    files = [fetch(f"mtge_sentences_{gender}_test_en_{language}_{of}") for gender, of in parts]
    columns = [file.read_text(encoding="utf-8").rstrip("\n").split("\n") for file in files]
    if len(set(map(len, columns))) != 1:
        raise ValueError(f"MT-GenEval, {language}: expected four files of equal length, got {[*map(len, columns)]} lines; "
                         "fetch them again")  # fmt: skip
    return [Counterparts(*row) for row in zip(*columns)]


def overlaps(outputs: Sequence[str], right: Sequence[str], wrong: Sequence[str]) -> Overlaps:
    """Count outputs by the words of only the right reference, of only the wrong one, of both and of neither.

    Words are compared in small letters, without punctuation. Raises ValueError for lists that are empty or not equally long.
    Currey et al. (2022), section 4.1.
    """
    if not outputs or not len(outputs) == len(right) == len(wrong):
        raise ValueError("expected outputs and as many references of both kinds, "
                         f"got {len(outputs)}, {len(right)} and {len(wrong)}")  # fmt: skip
    found = [(bool(said & (this - that)), bool(said & (that - this)))
             for said, this, that in zip(*(map(_words, texts) for texts in (outputs, right, wrong)))]  # fmt: skip
    return Overlaps(*(found.count(kind) for kind in ((True, False), (False, True), (True, True), (False, False))))


def _words(text: str) -> set[str]:
    return set(WORDS.findall(text.lower()))
