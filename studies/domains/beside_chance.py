"""One test in one set of vectors, and the same test with words that mean nothing in place of its attributes.

Lists are X and Y, the targets, and A and B, the attributes, in the paper's order: positive d says that X is nearer A.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.association import WeatResult, weat
from lib.embeddings import Embedding
from lib.embeddings.embedding import Rows
from lib.inference.random_attributes import ALL_SPLITS, RandomAttributes, random_attributes
from lib.inference.sums import p_of_draws
from studies.domains.coherent_groups import coherent_axes, effects_along

Floats = NDArray[np.float64]
FEWEST = 5_000  # a file of fewer words is a word list: nothing can be drawn from it
FEWEST_IN_A_LIST = 2


@dataclass(frozen=True)
class Measured:
    """The words of the four lists that a vocabulary holds, the result, and what stood in its way."""

    lists: tuple[Rows, ...]
    result: WeatResult | None
    reason: str = ""


@dataclass(frozen=True)
class Chance:
    """What random words, and what groups of words that belong together, give in place of the attributes."""

    words: RandomAttributes
    groups: Floats

    def pvalues(self, d: float) -> tuple[float, float]:
        """Share of random words, and of groups, that lean as far as d to either side; the draw that is tested counts."""
        return p_of_draws(abs(d), abs(self.words.effects)), p_of_draws(abs(d), abs(self.groups))

    def bands(self) -> tuple[float, ...]:
        """Ends of the central 95 % with random words, and with groups."""
        both = (self.words.effects, self.groups)
        return tuple(float(end) for d in both for end in np.quantile(d, [0.025, 0.975]))


def as_found(e: Embedding, words: Sequence[str]) -> dict[str, int]:
    """The words of a list that a vocabulary holds, as written or else in lower case, none twice -> their places in the list."""
    found: dict[str, int] = {}
    for place, word in enumerate(words):
        form = word if word in e else word.lower()
        if form in e:
            found.setdefault(form, place)
    return found


def measured(e: Embedding, lists: Sequence[Sequence[str]]) -> Measured:
    """WEAT of four lists of words in a set of vectors, or in plain words why there is none."""
    if not all(lists):
        return Measured((), None, "one of its lists has no words")
    # the words as asked for, where none is there
    rows = tuple(e.rows([*as_found(e, words)] or words, missing="drop") for words in lists)
    counts = [len(part.words) for part in rows]
    if min(counts) < FEWEST_IN_A_LIST:
        listed = ", ".join(f"{count} of {len(words)}" for count, words in zip(counts, lists))
        reason = f"it holds {listed} words of the four lists; {FEWEST_IN_A_LIST} of each are needed"
        return Measured(rows, None, reason)
    both = sorted({*rows[0].words} & {*rows[1].words})
    if both:
        return Measured(rows, None, f"{', '.join(both)} stands in both lists")
    try:
        return Measured(rows, weat(*(part.vectors for part in rows)))
    except ValueError as error:  # such as one list twice, or a vector without a direction
        return Measured(rows, None, str(error))


def chances(
    e: Embedding,
    tests: Mapping[str, Sequence[Rows]],
    barred: Collection[str],
    *,
    limit: int,
    draws: int,
    groups: int,
    seeds: Sequence[object],
    splits: int = ALL_SPLITS,
) -> dict[str, Chance]:
    """What chance gives each test (its four lists; A and B are the same in all of them), nothing for a word list.

    Drawn are words among the first `limit`, none of `barred`, near in rank to those they stand for where the file has ranks.
    The first of `seeds` is that of the groups; then one for each test.
    """
    if len(e) < FEWEST or not tests:
        return {}
    _, _, a, b = next(iter(tests.values()))
    kept = [*a.words, *b.words]
    frequent = dict.fromkeys([*e.words[:limit], *kept])
    words = e.rows([word for word in frequent if word in kept or word not in barred])
    place = {word: row for row, word in enumerate(words.words)}
    positions = [place[word] for word in kept]
    sizes = len(a.words), len(b.words)
    axes = coherent_axes(
        np.delete(words.vectors, positions, axis=0), sizes, draws=groups, rng=seeds[0]
    )
    about = dict(positions=positions, matched=e.ranked, draws=draws, splits=splits)
    return {
        name: Chance(
            random_attributes(words.vectors, x.vectors, y.vectors, sizes, **about, rng=own),
            effects_along(axes, x.vectors, y.vectors),
        )
        for (name, (x, y, _, _)), own in zip(tests.items(), seeds[1:])
    }
