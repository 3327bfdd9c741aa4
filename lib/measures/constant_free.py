"""Leans in vectors beside leans in their text, without a constant: how large a copy would look.

Where skip-gram vectors factorise PMI, the inner product of a word's vector with the difference of
the two context vectors of a pair equals log p(w | x) / p(w | y), the lean in the text, whatever
the constants of RIPA are. Counts are sparse, though, so even a true copy does not give 1: counts
are drawn anew as if the vectors held the truth, and what such copies give is the yardstick.

What all words of a group share with a pair is no lean of one of them: it says how often the two
words of the pair occur and how a rule fills zero counts. So each pair is centred on the group.

Shapes: n words, p pairs, female word first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked
from lib.measures.amplification import known_cells, mean_over_pairs
from lib.measures.cooccurrence import PairCounts

Floats = NDArray[np.float64]

ZERO_RULES = ("drop", "half", "prior")


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of n words beside the two words of p pairs.

    Attributes
    ----------
    with_female, with_male : array_like, shape (n, p)
        Of each word beside the female and the male word of each pair.
    female, male : array_like, shape (p,)
        Of those words beside anything.

    Raises
    ------
    ValueError
        Where shapes disagree, a count is negative, or a word of a pair never occurs.

    Examples
    --------
    >>> Counts([[3, 0]], [[1, 0]], [50, 20], [80, 20]).one_sided
    0.0
    """

    with_female: ArrayLike
    with_male: ArrayLike
    female: ArrayLike
    male: ArrayLike

    def __post_init__(self) -> None:
        for name in ("with_female", "with_male", "female", "male"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), float))
        shape = np.shape(self.with_female)
        fits = len(shape) == 2 and np.shape(self.with_male) == shape
        if not fits or not np.shape(self.female) == np.shape(self.male) == shape[1:]:
            raise ValueError(
                "expected (n, p) counts beside (p,) totals, got "
                f"{shape}, {np.shape(self.with_male)}, {np.shape(self.female)} and "
                f"{np.shape(self.male)}"
            )
        if np.min(self.sides, initial=0) < 0 or np.min([self.female, self.male], initial=1) <= 0:
            raise ValueError(
                "expected counts of 0 or more, and pairs of words that occur; "
                "leave out pairs of which a word never occurs"
            )

    @property
    def sides(self) -> Floats:
        """Female and male counts, (2, n, p)."""
        return np.array([self.with_female, self.with_male])

    @property
    def one_sided(self) -> float:
        """The share of word and pair with a zero on one side only."""
        return float((np.sum(self.sides == 0, axis=0) == 1).mean())

    @property
    def both_zero(self) -> float:
        """The share of word and pair with a zero on both sides."""
        return float((np.sum(self.sides == 0, axis=0) == 2).mean())

    def leans(self, zeros: str = "drop") -> Floats:
        """log p(w | female word) - log p(w | male word), by one rule for zero counts.

        Parameters
        ----------
        zeros : {"drop", "half", "prior"}
            A zero leaves the word and pair out (NaN); or one half is put on every count; or one
            count more is dealt to the two sides as the frequencies of the pair's words would have
            it, so that no count at all means no lean.

        Returns
        -------
        numpy.ndarray, shape (n, p)

        Raises
        ------
        ValueError
            For another rule.

        Examples
        --------
        >>> counts = Counts([[0, 4]], [[0, 2]], female=[10, 10], male=[30, 10])
        >>> {rule: counts.leans(rule).round(2).tolist() for rule in ZERO_RULES}
        {'drop': [[nan, 0.69]], 'half': [[1.1, 0.59]], 'prior': [[0.0, 0.59]]}
        """
        if zeros not in ZERO_RULES:
            raise ValueError(f"zeros: expected one of {', '.join(ZERO_RULES)}, got {zeros!r}")
        share = np.asarray(self.female) / (np.asarray(self.female) + np.asarray(self.male))
        more = {"drop": (0.0, 0.0), "half": (0.5, 0.5), "prior": (share, 1 - share)}[zeros]
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [np.log(side + add) for side, add in zip(self.sides, more)]
            leans = logs[0] - logs[1] - np.log(share / (1 - share))
        return np.where(np.isfinite(leans), leans, np.nan)

    def drawn(self, leans: ArrayLike, rng: np.random.Generator) -> Counts:
        """The same numbers of counts, dealt anew to the two sides as leans would have them.

        Parameters
        ----------
        leans : array_like, shape (n, p)
            The truth: log p(w | female word) - log p(w | male word).
        rng : Generator
            Random numbers.

        Examples
        --------
        >>> Counts([[3]], [[1]], [50], [50]).drawn([[40.0]], np.random.default_rng(0)).with_female
        array([[4.]])
        """
        odds = unmasked("leans", leans) + np.log(np.asarray(self.female) / np.asarray(self.male))
        both = self.sides.sum(axis=0)
        female = rng.binomial(both.round().astype(np.int64), 1 / (1 + np.exp(-odds)))
        return Counts(female, both - female, self.female, self.male)


def counts_beside(
    table: PairCounts, words: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> Counts:
    """The counts of words beside the two words of each pair.

    Parameters
    ----------
    table : PairCounts
        All counts that were kept.
    words : sequence of str
        The n words.
    pairs : sequence of (str, str)
        Female word first.

    Examples
    --------
    >>> table = PairCounts(
    ...     ("she", "he", "nurse"), ("she", "he"), np.array([[0, 6], [6, 0], [9, 3]]), [50, 80, 30], 400
    ... )
    >>> counts_beside(table, ["nurse"], [("she", "he")]).with_female
    array([[9.]])
    """
    row = {word: place for place, word in enumerate(table.words)}
    beside = table.beside[[row[word] for word in words]]
    sides = [list(side) for side in zip(*pairs)]
    counts = [beside[:, [table.columns.index(word) for word in side]] for side in sides]
    totals = [np.asarray(table.totals)[[row[word] for word in side]] for side in sides]
    return Counts(*counts, *totals)


def without_offsets(scores: ArrayLike, known: ArrayLike) -> Floats:
    """Scores less what all words share with a pair: the mean of each pair over words.

    Parameters
    ----------
    scores : array_like, shape (n, p)
        Of words with pairs.
    known : array_like of bool, shape (n, p)
        Which of them count; the others become NaN.

    Returns
    -------
    numpy.ndarray, shape (n, p)

    Examples
    --------
    >>> without_offsets([[1.0, 5.0], [3.0, 7.0]], [[True, True], [True, False]]).tolist()
    [[-1.0, 0.0], [1.0, nan]]
    """
    counted = np.asarray(known, bool)
    scores = unmasked("scores", scores)
    shared = np.where(counted, scores, 0).sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
    return np.where(counted, scores - shared, np.nan)


def _of_words(sides: Sequence[ArrayLike], known: NDArray[np.bool_], centred: bool) -> list[Floats]:
    """Each side averaged over the known pairs, for the words that have one."""
    held = known.any(axis=1)
    if centred:
        sides = [without_offsets(side, known) for side in sides]
    return [mean_over_pairs(side, known)[held] for side in sides]


def size_and_slope(
    vectors: ArrayLike, text: ArrayLike, *, centred: bool = True
) -> tuple[float, float]:
    """Vectors over text: the ratio of root mean squares over words, and the slope through 0.

    Parameters
    ----------
    vectors : array_like, shape (n, p)
        Leans in the vectors.
    text : array_like, shape (n, p)
        Leans in the text, NaN where not known: there the pair is left out on both sides.
    centred : bool
        Take from each pair, on both sides, its mean over the words.

    Returns
    -------
    tuple of float
        Both 1 for a copy without noise; NaN where no word has a known pair.

    Raises
    ------
    ValueError
        For sides of other words or pairs, or none.

    Examples
    --------
    >>> size_and_slope([[12.0], [6.0]], [[1.0], [-2.0]])
    (2.0, 2.0)
    >>> size_and_slope([[2.0], [-4.0]], [[1.0], [-2.0]], centred=False)
    (2.0, 2.0)
    """
    ours, theirs = _of_words((vectors, text), known_cells(text, vectors=vectors), centred)
    if not theirs @ theirs > 0:
        return np.nan, np.nan
    size = np.sqrt((ours @ ours) / (theirs @ theirs))
    return float(size), float((ours @ theirs) / (theirs @ theirs))


def copies(
    vectors: ArrayLike,
    counts: Counts,
    factors: Sequence[float],
    *,
    zeros: Sequence[str] = ZERO_RULES,
    centred: bool = True,
    n_draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """What `size_and_slope` gives for texts of which the vectors are a copy, made larger or smaller.

    Parameters
    ----------
    vectors : array_like, shape (n, p)
        Leans in the vectors, in the unit of the text.
    counts : Counts
        Their totals of each word and pair are kept; how they fall on the two sides is drawn.
    factors : sequence of float
        How many times the lean of the text the vectors hold; 1 is a copy.
    zeros : sequence of str
        Rules of `Counts.leans`.
    centred : bool
        As in `size_and_slope`.
    n_draws : int
        Texts for each factor.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray, shape (factors, rules, n_draws, 2)
        Size and slope.

    Raises
    ------
    ValueError
        For a factor that is not above 0.

    Examples
    --------
    >>> leans = np.random.default_rng(0).standard_normal((50, 4))
    >>> many = np.full((50, 4), 1e6)
    >>> counts = Counts(many, many, np.ones(4), np.ones(4))
    >>> copies(leans, counts, [0.5, 1, 2], n_draws=3, rng=0)[:, 0, :, 0].mean(axis=1).round(2)
    array([0.5, 1. , 2. ])
    """
    if not min(factors) > 0:
        raise ValueError(f"factors: expected numbers above 0, got {[*factors]}; 1 is a copy")
    generator, vectors = np.random.default_rng(rng), real_numbers("vectors", vectors)
    found = np.empty((len(factors), len(zeros), n_draws, 2))
    for row, factor in enumerate(factors):
        for draw in range(n_draws):
            text = counts.drawn(vectors / factor, generator)
            for column, rule in enumerate(zeros):
                found[row, column, draw] = size_and_slope(
                    vectors, text.leans(rule), centred=centred
                )
    return found


def factor_of(size: ArrayLike, factors: ArrayLike, sizes: ArrayLike) -> Floats:
    """How many times the lean of the text vectors hold, read off what copies of known factor give.

    Parameters
    ----------
    size : array_like, shape (...)
        Observed, from `size_and_slope`.
    factors : array_like, shape (f,)
        Planted, rising.
    sizes : array_like, shape (f,)
        What they give; made to rise where chance makes them fall.

    Returns
    -------
    numpy.ndarray, shape (...)
        Infinity for a size beyond that of the largest factor, 0 below that of the smallest: then
        the factors that were planted do not say.

    Examples
    --------
    >>> factor_of([0.2, 0.8, 1.0, 9.0], [0.5, 1, 2], [0.6, 0.8, 1.2]).tolist()
    [0.0, 1.0, 1.5, inf]
    """
    rising = np.maximum.accumulate(real_numbers("sizes", sizes))
    planted = real_numbers("factors", factors)
    return np.asarray(np.interp(real_numbers("size", size), rising, planted, left=0, right=np.inf))


def against_copies(
    vectors: ArrayLike,
    counts: Counts,
    factors: Sequence[float],
    *,
    planted: float = 1.5,
    centred: bool = True,
    n_draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Size and slope of vectors over text by each zero rule, beside what copies would give.

    Parameters
    ----------
    vectors : array_like, shape (n, p)
        Leans in the vectors, in the unit of the text.
    counts : Counts
        Of the text.
    factors : sequence of float
        Rising, with 1 (a copy), `planted` and 1 / `planted` among them.
    planted : float
        The factor, above 1, that the test should be able to tell from a copy; so should it its
        inverse.
    centred : bool
        As in `size_and_slope`.
    n_draws : int
        Copies for each factor.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        A row for each rule: size and slope, as observed; null low and null high, central 95 % of
        the sizes of copies; second, the median size with the planted factor; power, the share of
        those above the copies; joint power, the share above them by every rule at once; power below
        and joint power below, the same for the inverse factor and below the copies; factor, what
        the observed size says by `factor_of`, with low factor and high factor, the factors of
        which 95 % of texts would cover it; words, how many count.

    Raises
    ------
    ValueError
        Where 1, `planted` or its inverse is not among the factors.

    Examples
    --------
    >>> leans = np.random.default_rng(0).standard_normal((40, 5))
    >>> many = np.full((40, 5), 1e5)
    >>> text = Counts(many, many, np.ones(5), np.ones(5)).drawn(leans, np.random.default_rng(1))
    >>> found = against_copies(leans, text, [0.5, 1, 2], planted=2, n_draws=20, rng=0)
    >>> found.loc["drop", ["size", "second", "joint power", "factor"]].round(2).tolist()
    [1.0, 2.0, 1.0, 1.0]
    """
    factors = list(factors)
    if not {1, planted, 1 / planted} <= set(factors) or planted <= 1:
        raise ValueError(
            f"factors: expected 1, {planted:g} (above 1) and {1 / planted:g} among them, "
            f"got {factors}"
        )
    sizes = copies(vectors, counts, factors, centred=centred, n_draws=n_draws, rng=rng)[..., 0]
    low, middle, high = np.nanquantile(sizes, [0.025, 0.5, 0.975], axis=2)
    copy, larger, smaller = (factors.index(factor) for factor in (1, planted, 1 / planted))
    above = sizes[larger] > high[copy][:, None]
    below = sizes[smaller] < low[copy][:, None]
    rows = {}
    for place, rule in enumerate(ZERO_RULES):
        text = counts.leans(rule)
        size, slope = size_and_slope(vectors, text, centred=centred)
        ends = (factor_of(size, factors, side[:, place]) for side in (middle, high, low))
        factor, least, most = map(float, ends)
        rows[rule] = {
            "size": size,
            "slope": slope,
            "null low": low[copy, place],
            "copy": middle[copy, place],
            "null high": high[copy, place],
            "second": middle[larger, place],
            "power": above[place].mean(),
            "joint power": above.all(axis=0).mean(),
            "power below": below[place].mean(),
            "joint power below": below.all(axis=0).mean(),
            "factor": factor,
            "low factor": least,
            "high factor": most,
            "words": int((~np.isnan(text)).any(axis=1).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def slope_without_noise(vectors: ArrayLike, first: ArrayLike, second: ArrayLike) -> float:
    """Slope of vectors on text, the noise of counts taken out by two halves of the text.

    Each pair is centred on the words. The vectors have learnt the noise of the counts too, which
    raises the slope: it is an upper end.

    Parameters
    ----------
    vectors : array_like, shape (n, p)
        Leans in vectors of the whole text.
    first, second : array_like, shape (n, p)
        Leans in the two halves; a pair not known in both is left out.

    Returns
    -------
    float
        NaN where the halves share nothing.

    Examples
    --------
    >>> slope_without_noise([[1.0], [2.0]], [[2.0], [4.0]], [[3.0], [5.0]])
    0.5
    """
    known = ~np.isnan(unmasked("first", first) + unmasked("second", second))
    ours, a, b = _of_words((vectors, first, second), known, centred=True)
    shared = float(a @ b)
    return float(ours @ (a + b) / 2 / shared) if shared > 0 else np.nan


def cell_correlation(vectors: ArrayLike, text: ArrayLike) -> float:
    """Pearson's correlation of two sides over the words and pairs that the text knows.

    Parameters
    ----------
    vectors : array_like, shape (n, p)
        Leans in the vectors.
    text : array_like, shape (n, p)
        Leans in the text, NaN where not known.

    Returns
    -------
    float
        In [-1, 1]; NaN where fewer than three cells are known, or a side is constant.

    Raises
    ------
    ValueError
        For sides of other words or pairs, or none.

    Examples
    --------
    >>> round(cell_correlation([[1.0, 2.0], [3.0, 9.0]], [[2.0, 4.0], [6.0, np.nan]]), 6)
    1.0
    """
    known = known_cells(text, vectors=vectors)
    ours, theirs = unmasked("vectors", vectors)[known], unmasked("text", text)[known]
    if known.sum() < 3 or not (np.ptp(ours) > 0 and np.ptp(theirs) > 0):
        return np.nan
    return float(np.corrcoef(ours, theirs)[0, 1])


def cell_correlations_of_other_words(
    vectors: ArrayLike,
    text: ArrayLike,
    *,
    n_draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """`cell_correlation` of each word in the text with the vector of another: what pairs alone give.

    Parameters
    ----------
    vectors, text : array_like, shape (n, p)
        As in `cell_correlation`.
    n_draws : int
        How many times words are dealt anew.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    numpy.ndarray, shape (n_draws,)

    Examples
    --------
    >>> leans = np.random.default_rng(0).standard_normal((40, 5))
    >>> found = cell_correlations_of_other_words(leans, leans, n_draws=50, rng=0)
    >>> bool(np.abs(found).max() < 0.4)
    True
    """
    generator, ours = np.random.default_rng(rng), real_numbers("vectors", vectors)
    return np.array([cell_correlation(generator.permutation(ours), text) for _ in range(n_draws)])
