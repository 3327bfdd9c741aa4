"""Sets of vectors ranked by what measures say of the same lists: a score of each, with words drawn anew, and with random lists.

Every score is a size: 0 is no bias, more is more, whatever the side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.association import associations, effect_size
from lib.checks import unit_rows
from lib.embeddings import Embedding
from lib.inference.sums import p_of_draws
from lib.measures import direct_bias, ripa
from lib.measures.association_scores import ect, negative_sentiment, rnsb, same_score

Floats = NDArray[np.float64]
RANKED_BY = ("WEAT", "RNSB", "ECT", "SAME", "direct bias", "RIPA")


class Lists(NamedTuple):
    """Vectors of pairs of words that name women and men, (p, d) each, and of two lists of attributes."""

    female: Floats
    male: Floats
    first: Floats
    second: Floats

    def drawn(self, pairs: NDArray[np.intp], *attributes: NDArray[np.intp]) -> Lists:
        """The lists with these pairs and attribute words in their place."""
        first, second = attributes
        return Lists(self.female[pairs], self.male[pairs], self.first[first], self.second[second])

    def without_direction(self) -> Lists:
        """The lists with the mean direction of the pairs projected out of every vector."""
        axis = self._axis()
        return Lists(*(part - part @ axis.T @ axis for part in self))

    def planted(self, factor: float) -> Lists:
        """The lists in which the attributes lean so many spreads along the pairs, the first list to the female side."""
        axis = self._axis()
        attributes = [part - part @ axis.T @ axis for part in (self.first, self.second)]
        spread = factor * float(np.concatenate(attributes).std())
        first, second = (part + side * spread * axis for part, side in zip(attributes, (1, -1)))
        return self._replace(first=first, second=second)

    def _axis(self) -> Floats:
        axis = unit_rows("pairs", self.female - self.male).mean(axis=0, keepdims=True)
        return np.asarray(unit_rows("axis", axis))


def sizes_of_bias(lists: Lists) -> Floats:
    """The scores (6,) in the order of `RANKED_BY`, on vectors as they are.

    WEAT: size of the effect. RNSB: of a classifier taught on the attributes, over the words of both groups. ECT: one less
    the correlation. SAME, direct bias, RIPA: mean size of the lean of the attribute words.
    """
    female, male, first, second = lists
    both = np.concatenate([first, second])
    sides = [associations(side, first, second) for side in (female, male)]
    negative = negative_sentiment(np.concatenate([female, male]), second, first)
    leans = [measure(both, female, male).mean(axis=1) for measure in (direct_bias, ripa)]
    return np.array(
        [
            abs(effect_size(*sides)),
            rnsb(negative),
            1 - ect(both, female, male),
            same_score(both, [female, male]).mean(),
            *(np.abs(lean).mean() for lean in leans),
        ]
    )


def resampled_sizes(
    sets: Sequence[Lists], *, draws: int, rng: np.random.Generator | int | None = None
) -> Floats:
    """Scores (draws, sets, 6) with pairs and attribute words drawn with replacement, alike for all sets."""
    generator = np.random.default_rng(rng)
    sizes = [len(sets[0].female), len(sets[0].first), len(sets[0].second)]
    found = np.empty((draws, len(sets), len(RANKED_BY)))
    for draw in range(draws):
        rows = [generator.integers(0, size, size) for size in sizes]
        found[draw] = [sizes_of_bias(lists.drawn(*rows)) for lists in sets]
    return found


def random_sizes(
    sets: Sequence[Lists],
    others: Sequence[Floats],
    *,
    draws: int,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Scores (draws, sets, 6) with random words, of `others` (n, d) in each set, in place of both lists of attributes."""
    generator = np.random.default_rng(rng)
    first, second = len(sets[0].first), len(sets[0].second)
    found = np.empty((draws, len(sets), len(RANKED_BY)))
    for draw in range(draws):
        rows = generator.permutation(len(others[0]))[: first + second]
        found[draw] = [
            sizes_of_bias(lists._replace(first=pool[rows[:first]], second=pool[rows[first:]]))
            for lists, pool in zip(sets, others)
        ]
    return found


def places(scores: ArrayLike) -> Floats:
    """Places of sets by each measure, 1 the most biased: scores (..., sets, measures) -> the same shape."""
    return np.asarray(stats.rankdata(-np.asarray(scores, float), axis=-2))


def kendalls_w(scores: ArrayLike) -> Floats:
    """Kendall's W, how alike measures rank sets: scores (..., sets, measures) -> (...), from 0 to 1, 1 for one order."""
    ranks = places(scores)
    sets, measures = ranks.shape[-2:]
    sums = ranks.sum(axis=-1)
    squares = ((sums - sums.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return np.asarray(12 * squares / (measures**2 * (sets**3 - sets)))


def shuffled_w(
    sets: int, measures: int, *, draws: int = 9999, rng: np.random.Generator | int | None = None
) -> Floats:
    """Kendall's W (draws,) of measures that put so many sets in orders of their own."""
    generator = np.random.default_rng(rng)
    orders = np.broadcast_to(np.arange(sets)[:, None], (draws, sets, measures)).copy()
    return kendalls_w(generator.permuted(orders, axis=1))


def beyond_random(scores: ArrayLike, random: ArrayLike) -> Floats:
    """Scores (..., sets, measures) in spreads of what random lists (draws, sets, measures) give."""
    null = np.asarray(random, float)
    return np.asarray((np.asarray(scores, float) - null.mean(axis=0)) / null.std(axis=0, ddof=1))


def choices_of_sets(
    sizes: ArrayLike,
    random: ArrayLike,
    planted: ArrayLike,
    *,
    left_out: Sequence[int] = (1, 2),
    least: int = 4,
) -> pd.DataFrame:
    """Whether measures agree beyond random lists with so many of the sets left out, a row for each way to leave them out.

    Scores (sets, measures), of random lists (draws, sets, measures), and of copies with a planted bias (copies, sets,
    measures). Columns: `sets`, how many are left; `W`; `p`, the share of random lists that reach it; `planted p`, the same
    of the median W of the copies.
    """
    scores, null, known = (np.asarray(each, float) for each in (sizes, random, planted))
    rows = []
    for out in left_out:
        left = len(scores) - out
        for kept in map(list, combinations(range(len(scores)), left) if left >= least else ()):
            by_chance = kendalls_w(null[:, kept])
            observed = float(kendalls_w(scores[kept]))
            of_copies = float(np.median(kendalls_w(known[:, kept])))
            both = (p_of_draws(w, by_chance, tolerance=1e-12) for w in (observed, of_copies))
            rows.append((left, observed, *both))
    return pd.DataFrame(rows, columns=["sets", "W", "p", "planted p"])


def sure_orders(drawn: ArrayLike, share: float = 0.95) -> Floats:
    """Share of the pairs of sets whose order is the same in so many of the draws (draws, sets, measures) -> (measures,)."""
    scores = np.asarray(drawn, float)
    one, other = np.triu_indices(scores.shape[1], k=1)
    above = (scores[:, one] > scores[:, other]).mean(axis=0)
    return np.asarray((np.maximum(above, 1 - above) >= share).mean(axis=0))


def common_words(
    spaces: Mapping[str, Embedding],
    pairs: Sequence[tuple[str, str]],
    *lists: Sequence[str],
    least: int = 5,
) -> tuple[dict[str, Embedding], list[tuple[str, str]], list[list[str]]]:
    """Spaces that hold `least` pairs and words of each list or more, and the pairs and words that all of them hold."""
    kept = {
        name: space
        for name, space in spaces.items()
        if sum(a in space and b in space for a, b in pairs) >= least
        and all(sum(word in space for word in words) >= least for words in lists)
    }
    in_all = [pair for pair in pairs if all(word in e for e in kept.values() for word in pair)]
    words = [[word for word in part if all(word in e for e in kept.values())] for part in lists]
    return kept, in_all, words
