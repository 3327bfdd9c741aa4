"""One text and the vectors trained on it, asked about the same words with the same pairs.

Shapes: n words, p pairs, female word first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.embeddings.trained import SGNS, Trainings, read_trainings
from lib.measures import ripa
from studies.ripa.copies import Counts, counts_beside
from studies.ripa.counts import PairCounts, read_counts

Floats = NDArray[np.float64]
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class TwoSides:
    """The trainings on a text, and the counts of that text and of its halves, by name: "whole", "a", "b"."""

    trainings: Trainings
    counts: Mapping[str, PairCounts]

    @property
    def columns(self) -> set[str]:
        """The words beside which others were counted: pairs are made of these."""
        return {*self.counts["whole"].columns}

    def counted(self, words: Sequence[str], pairs: Pairs, part: str = "whole") -> Counts:
        """Counts of words beside pairs."""
        return counts_beside(self.counts[part], words, pairs)

    def products(self, words: Sequence[str], pairs: Pairs) -> Floats:
        """Inner products (n, p) with the difference of the pairs' context vectors, of the one training that has these."""
        of_pairs = self.trainings.contexts.pairs(pairs)
        rows = self.trainings.space.rows(words).vectors.astype(np.float64)
        return np.asarray(rows @ (of_pairs.female - of_pairs.male).astype(np.float64).T)

    def ripa(self, words: Sequence[str], pairs: Pairs, part: str = "whole") -> Floats:
        """RIPA (r, n, p) in each training on the text or on a half of it."""
        runs = self.trainings.repeats(part)
        of_runs = [
            [self.trainings.vectors(listed, run) for listed in (words, *zip(*pairs))]
            for run in runs
        ]
        return np.array([ripa(*vectors) for vectors in of_runs])

    def in_both_halves(self, word: str) -> bool:
        """Whether vectors of a word were trained on either half: a word that is too rare in one has none there."""
        known = word in self.trainings.rows
        return known and all(self.trainings.vectors([word], f"{half}_0").any() for half in "ab")

    def halves(self, words: Sequence[str], pairs: Pairs, zeros: str) -> dict[str, Floats]:
        """Leans (n, p) in counts and in vectors (RIPA, the mean of trainings) of both halves: "text a", "vectors b" and so on."""
        text = {f"text {h}": self.counted(words, pairs, h).leans(zeros) for h in "ab"}
        return text | {f"vectors {h}": self.ripa(words, pairs, h).mean(axis=0) for h in "ab"}

    def lengths(self, pairs: Pairs) -> Floats:
        """Length |x - y| (p,) of the differences of pairs, the mean over trainings on the whole text."""
        sides = [*zip(*pairs)]
        differences = [
            np.subtract(*(self.trainings.vectors(side, run) for side in sides))
            for run in self.trainings.repeats("whole")
        ]
        return np.asarray(np.linalg.norm(differences, axis=2).mean(axis=0))


def read_two_sides() -> TwoSides:
    """What `scripts.train.sgns` wrote of its text."""
    counts = {part: read_counts(SGNS / "counts.npz", part) for part in ("whole", "a", "b")}
    return TwoSides(read_trainings(), counts)
