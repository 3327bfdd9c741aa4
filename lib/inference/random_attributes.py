"""Random words in place of the attributes of a WEAT: what the test finds where there is no meaning.

The permutation test asks whether a random split of the target words would do as well. That question
supposes that target words are exchangeable. Two lists about two subjects are not: they differ along
many axes of the space, so that the test also rejects with attribute words that mean nothing. Here
the targets stay and the attributes are drawn again and again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors
from lib.inference.random_words import random_words
from lib.inference.sums import p_of_draws

Floats = NDArray[np.float64]

ALL_SPLITS = 12_870  # of 8 + 8 words: up to so many are counted one by one, else so many are drawn
TIE_TOLERANCE = 1e-10  # of the largest absolute score: nearer sums tie
CELLS = 2**22  # sums held at a time


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomAttributes:
    """Result of `random_attributes`: one entry for each random pair of attribute sets.

    Attributes
    ----------
    effects : numpy.ndarray, shape (draws,)
        Effect sizes, in WEAT's order.
    greater, two_sided : numpy.ndarray, shape (draws,)
        The p-values that the permutation test gives with those attributes.
    """

    effects: Floats = field(repr=False)
    greater: Floats = field(repr=False)
    two_sided: Floats = field(repr=False)

    def pvalues(self, effect_size: float) -> tuple[float, float]:
        """How many random attribute sets reach an effect size, itself counted as one of them.

        Parameters
        ----------
        effect_size : float
            With the real attributes.

        Returns
        -------
        greater, two_sided : float
            Share of effects at least as large, and at least as far from 0; from 1/(1 + draws) to 1.

        Examples
        --------
        >>> null = RandomAttributes(effects=np.array([-2.0, 0.0, 1.0]), greater=[], two_sided=[])
        >>> null.pvalues(1.5)
        (0.25, 0.5)
        """
        as_far = p_of_draws(abs(effect_size), np.abs(self.effects))
        return p_of_draws(effect_size, self.effects), as_far


def random_attributes(
    vocabulary: ArrayLike,
    X: ArrayLike,
    Y: ArrayLike,
    sizes: tuple[int, int],
    *,
    positions: ArrayLike | None = None,
    matched: bool = False,
    draws: int = 1000,
    ddof: int = 1,
    splits: int = ALL_SPLITS,
    rng: np.random.Generator | int | None = None,
) -> RandomAttributes:
    """WEAT of two target lists with random words of a vocabulary as attributes, many times.

    Parameters
    ----------
    vocabulary : array_like, shape (m, d)
        Vectors to draw from, without the target words.
    X, Y : array_like, shape (n_x, d) and (n_y, d)
        Vectors of the target words.
    sizes : tuple of int
        Words in A and in B.
    positions : array_like of int, shape (n_a + n_b,), optional
        Rows of the real attributes in the vocabulary, A first, never drawn.
    matched : bool
        Draw each word near in rank to the one it stands for; needs positions.
    draws : int
        How many random pairs of attribute sets.
    ddof : int
        Of the deviation in the effect size, 1 or 0.
    splits : int
        As in `split_pvalues`.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    RandomAttributes

    Raises
    ------
    ValueError
        When a set is empty, dimensions disagree, a vector has no direction, positions do not fit,
        or too few words are left to draw.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> vocabulary, X, Y = (rng.standard_normal((n, 20)) for n in (300, 8, 8))
    >>> alike = random_attributes(vocabulary, X, Y, (4, 4), draws=400, rng=0)
    >>> apart = random_attributes(vocabulary, X + 1, Y - 1, (4, 4), draws=400, rng=0)
    >>> shares = [(null.two_sided <= 0.05).mean() for null in (alike, apart)]
    >>> bool(shares[0] < 0.1 < 0.5 < shares[1])
    True
    """
    generator = np.random.default_rng(rng)
    axes = random_axes(
        vocabulary, sizes, positions=positions, matched=matched, draws=draws, rng=generator
    )
    x_rows, y_rows = (
        unit_rows(name, vectors(name, side, dimensions=axes.shape[1]))
        for name, side in (("X", X), ("Y", Y))
    )
    scores = np.asarray(axes @ np.concatenate([x_rows, y_rows]).T, np.float64)
    means = scores[:, : len(x_rows)].mean(axis=1) - scores[:, len(x_rows) :].mean(axis=1)
    greater, two_sided = split_pvalues(scores, len(x_rows), splits=splits, rng=generator)
    return RandomAttributes(
        effects=means / scores.std(axis=1, ddof=ddof), greater=greater, two_sided=two_sided
    )


def random_axes(
    vocabulary: ArrayLike,
    sizes: tuple[int, int],
    *,
    positions: ArrayLike | None = None,
    matched: bool = False,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.floating]:
    """Mean direction of one random set of words minus that of another, many times.

    The product with a word of length one is its WEAT association with those two sets.

    Parameters
    ----------
    vocabulary, sizes, positions, matched, draws, rng
        As in `random_attributes`.

    Returns
    -------
    numpy.ndarray, shape (draws, d)

    Raises
    ------
    ValueError
        When a set is empty, a vector has no direction, positions do not fit, or too few words are
        left to draw.

    Examples
    --------
    >>> random_axes(np.eye(9), (2, 2), draws=3, rng=0).sum(axis=1)
    array([0., 0., 0.])
    """
    words = unit_rows("vocabulary", vocabulary)
    rows = random_words(
        _positions(positions, sizes, matched), len(words), draws, matched=matched, rng=rng
    )
    first, second = np.split(rows, [sizes[0]], axis=1)
    return np.asarray(words[first].mean(axis=1) - words[second].mean(axis=1))


def split_pvalues(
    scores: ArrayLike,
    n_x: int,
    *,
    splits: int = ALL_SPLITS,
    rng: np.random.Generator | int | None = None,
) -> tuple[Floats, Floats]:
    """The permutation test of many rows of scores at once.

    Parameters
    ----------
    scores : array_like, shape (r, n)
        In each row the scores of X, then those of Y.
    n_x : int
        Words in X.
    splits : int
        All splits are counted where there are no more than this; otherwise so many are drawn, the
        same ones for all rows.
    rng : Generator or int, optional
        Random numbers or a seed, if splits are drawn.

    Returns
    -------
    greater, two_sided : numpy.ndarray, shape (r,)
        Share of splits as extreme as the observed one or more, itself counted: valid, never 0. Two
        sides as in `lib.inference.permutation.partition_test`.

    Raises
    ------
    ValueError
        For scores that are no finite table, or a list without a word.

    Examples
    --------
    >>> greater, two_sided = split_pvalues([[3.0, 2.0, 1.0, 0.0], [1.0, 0.0, 3.0, 2.0]], 2)
    >>> greater.round(3), two_sided.round(3)
    (array([0.167, 1.   ]), array([0.333, 0.333]))
    """
    table = real_numbers("scores", scores)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(
            f"scores: expected a table (r, n) of finite numbers, got shape {table.shape}"
            + ("" if table.ndim != 2 else " with NaN or infinity; leave those words out")
        )
    n = table.shape[1]
    if not 0 < n_x < n:
        raise ValueError(f"n_x: expected 1 to {n - 1} of the {n} words in a row, got {n_x!r}")
    centred = table - table.mean(axis=1, keepdims=True)
    slack = TIE_TOLERANCE * np.abs(centred).max(axis=1)
    observed = centred[:, :n_x].sum(axis=1)
    chosen, counted = _splits(n, n_x, splits, np.random.default_rng(rng))
    greater, two_sided = np.zeros(len(table)), np.zeros(len(table))
    step = max(1, CELLS // len(chosen))
    for start in range(0, len(table), step):
        block = slice(start, start + step)
        sums = centred[block] @ chosen.T
        reached = sums >= (observed - slack)[block, None]
        as_far = np.abs(sums) >= (np.abs(observed) - slack)[block, None]
        greater[block], two_sided[block] = reached.sum(axis=1), as_far.sum(axis=1)
    added = 0 if counted else 1  # the observed split is not among those drawn
    total = len(chosen) + added
    return (greater + added) / total, (two_sided + added) / total


def _positions(
    positions: ArrayLike | None, sizes: tuple[int, int], matched: bool
) -> NDArray[np.int64]:
    if min(sizes) < 1:
        raise ValueError(
            f"sizes: expected the numbers of words in both sets, 1 or more, got {sizes!r}"
        )
    if positions is None and matched:
        raise ValueError(
            "positions: expected the rows of the real attributes, which matched=True draws near, "
            "got None"
        )
    rows = np.full(sum(sizes), -1) if positions is None else np.asarray(positions)
    if rows.shape != (sum(sizes),):
        raise ValueError(
            f"positions: expected ({sum(sizes)},) rows, the first set first, got shape {rows.shape}"
        )
    return rows


def _splits(n: int, n_x: int, most: int, generator: np.random.Generator) -> tuple[Floats, bool]:
    """Splits of n words as rows of 0 and 1, and whether these are all there are."""
    total = math.comb(n, n_x)
    if total <= most:
        rows = np.fromiter(
            (word for chosen in combinations(range(n), n_x) for word in chosen), np.intp
        ).reshape(total, n_x)
    else:
        order = generator.permuted(np.tile(np.arange(n), (most, 1)), axis=1)
        rows = order[:, :n_x]
    splits = np.zeros((len(rows), n))
    np.put_along_axis(splits, rows, 1.0, axis=1)
    return splits, total <= most
