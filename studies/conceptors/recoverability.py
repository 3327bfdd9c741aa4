"""What debiasing leaves of a contrast: can words still be told apart by it when it was taken out of their vectors?

A high number alone says nothing: vectors are redundant, and any contrast can be found again in the rest of them. So random contrasts are
treated alike, and planted ones show how much the comparison could notice. Of *actress* and *actresses* one would be taught and the other
asked: their vectors are neighbours, so the answer is right whatever is left of gender. Here each side has one word of each family.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.debiasing.projection import project_out
from lib.debiasing.recoverability import Recovered, recoverability
from lib.debiasing.rows import Array
from lib.debiasing.word_families import word_families
from lib.inference.sums import p_of_draws

Change = Callable[[Array], Array]  # (n, d) -> (n, d)
Method = Callable[[Array, Array], Change]  # both sides of the pairs -> change
Rows = NDArray[np.intp]
MEASURES = ("clusters", "classifier")
REACH = 3  # how many times the words asked for are looked at for words of other families


def pair_projection(first: Array, second: Array) -> Change:
    """A method: the span of the differences of pairs, both (p, d), is projected out."""
    return lambda words: project_out(words, first - second)


def extremes_by_family(
    words: Sequence[str],
    scores: ArrayLike,
    k: int,
    *,
    leave_out: Sequence[int] = (),
    one_each: bool = True,
) -> tuple[Rows, NDArray[np.bool_]]:
    """Rows of the k words that lean most to one side, highest first, and of the k most to the other, and which are high.

    Of each family the word that leans most (`one_each`), else all forms. The 3 k that lean most to a side are looked at, and fewer are returned
    where they have fewer families, as many of either side.
    """
    scores = real_numbers("scores", scores)
    kept = np.setdiff1d(np.arange(len(scores)), leave_out)
    if len(words) != len(scores):
        raise ValueError(f"expected a score for each of {len(words)} words, got {len(scores)}")
    if not 1 <= k <= len(kept) // 2:
        raise ValueError(f"k: expected 1 to {len(kept) // 2}, half of the words left, got {k!r}")
    order = kept[np.argsort(-scores[kept], kind="stable")]
    reach = min(REACH * k, len(order) // 2)
    sides = []
    for side in (order[:reach], order[::-1][:reach]):
        if one_each:
            families = word_families([words[row] for row in side])
            _, first = np.unique(families, return_index=True)
            side = side[np.sort(first)]
        sides.append(side[:k])
    fewer = min(map(len, sides))
    return np.concatenate([side[:fewer] for side in sides]), np.arange(2 * fewer) < fewer


def recovered(
    words: Sequence[str],
    vectors: ArrayLike,
    first: Sequence[int],
    second: Sequence[int],
    methods: Mapping[str, Method],
    *,
    k: int = 120,
    leave_out: Sequence[int] = (),
    one_each: bool = True,
    planted: float = 0,
    rng: int = 0,
) -> dict[str, Recovered]:
    """How well the extreme words of a contrast are told apart after each method, Gonen and Goldberg (2019), Section 4.

    The contrast is the mean of the differences of rows `first` and `second` of the vocabulary (n, d); words are chosen by cosine with it, never
    those of the pairs. `planted` is in deviations: each word's place on the contrast, standardised, is written a second time into its vector
    after the treatment, along a random direction.
    """
    table = np.asarray(vectors)
    if len(first) != len(second) or not len(first):
        raise ValueError(f"expected pairs of words, got {len(first)} and {len(second)}")
    sides = table[list(first)], table[list(second)]
    lengths = np.sqrt(np.einsum("nd,nd->n", table, table))
    direction = (sides[0] - sides[1]).mean(axis=0)
    scores = table @ direction / np.where(lengths > 0, lengths, np.inf)
    rows, labels = extremes_by_family(
        words, scores, k, leave_out=[*first, *second, *leave_out], one_each=one_each
    )
    generator = np.random.default_rng(rng)
    hidden: Array = np.zeros((len(rows), table.shape[1]))
    if planted:
        along = generator.standard_normal(table.shape[1])
        along *= planted * table.std(axis=0).mean() / np.linalg.norm(along)
        places = (scores[rows] - scores.mean()) / scores.std()
        hidden = places[:, None] * along
    seed = int(generator.integers(2**31))
    return {
        name: recoverability(method(*sides)(table[rows]) + hidden, labels, rng=seed)
        for name, method in methods.items()
    }


def random_pairs(
    n: int,
    draws: int,
    pairs: int,
    *,
    leave_out: Sequence[int] = (),
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.intp]:
    """Rows (draws, 2, pairs) of random words among the first n, different within a draw, to be treated as the pairs of a real contrast are."""
    free, generator = np.setdiff1d(np.arange(n), leave_out), np.random.default_rng(rng)
    if len(free) < 2 * pairs or pairs < 1 or draws < 1:
        raise ValueError(
            f"expected {2 * pairs} words or more to draw {pairs} pairs from, got {len(free)}"
        )
    return np.stack([generator.choice(free, (2, pairs), replace=False) for _ in range(draws)])


def recovered_beside_random(
    words: Sequence[str],
    vectors: ArrayLike,
    first: Sequence[int],
    second: Sequence[int],
    methods: Mapping[str, Method],
    *,
    k: int = 120,
    draws: int = 100,
    specific: Sequence[int] = (),
    planted: Sequence[float] = (),
    rng: int = 0,
) -> pd.DataFrame:
    """What is recovered of a contrast, one word of each family, beside `draws` random contrasts of as many pairs; a row a treatment and measure.

    `real` is the share of the extreme words on the right side; `forms` the same with all forms of a word; `without`, with the `specific` words left
    out, which name the contrast; `median`, `null low` and `null high`, the median and central 95 % of random contrasts; `beyond`, the share of
    these that reach `real`, itself counted; `noticed`, the smallest `planted` strength at which fewer than 5 % do, NaN where none.
    """

    def run(one: Sequence[int], other: Sequence[int], **options) -> dict[str, Recovered]:
        return recovered(words, vectors, one, other, methods, k=k, rng=rng, **options)

    real = run(first, second)
    forms = run(first, second, one_each=False)
    without = run(first, second, leave_out=specific)
    strengths = {strength: run(first, second, planted=strength) for strength in planted}
    pairs = random_pairs(len(words), draws, len(first), leave_out=[*first, *second], rng=rng)
    random = [run(list(one), list(other)) for one, other in pairs]
    rows = []
    for method in methods:
        for measure in MEASURES:
            null = np.array([getattr(draw[method], measure) for draw in random])
            value = getattr(real[method], measure)
            low, median, high = np.quantile(null, [0.025, 0.5, 0.975])
            noticed = [
                strength
                for strength, run_of in strengths.items()
                if p_of_draws(getattr(run_of[method], measure), null) < 0.05
            ]
            rows.append(
                {
                    "treatment": method,
                    "measure": measure,
                    "real": value,
                    "forms": getattr(forms[method], measure),
                    "without": getattr(without[method], measure),
                    "median": median,
                    "null low": low,
                    "null high": high,
                    "beyond": p_of_draws(value, null),
                    "noticed": min(noticed, default=np.nan),
                }
            )
    return pd.DataFrame(rows)
