"""MT-GenEval (Currey et al. 2022): sentences whose English says a gender, in pairs that differ in it, with references.

From Wikipedia, 300 test pairs a language. The measure needs no reader of a language: it looks for words that only the
reference of the other gender has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """Of each output whether it has words that only the right reference has, and words that only the wrong one has.

    right, wrong : (n,) bool.
    """

    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]

    @property
    def accuracy(self) -> float:
        """Share of the outputs without a word that only the wrong reference has; so one with neither's counts as right."""
        return float(np.mean(~self.wrong))

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(n,) Whether an output has a word of one reference only, so that the measure could see a gender at all."""
        return self.right | self.wrong


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
        raise ValueError(
            f"MT-GenEval, {language}: expected four files of equal length, got {[*map(len, columns)]} lines; "
            "fetch them again"
        )
    return [Counterparts(*row) for row in zip(*columns)]


def overlaps(outputs: Sequence[str], right: Sequence[str], wrong: Sequence[str]) -> Overlaps:
    """Compare outputs with the reference of the right gender and with that of the other, by words that only one has.

    Words are compared in small letters, without punctuation. Raises ValueError for lists that are empty or not equally long.
    Currey et al. (2022), section 4.1.
    """
    if not outputs or not len(outputs) == len(right) == len(wrong):
        raise ValueError(
            "expected outputs and as many references of both kinds, "
            f"got {len(outputs)}, {len(right)} and {len(wrong)}"
        )
    rows = list(zip(*(map(_words, texts) for texts in (outputs, right, wrong))))
    return Overlaps(
        np.array([bool(said & (this - that)) for said, this, that in rows]),
        np.array([bool(said & (that - this)) for said, this, that in rows]),
    )


def _words(text: str) -> set[str]:
    return set(WORDS.findall(text.lower()))
