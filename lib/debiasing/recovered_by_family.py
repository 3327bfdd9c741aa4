"""What debiasing leaves of a contrast when forms of one word do not answer for each other.

Of *actress* and *actresses* one is taught and the other asked: their vectors are neighbours, so the
answer is right whatever is left of gender. Here each side has one word of each family. Random
contrasts are treated alike, and planted ones show how much the comparison could notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.debiasing.recoverability import MEASURES, Method, Recovered, random_pairs, recoverability
from lib.debiasing.rows import Array
from lib.debiasing.word_families import word_families
from lib.inference.sums import p_of_draws

Rows = NDArray[np.intp]
REACH = 3  # how many times the words asked for are looked at for words of other families


def extremes_by_family(
    words: Sequence[str],
    scores: ArrayLike,
    k: int,
    *,
    leave_out: Sequence[int] = (),
    one_each: bool = True,
) -> tuple[Rows, NDArray[np.bool_]]:
    """The k words that lean most to one side and the k most to the other, one of each family.

    Parameters
    ----------
    words : sequence of str
        In small letters.
    scores : array_like of shape (n,)
        One a word.
    k : int
        Words of each side; the ``3 k`` that lean most are looked at, and fewer are returned
        where they have fewer families, as many of either side.
    leave_out : sequence of int
        Rows that are never taken.
    one_each : bool
        Whether a side has one word of each family, the one that leans most; else all forms.

    Returns
    -------
    rows : ndarray of int
        Those with high scores, highest first, then those with low ones.
    labels : ndarray of bool
        True for the high ones.

    Raises
    ------
    ValueError
        Where words and scores differ in number, or fewer than 2k words are left.

    Examples
    --------
    >>> rows, _ = extremes_by_family(["aunt", "aunts", "mother", "sky", "rock", "rocks"],
    ...                              [9, 8, 7, 1, -6, -7], 2)
    >>> rows.tolist()
    [0, 2, 5, 3]
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
    """How well the extreme words of a contrast are told apart after each treatment.

    Parameters
    ----------
    words, vectors : sequence of str, array_like of shape (n, d)
        A vocabulary.
    first, second : sequence of int
        Rows of p words each, row j of one facing row j of the other; the contrast is the mean of
        their differences, along which words are chosen by cosine.
    methods : dict of str to callable
        Name -> method, from the (p, d) vectors of both sides to a change of words.
    k, leave_out, one_each
        As in `extremes_by_family`; the words of the pairs are never taken.
    planted : float
        Deviations: each word's place on the contrast, standardised, is written a second time into
        its treated vector, along a random direction, this many times the deviation that vectors
        have along one direction. What is hidden in this way is known to be there.
    rng : int
        Seed.

    Returns
    -------
    dict of str to Recovered
        By method.

    Raises
    ------
    ValueError
        Where sides differ in number, and as `extremes_by_family`.
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
    """What is recovered of a contrast, one word of each family, beside random contrasts.

    Parameters
    ----------
    words, vectors, first, second, methods, k
        As in `recovered`.
    draws : int
        Random contrasts, each of as many pairs of words, treated alike.
    specific : sequence of int
        Rows of words that name the contrast, left out in a run of their own.
    planted : sequence of float
        Strengths of a planted copy of the real contrast, each in a run of its own.
    rng : int
        Seed.

    Returns
    -------
    DataFrame
        One row a treatment and measure ("clusters", "classifier"): `real`, the share of the extreme
        words on the right side; `forms`, the same with all forms of a word; `without`, with the
        specific words left out; `median`, `null low` and `null high`, the median and central 95 %
        of random contrasts; `beyond`, the share of these that reach `real`, itself counted;
        `noticed`, the smallest planted strength at which fewer than 5 % do, NaN where none.

    Raises
    ------
    ValueError
        As `recovered` and `lib.debiasing.recoverability.random_pairs`.
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
