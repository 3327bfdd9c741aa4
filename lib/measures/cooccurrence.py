"""What a corpus itself says about two words: co-occurrence counts, csPMI, and the genderedness of a perfect factorisation.

Counts are pairs of positions at most `window` words apart, both directions, so that they are exactly the pairs on which
skip-gram with negative sampling trains when its window does not shrink and no word is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

Array = NDArray[np.floating]


def cooccurrences(
    texts: Iterable[ArrayLike], size: int, window: int = 5, block: int = 2**21
) -> sparse.csr_matrix:
    """How often each two words stand at most `window` places apart in one text.

    texts : sequences of word numbers below size, no window reaches from one to the next; block : how many positions are
    counted at a time, which bounds the memory; the result does not depend on it.
    Returns a symmetric (size, size) matrix of counts; a word beside itself counts from both sides.
    Raises ValueError for a number that is no word's, and for a window or block below 1.
    """
    if window < 1 or block < 1:
        raise ValueError(
            f"expected a window and a block of 1 or more, got window={window}, block={block}"
        )
    counts = sparse.csr_matrix((size, size), dtype=np.int64)
    for words, text in _blocks(texts, block):
        if len(words) and not 0 <= words.min() <= words.max() < size:
            raise ValueError(
                f"expected word numbers from 0 to {size - 1}, got {words.min()} to {words.max()}"
            )
        for apart in range(1, min(window, len(words) - 1) + 1):
            inside = text[apart:] == text[:-apart]
            pairs = words[:-apart][inside], words[apart:][inside]
            counts = (
                counts
                + sparse.coo_matrix(
                    (np.ones(len(pairs[0]), np.int64), pairs), shape=(size, size)
                ).tocsr()
            )
    return (counts + counts.T).tocsr()


def cspmi(together: ArrayLike, first: ArrayLike, second: ArrayLike) -> Array:
    """Co-occurrence shifted PMI of pairs of words, PMI(x, y) + log p(x, y); natural logarithms.

    together, first, second : (p,) counts of x with y, of x and of y with anything; the count of all pairs cancels.
    Returns (p,), minus infinity where the two never stand together. Raises ValueError for negative counts and words
    that never occur.
    Ethayarajh, Duvenaud & Hirst (2019), Section 5.1.
    """
    together, first, second = (np.asarray(counts, float) for counts in (together, first, second))
    if (together < 0).any() or (first <= 0).any() or (second <= 0).any():
        raise ValueError(
            "expected counts of words that occur; got a word without any, or a negative count"
        )
    with np.errstate(divide="ignore"):
        return 2 * np.log(together) - np.log(first) - np.log(second)


def log_ratio(
    with_female: ArrayLike, with_male: ArrayLike, female: ArrayLike, male: ArrayLike
) -> Array:
    """log p(w | female word) - log p(w | male word) of each word with each pair; natural logarithm.

    with_female, with_male : (n, p) counts of the word with each word of the pair; female, male : (p,) counts of those.
    Returns (n, p), positive leans female; NaN where the word never stands near one of the two: the ratio is not known.
    """
    with_female, with_male = np.asarray(with_female, float), np.asarray(with_male, float)
    if (
        with_female.shape != with_male.shape
        or with_female.ndim != 2
        or np.shape(female) != with_female.shape[1:]
    ):
        raise ValueError(
            f"expected (n, p) counts beside (p,) totals, got {with_female.shape}, {with_male.shape} and "
            f"{np.shape(female)}"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (
            np.log(with_female)
            - np.log(with_male)
            - np.log(np.asarray(female, float) / np.asarray(male, float))
        )
    return np.where(np.isfinite(ratio), ratio, np.nan)


def genderedness(
    ratios: ArrayLike, cspmis: ArrayLike, scale: float = 1.0, shift: float = -1.0
) -> Array:
    """What RIPA would be if the vectors reproduced the corpus without error: equation 7, for each word and pair.

    ratios : (n, p) from `log_ratio`; cspmis : (p,) of the pairs; scale : lambda, with context = lambda word vectors;
    shift : alpha, the csPMI of a word with itself as the vectors see it.
    Returns (n, p), positive leans female. A pair whose words never meet has csPMI minus infinity and gives 0.
    Raises ValueError where the length of a difference vector would be no number: a csPMI above the shift, a scale not
    above 0.
    Ethayarajh, Duvenaud & Hirst (2019), equations 5 and 7.
    """
    squared = shift - np.asarray(cspmis, float)
    if scale <= 0 or (squared <= 0).any():
        raise ValueError(
            f"expected scale above 0 and every csPMI below shift={shift}, got scale={scale} and csPMI up to "
            f"{np.max(cspmis):.2f}; raise the shift or leave that pair out"
        )
    return np.asarray(ratios, float) / np.sqrt(scale * squared)


def fit_constants(squared_distances: ArrayLike, cspmis: ArrayLike) -> tuple[float, float]:
    """Scale lambda and shift alpha of csPMI = -lambda |x - y|^2 + alpha, by least squares over pairs that do meet.

    squared_distances, cspmis : (q,). Returns (lambda, alpha). Raises ValueError for fewer than three finite pairs.
    """
    squared_distances, cspmis = np.asarray(squared_distances, float), np.asarray(cspmis, float)
    known = np.isfinite(cspmis)
    if known.sum() < 3:
        raise ValueError(f"expected three or more pairs that occur together, got {known.sum()}")
    slope, intercept = np.polyfit(squared_distances[known], cspmis[known], 1)
    return float(-slope), float(intercept)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of n words beside the c words that pairs are made of, kept from a larger table.

    words : the n rows; columns : the c words, all rows too; beside : (n, c) counts; totals : (n,) counts of each word
    beside anything; total : of all words.
    """

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

    def _of_pairs(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[list[int], list[int], NDArray, NDArray]:
        unknown = [word for pair in pairs for word in pair if word not in self.columns]
        if unknown:
            raise ValueError(
                f"no counts beside {', '.join(unknown)}; expected some of {', '.join(self.columns)}"
            )
        female, male = ([self.columns.index(word) for word in side] for side in zip(*pairs))
        return (
            female,
            male,
            *(self.totals[[self._rows[word] for word in side]] for side in zip(*pairs)),
        )

    def ratios(
        self, words: Sequence[str], pairs: Sequence[tuple[str, str]], add: float = 0.0
    ) -> Array:
        """`log_ratio` of words with (female, male) pairs, (n, p); add : put on every count before the logarithm."""
        female, male, of_female, of_male = self._of_pairs(pairs)
        rows = self.beside[[self._rows[word] for word in words]]
        return log_ratio(rows[:, female] + add, rows[:, male] + add, of_female, of_male)

    def cspmi(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """`cspmi` of pairs, (p,)."""
        _, male, of_female, of_male = self._of_pairs(pairs)
        together = [
            self.beside[self._rows[first], column] for (first, _), column in zip(pairs, male)
        ]
        return cspmi(together, of_female, of_male)

    def pmi(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """log p(x, y) / p(x) p(y) of pairs, (p,); minus infinity where the two never stand together."""
        _, _, first, second = self._of_pairs(pairs)
        return (self.cspmi(pairs) - np.log(first) - np.log(second)) / 2 + np.log(self.total)

    def genderedness(
        self,
        words: Sequence[str],
        pairs: Sequence[tuple[str, str]],
        scale: float = 1.0,
        shift: float = -1.0,
        add: float = 0.0,
    ) -> Array:
        """`genderedness` of words with pairs, (n, p): NaN where a count is zero and nothing is added."""
        return genderedness(self.ratios(words, pairs, add), self.cspmi(pairs), scale, shift)


def read_counts(path: Path | str, part: str = "whole") -> PairCounts:
    """The counts that `lib.training.sgns` wrote of a part of its corpus: "whole", or the halves "a" and "b"."""
    with np.load(path, allow_pickle=False) as arrays:
        words, columns = (
            tuple(str(word) for word in arrays[name]) for name in ("words", "columns")
        )
        return PairCounts(
            words, columns, arrays[f"{part}_with"], arrays[f"{part}_of"], int(arrays[f"{part}_all"])
        )


def _blocks(texts: Iterable[ArrayLike], block: int) -> Iterator[tuple[NDArray, NDArray]]:
    """Whole texts joined until a block is full, with the number of the text that each position belongs to."""
    gathered, filled = [], 0
    for text in texts:
        gathered.append(np.asarray(text, np.int64))
        filled += len(gathered[-1])
        if filled >= block:
            yield _joined(gathered)
            gathered, filled = [], 0
    if gathered:
        yield _joined(gathered)


def _joined(texts: list[NDArray]) -> tuple[NDArray, NDArray]:
    return np.concatenate(texts), np.repeat(np.arange(len(texts)), [len(text) for text in texts])
