"""What a corpus says about two words: co-occurrences, csPMI, and RIPA of a perfect factorisation.

Counts are pairs of positions at most `window` words apart, both directions, so that they are
exactly the pairs on which skip-gram with negative sampling trains when its window does not shrink
and no word is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lib.checks import real_numbers, unmasked

Array = NDArray[np.floating]


def cooccurrences(
    texts: Iterable[ArrayLike],
    size: int,
    window: int = 5,
    *,
    weighted: bool = False,
    block: int = 2**21,
) -> sparse.csr_matrix:
    """How often each two words stand at most `window` places apart in one text.

    Parameters
    ----------
    texts : iterable of array_like of int
        Word numbers below `size`, text by text; a number below 0 is a place that holds no word. No
        window reaches from one text to the next.
    size : int
        The number of words, m.
    window : int
        The largest distance that counts.
    weighted : bool
        Whether two words d places apart count 1/d, as for GloVe [1]_, and not 1.
    block : int
        How many positions are counted at a time, which bounds the memory; without effect on counts,
        and on weights but for rounding.

    Returns
    -------
    sparse matrix of shape (m, m)
        Symmetric: int64 counts, or float32 weights. A word beside itself counts from both sides.

    Raises
    ------
    ValueError
        For a number that is no word's, and for a window or block below 1.

    References
    ----------
    .. [1] Pennington, Socher & Manning (2014), "GloVe: global vectors for word representation".

    Examples
    --------
    >>> cooccurrences([[0, 1, 2, 1]], size=3, window=1).toarray()
    array([[0, 1, 0],
           [1, 0, 2],
           [0, 2, 0]])
    """
    if window < 1 or block < 1:
        raise ValueError(
            f"expected a window and a block of 1 or more, got window={window}, block={block}"
        )
    kind = np.float32 if weighted else np.int64
    counts = sparse.csr_matrix((size, size), dtype=kind)
    for words, text in _blocks(texts, block):
        if len(words) and words.max() >= size:
            raise ValueError(
                f"expected word numbers from 0 to {size - 1}, got {words.min()} to {words.max()}"
            )
        for apart in range(1, min(window, len(words) - 1) + 1):
            left, right = words[:-apart], words[apart:]
            paired = (text[apart:] == text[:-apart]) & (left >= 0) & (right >= 0)
            weights = np.full(paired.sum(), 1 / apart if weighted else 1, kind)
            pairs = sparse.coo_matrix((weights, (left[paired], right[paired])), shape=(size, size))
            counts = counts + pairs.tocsr()
    return (counts + counts.T).tocsr()


def _blocks(
    texts: Iterable[ArrayLike], block: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Whole texts joined until a block is full, and the number of the text of each position."""
    joined: list[NDArray[np.int64]] = []
    for text in texts:
        joined.append(np.asarray(unmasked("texts", text), np.int64))
        if sum(map(len, joined)) >= block:
            yield _joined(joined)
            joined = []
    if joined:
        yield _joined(joined)


def _joined(texts: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    lengths = [len(text) for text in texts]
    return np.concatenate(texts), np.repeat(np.arange(len(texts)), lengths)


def cspmi(together: ArrayLike, first: ArrayLike, second: ArrayLike) -> Array:
    """Co-occurrence shifted PMI of pairs of words, PMI(x, y) + log p(x, y); natural logarithms.

    Parameters
    ----------
    together : array_like of shape (p,)
        Counts of x with y.
    first, second : array_like of shape (p,)
        Counts of x and of y with anything; the count of all pairs cancels.

    Returns
    -------
    ndarray of shape (p,)
        At most 0 for counts of one corpus; minus infinity where the two never stand together.

    Raises
    ------
    ValueError
        For negative counts and for words that never occur.

    References
    ----------
    .. [1] Ethayarajh, Duvenaud & Hirst (2019), "Understanding undesirable word embedding
       associations", Section 5.1.

    Examples
    --------
    >>> cspmi([8], [40], [100]).round(2)
    array([-4.14])
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
    """log p(w | female word) - log p(w | male word) of each word with each pair, in nats.

    Parameters
    ----------
    with_female, with_male : array_like of shape (n, p)
        Counts of the word with the female and with the male word of each pair.
    female, male : array_like of shape (p,)
        Counts of those words with anything.

    Returns
    -------
    ndarray of shape (n, p)
        Positive leans female; NaN where the word never stands near one of the two, for the ratio is
        not known.

    Raises
    ------
    ValueError
        When shapes disagree.

    Examples
    --------
    >>> log_ratio([[4]], [[2]], female=[10], male=[10]).round(3)
    array([[0.693]])
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
    """What RIPA would be if the vectors reproduced the corpus without error.

    Parameters
    ----------
    ratios : array_like of shape (n, p)
        From `log_ratio`.
    cspmis : array_like of shape (p,)
        From `cspmi`, of the pairs.
    scale : float
        lambda, with context vectors = lambda times word vectors.
    shift : float
        alpha, the csPMI of a word with itself as the vectors see it.

    Returns
    -------
    ndarray of shape (n, p)
        Positive leans female. A pair whose words never meet has csPMI minus infinity and gives 0.

    Raises
    ------
    ValueError
        Where the length of a difference vector would be no number: a csPMI above the shift, a scale
        not above 0.

    References
    ----------
    .. [1] Ethayarajh, Duvenaud & Hirst (2019), "Understanding undesirable word embedding
       associations", equations 5 and 7.

    Examples
    --------
    >>> genderedness([[0.6]], cspmis=[-10], scale=1, shift=-1)
    array([[0.2]])
    """
    squared = shift - real_numbers("cspmis", cspmis)
    if scale <= 0 or (squared <= 0).any():
        raise ValueError(
            f"expected scale above 0 and every csPMI below shift={shift}, got scale={scale} and "
            f"csPMI up to {np.max(cspmis):.2f}; raise the shift or leave that pair out"
        )
    return real_numbers("ratios", ratios) / np.sqrt(scale * squared)


def fit_constants(squared_distances: ArrayLike, cspmis: ArrayLike) -> tuple[float, float]:
    """Scale and shift of ``csPMI = -lambda |x - y|^2 + alpha``, by least squares over pairs that meet.

    Parameters
    ----------
    squared_distances : array_like of shape (q,)
        Of the two vectors of each pair.
    cspmis : array_like of shape (q,)
        From `cspmi`; pairs with minus infinity are left out.

    Returns
    -------
    scale, shift : float
        lambda and alpha.

    Raises
    ------
    ValueError
        For fewer than three finite pairs.

    Examples
    --------
    >>> scale, shift = fit_constants([1, 2, 3], [-1.5, -2.0, -2.5])
    >>> round(scale, 6), round(shift, 6)
    (0.5, -1.0)
    """
    squared_distances, cspmis = (
        real_numbers("squared_distances", squared_distances),
        real_numbers("cspmis", cspmis),
    )
    finite = np.isfinite(cspmis)
    if finite.sum() < 3:
        raise ValueError(f"expected three or more pairs that occur together, got {finite.sum()}")
    slope, intercept = np.polyfit(squared_distances[finite], cspmis[finite], 1)
    return float(-slope), float(intercept)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of n words beside the c words that pairs are made of, kept from a larger table.

    Attributes
    ----------
    words : tuple of str
        The n rows.
    columns : tuple of str
        The c words, all of them rows too.
    beside : ndarray of shape (n, c)
        Counts of the rows beside the columns.
    totals : ndarray of shape (n,)
        Counts of each row beside anything.
    total : int
        Counts of all words beside anything.

    Examples
    --------
    >>> beside = np.array([[0, 6], [6, 0], [9, 3]])
    >>> counts = PairCounts(
    ...     ("she", "he", "nurse"), ("she", "he"), beside, np.array([50, 80, 30]), total=400
    ... )
    >>> counts.ratios(["nurse"], [("she", "he")]).round(2)
    array([[1.57]])
    >>> counts.cspmi([("she", "he")]).round(2)
    array([-4.71])
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
    """The counts that `scripts.sgns` wrote of a part of its corpus.

    Parameters
    ----------
    path : Path or str
        An .npz file, such as data/models/sgns/counts.npz.
    part : {"whole", "a", "b"}
        The corpus, or one of its halves.

    Returns
    -------
    PairCounts
    """
    with np.load(path, allow_pickle=False) as arrays:
        words, columns = (tuple(map(str, arrays[name])) for name in ("words", "columns"))
        beside, totals = arrays[f"{part}_with"], arrays[f"{part}_of"]
        return PairCounts(words, columns, beside, totals, int(arrays[f"{part}_all"]))
