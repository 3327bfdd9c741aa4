"""Leans in vectors beside leans in their text, without a constant: how large a copy would look.

Where skip-gram vectors factorise PMI, the inner product of a word's vector with the difference of the two context vectors
of a pair equals log p(w | x) / p(w | y), the lean in the text, whatever the constants of RIPA are. Counts are sparse,
though, so even a true copy does not give 1: counts are drawn anew as if the vectors held the truth, and what such copies
give is the yardstick.

What all words of a group share with a pair is no lean of one of them: it says how often the two words of the pair occur and
how a rule fills zero counts. So each pair is centred on the group.

Shapes: n words, p pairs, female word first: positive leans female.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked
from studies.ripa.counts import PairCounts
from studies.ripa.text_and_vectors import known_cells, mean_over_pairs

Floats = NDArray[np.float64]
ZERO_RULES = ("drop", "half", "prior")


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts (n, p) of words beside the female and the male word of each pair, and those words' own totals (p,)."""

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
        """log p(w | female word) - log p(w | male word), (n, p), by one rule for zero counts.

        "drop": a zero leaves the word and pair out (NaN). "half": one half is put on every count. "prior": one count more
        is dealt to the two sides as the frequencies of the pair's words would have it, so that no count at all means no
        lean.
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
        """The same numbers of counts, dealt anew to the two sides as leans (n, p) would have them."""
        odds = unmasked("leans", leans) + np.log(np.asarray(self.female) / np.asarray(self.male))
        both = self.sides.sum(axis=0)
        female = rng.binomial(both.round().astype(np.int64), 1 / (1 + np.exp(-odds)))
        return Counts(female, both - female, self.female, self.male)


def counts_beside(
    table: PairCounts, words: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> Counts:
    """The counts of words beside the two words of each pair."""
    row = {word: place for place, word in enumerate(table.words)}
    beside = table.beside[[row[word] for word in words]]
    sides = [list(side) for side in zip(*pairs)]
    counts = [beside[:, [table.columns.index(word) for word in side]] for side in sides]
    totals = [np.asarray(table.totals)[[row[word] for word in side]] for side in sides]
    return Counts(*counts, *totals)


def without_offsets(scores: ArrayLike, known: ArrayLike) -> Floats:
    """Scores (n, p) less what all words share with a pair, the mean of each pair over words; NaN where not known."""
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
    """Vectors over text (n, p): the ratio of root mean squares over words, and the slope through 0.

    Both are 1 for a copy without noise. A pair that the text does not know (NaN) is left out on both sides; `centred` takes
    from each pair its mean over the words.
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
    """What `size_and_slope` gives (factors, rules, n_draws, 2) for texts whose lean the vectors hold so many times; 1 is a copy.

    The totals of each word and pair are kept; how they fall on the two sides is drawn.
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


def texts_of(
    vectors: ArrayLike,
    counts: Counts,
    *,
    zeros: str = "prior",
    n_draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """The mean lean of each word (n_draws, n) in texts whose counts fall on the two sides as the vectors (n, p) would have them."""
    generator, truth = np.random.default_rng(rng), real_numbers("vectors", vectors)
    drawn = (counts.drawn(truth, generator).leans(zeros) for _ in range(n_draws))
    return np.array([mean_over_pairs(leans, ~np.isnan(leans)) for leans in drawn])


def factor_of(size: ArrayLike, factors: ArrayLike, sizes: ArrayLike) -> Floats:
    """How many times the lean of the text vectors hold, read off the sizes that copies of known factor give.

    Those sizes are made to rise. Infinity beyond that of the largest factor, 0 below that of the smallest: then the factors
    that were planted do not say.
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
    zeros: Sequence[str] = ZERO_RULES,
    centred: bool = True,
    n_draws: int = 200,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Size and slope of vectors over text by each zero rule, a row each, beside what copies would give.

    null low and null high: central 95 % of the sizes of copies. second: the median size with the planted factor; power: the
    share of those above the copies; joint power: above them by every rule at once; power below, joint power below: the same
    for the inverse factor. factor: what the observed size says by `factor_of`; low factor and high factor: those of which
    95 % of texts would cover it.
    """
    factors = list(factors)
    if not {1, planted, 1 / planted} <= set(factors) or planted <= 1:
        raise ValueError(
            f"factors: expected 1, {planted:g} (above 1) and {1 / planted:g} among them, "
            f"got {factors}"
        )
    drawn = copies(vectors, counts, factors, zeros=zeros, centred=centred, n_draws=n_draws, rng=rng)
    sizes = drawn[..., 0]
    low, middle, high = np.nanquantile(sizes, [0.025, 0.5, 0.975], axis=2)
    copy, larger, smaller = (factors.index(factor) for factor in (1, planted, 1 / planted))
    above = sizes[larger] > high[copy][:, None]
    below = sizes[smaller] < low[copy][:, None]
    rows = {}
    for place, rule in enumerate(zeros):
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
    """Slope of vectors on text (n, p), the noise of counts taken out by two halves of the text; NaN where these share nothing.

    Each pair is centred on the words. The vectors have learnt the noise of the counts too, which raises the slope: it is an
    upper end.
    """
    known = ~np.isnan(unmasked("first", first) + unmasked("second", second))
    ours, a, b = _of_words((vectors, first, second), known, centred=True)
    shared = float(a @ b)
    return float(ours @ (a + b) / 2 / shared) if shared > 0 else np.nan


def cell_correlation(vectors: ArrayLike, text: ArrayLike) -> float:
    """Pearson's correlation over the words and pairs that the text knows; NaN for fewer than three, or a constant side."""
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
    """`cell_correlation` (n_draws,) of each word in the text with the vector of another: what pairs alone give."""
    generator, ours = np.random.default_rng(rng), real_numbers("vectors", vectors)
    return np.array([cell_correlation(generator.permutation(ours), text) for _ in range(n_draws)])
