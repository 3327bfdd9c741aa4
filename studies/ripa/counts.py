"""What the counts of a corpus say of words and pairs: csPMI, log ratios, and RIPA of a perfect factorisation.

Shapes: n words, p pairs, female word first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

Array = NDArray[np.floating]


def cspmi(together: ArrayLike, first: ArrayLike, second: ArrayLike) -> Array:
    """PMI(x, y) + log p(x, y) of p pairs in nats, at most 0: Section 5.1. The count of all pairs cancels.

    Takes counts (p,) of x with y, and of x and of y with anything; minus infinity where the two never meet.
    """
    together, first, second = (
        real_numbers("counts", counts) for counts in (together, first, second)
    )
    if (together < 0).any() or (first <= 0).any() or (second <= 0).any():
        raise ValueError(
            "expected counts of words that occur; got a word without any, or a negative count"
        )
    with np.errstate(divide="ignore"):
        shifted: Array = 2 * np.log(together) - np.log(first) - np.log(second)
    return shifted


def log_ratio(
    with_female: ArrayLike, with_male: ArrayLike, female: ArrayLike, male: ArrayLike
) -> Array:
    """log p(w | female word) - log p(w | male word) of words with pairs (n, p), in nats, from counts (n, p) and totals (p,).

    NaN where the word never stands near one of the two: the ratio is not known.
    """
    with_female, with_male = (
        real_numbers("with_female", with_female),
        real_numbers("with_male", with_male),
    )
    same_shape = with_female.shape == with_male.shape and with_female.ndim == 2
    if not same_shape or np.shape(female) != with_female.shape[1:]:
        raise ValueError(
            "expected (n, p) counts beside (p,) totals, "
            f"got {with_female.shape}, {with_male.shape} and {np.shape(female)}"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        totals = np.log(real_numbers("female", female) / real_numbers("male", male))
        ratio = np.log(with_female) - np.log(with_male) - totals
    return np.where(np.isfinite(ratio), ratio, np.nan)


def genderedness(
    ratios: ArrayLike, cspmis: ArrayLike, scale: float = 1.0, shift: float = -1.0
) -> Array:
    """What RIPA would be (n, p) if the vectors reproduced the corpus without error: equations 5 and 7.

    `scale` is lambda (context vectors are lambda times word vectors), `shift` is alpha, the csPMI of a word with itself as
    the vectors see it. A pair whose words never meet has csPMI minus infinity and gives 0.
    """
    squared = shift - real_numbers("cspmis", cspmis)
    if scale <= 0 or (squared <= 0).any():
        raise ValueError(
            f"expected scale above 0 and every csPMI below shift={shift}, got scale={scale} and "
            f"csPMI up to {np.max(cspmis):.2f}; raise the shift or leave that pair out"
        )
    return real_numbers("ratios", ratios) / np.sqrt(scale * squared)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of n words beside the c words that pairs are made of, kept from a larger table."""

    words: tuple[str, ...]
    columns: tuple[str, ...]
    beside: NDArray[np.integer]
    totals: NDArray[np.integer]
    total: int

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def ratios(
        self, words: Sequence[str], pairs: Sequence[tuple[str, str]], add: float = 0.0
    ) -> Array:
        """`log_ratio` (n, p) of words with (female, male) pairs; `add` is put on every count."""
        (female, male), (of_female, of_male) = self._sides(pairs)
        rows = self.beside[[self._rows[word] for word in words]]
        return log_ratio(rows[:, female] + add, rows[:, male] + add, of_female, of_male)

    def cspmi(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """`cspmi` (p,) of pairs."""
        (_, male), totals = self._sides(pairs)
        rows = [self._rows[female] for female, _ in pairs]
        return cspmi(self.beside[rows, male], *totals)

    def pmi(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """log p(x, y) / p(x) p(y) of pairs, (p,); minus infinity where the two never meet."""
        _, (first, second) = self._sides(pairs)
        pmi: Array = (self.cspmi(pairs) - np.log(first) - np.log(second)) / 2 + np.log(self.total)
        return pmi

    def genderedness(
        self,
        words: Sequence[str],
        pairs: Sequence[tuple[str, str]],
        scale: float = 1.0,
        shift: float = -1.0,
        add: float = 0.0,
    ) -> Array:
        """`genderedness` (n, p) of words with pairs: NaN where a count is zero and `add` is 0."""
        return genderedness(self.ratios(words, pairs, add), self.cspmi(pairs), scale, shift)

    def _sides(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[list[list[int]], list[NDArray[np.integer]]]:
        """The columns of the female and of the male words, and the totals of both."""
        unknown = [word for pair in pairs for word in pair if word not in self.columns]
        if unknown:
            raise ValueError(
                f"no counts beside {', '.join(unknown)}; expected some of {', '.join(self.columns)}"
            )
        sides = list(zip(*pairs))
        columns = [[self.columns.index(word) for word in side] for side in sides]
        return columns, [self.totals[[self._rows[word] for word in side]] for side in sides]


def read_counts(path: Path | str, part: str = "whole") -> PairCounts:
    """The counts that `scripts.train.sgns` wrote of its corpus ("whole") or of one of its halves ("a", "b")."""
    with np.load(path, allow_pickle=False) as arrays:
        words, columns = (tuple(map(str, arrays[name])) for name in ("words", "columns"))
        beside, totals = arrays[f"{part}_with"], arrays[f"{part}_of"]
        return PairCounts(words, columns, beside, totals, int(arrays[f"{part}_all"]))
