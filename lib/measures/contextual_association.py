"""CEAT: the word embedding association test over contexts, put together by a random-effects model.

Every word has vectors from several contexts. One draw takes one context for each word and gives one
effect size; many draws are combined as if each were a study of its own. They are not: all draws
share the words, so that the combined p falls with the number of draws. `words_interval` resamples
the words instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers, unit_rows

Floats = NDArray[np.float64]
DRAWN = 2**22  # numbers held at a time


@dataclass(frozen=True, kw_only=True, eq=False)
class CombinedEffect:
    """Result of `combined_effect`.

    Attributes
    ----------
    effect_size : float
        Combined over draws of contexts.
    pvalue : float
        Two-sided, of the random-effects model, as published. It takes draws for studies: see the
        module.
    between : float
        Variance of the effect between draws beyond their sampling variance.
    effects : numpy.ndarray, shape (draws,)
        Of the draws.
    """

    effect_size: float
    pvalue: float
    between: float
    effects: Floats = field(repr=False)


def combined_effect(
    X: Sequence[ArrayLike],
    Y: Sequence[ArrayLike],
    A: Sequence[ArrayLike],
    B: Sequence[ArrayLike],
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> CombinedEffect:
    """Contextualized embedding association test.

    Parameters
    ----------
    X, Y, A, B : sequence of array_like, each of shape (contexts, d)
        For each target word of X and Y and attribute word of A and B its vectors, in so many
        contexts as it has.
    draws : int
        Draws of one context a word.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    CombinedEffect
        Positive where X goes with A and Y with B.

    Raises
    ------
    ValueError
        For an empty set, a word without a context, vectors that disagree or have no direction, or
        fewer than two draws.

    References
    ----------
    Guo and Caliskan (2021); DerSimonian and Laird (1986), through
    `statsmodels.stats.meta_analysis.combine_effects`; variance of a standardised difference as in
    Borenstein (2009).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, Y, A, B = (
    ...     [place + 0.3 * rng.standard_normal((5, 2)) for _ in range(8)]
    ...     for place in ([1, 0], [0, 1], [1, 0.2], [0.2, 1])
    ... )
    >>> bool(combined_effect(X, Y, A, B, draws=50, rng=0).effect_size > 1)
    True
    """
    if draws < 2:
        raise ValueError(f"draws: expected two or more to be combined, got {draws!r}")
    scores = drawn_associations([*X, *Y], A, B, draws=draws, rng=rng)
    effects = _effects(scores, len(X), "X and Y", len(Y))
    effect, p, between = combine(effects, len(X), len(Y))
    return CombinedEffect(effect_size=effect, pvalue=p, between=between, effects=effects)


def drawn_associations(
    words: Sequence[ArrayLike],
    A: Sequence[ArrayLike],
    B: Sequence[ArrayLike],
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Association of each word in each draw of one context for every word.

    Parameters
    ----------
    words, A, B : sequence of array_like, each of shape (contexts, d)
        As in `combined_effect`.
    draws, rng
        As in `combined_effect`.

    Returns
    -------
    numpy.ndarray, shape (draws, n)
        Mean cosine with the words of A less that with those of B, from -2 to 2.

    Raises
    ------
    ValueError
        As `combined_effect`.

    Examples
    --------
    >>> drawn_associations([[[1, 0]]], A=[[[1, 0]]], B=[[[0, 1]]], draws=2)
    array([[1.],
           [1.]])
    """
    for name, side in (("words", words), ("A", A), ("B", B)):
        if not len(side):
            raise ValueError(f"{name}: expected a word or more, got none")
    contexts = [
        unit_rows(f"word {number} of {name}", real_numbers(name, rows))
        for name, side in (("the targets", words), ("A", A), ("B", B))
        for number, rows in enumerate(side)
    ]
    if len({rows.shape[1] for rows in contexts}) > 1:
        raise ValueError("expected vectors of one length; take all words from one model")
    generator = np.random.default_rng(rng)
    stacked = np.concatenate(contexts)
    sizes = np.array([len(rows) for rows in contexts])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chosen = starts + generator.integers(0, sizes, (draws, len(sizes)))
    n, n_a = len(words), len(A)
    scores = np.empty((draws, n))
    step = max(1, DRAWN // (len(sizes) * stacked.shape[1]))
    for start in range(0, draws, step):
        block = chosen[start : start + step]
        axis = stacked[block[:, n : n + n_a]].mean(axis=1) - stacked[block[:, n + n_a :]].mean(1)
        scores[start : start + step] = np.einsum("bnd,bd->bn", stacked[block[:, :n]], axis)
    return scores


def combine(effects: ArrayLike, n_x: int, n_y: int) -> tuple[float, float, float]:
    """Effect sizes of several draws in a random-effects model.

    Parameters
    ----------
    effects : array_like, shape (draws,)
        Standardised mean differences.
    n_x, n_y : int
        Words in the two lists.

    Returns
    -------
    effect, pvalue, between : float
        Combined effect, its two-sided p by the normal distribution, and the variance between draws.

    Raises
    ------
    ValueError
        For fewer than two effects, one that is not finite, or an empty list.

    Examples
    --------
    >>> effect, p, between = combine([0.5, 0.5, 0.5], 8, 8)
    >>> round(effect, 2), bool(p > 0.05), between
    (0.5, True, 0.0)
    """
    from statsmodels.stats.meta_analysis import combine_effects

    d = real_numbers("effects", effects)
    if d.ndim != 1 or len(d) < 2 or not np.isfinite(d).all() or min(n_x, n_y) < 1:
        raise ValueError(
            f"expected two finite effects or more and a word in each list, got shape {d.shape} "
            f"and {n_x}, {n_y} words"
        )
    variance = (n_x + n_y) / (n_x * n_y) + d**2 / (2 * (n_x + n_y))
    with np.errstate(all="ignore"):  # where draws differ less than sampling alone would make them
        result = combine_effects(d, variance, method_re="dl")
    between = max(0.0, float(result.tau2))
    weights = 1 / (variance + between)
    effect = float(weights @ d / weights.sum())
    return effect, float(2 * stats.norm.sf(abs(effect) * np.sqrt(weights.sum()))), between


def words_interval(
    scores: ArrayLike,
    n_x: int,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Bootstrap interval of the mean effect over draws, the target words resampled.

    Parameters
    ----------
    scores : array_like, shape (draws, n)
        From `drawn_associations`, the words of X first.
    n_x : int
        Words in X.
    n_resamples, confidence_level, rng
        Bootstrap draws, coverage, random numbers or a seed. Each resample takes one draw of
        contexts, too.

    Returns
    -------
    tuple of float
        Low and high end of the percentile interval.

    Raises
    ------
    ValueError
        For scores that are no table of finite numbers, or a list without two words.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.standard_normal((30, 16)) + np.repeat([1.0, -1.0], 8)
    >>> low, high = words_interval(scores, 8, rng=0)
    >>> bool(0 < low < high < 2)
    True
    """
    table = real_numbers("scores", scores)
    if table.ndim != 2 or not np.isfinite(table).all() or not 2 <= n_x <= table.shape[1] - 2:
        raise ValueError(
            f"scores: expected a finite table (draws, n) with two words or more in each list, got "
            f"shape {table.shape} with {n_x} in the first"
        )
    generator = np.random.default_rng(rng)
    n_y = table.shape[1] - n_x
    columns = np.hstack(
        [
            generator.integers(0, n_x, (n_resamples, n_x)),
            n_x + generator.integers(0, n_y, (n_resamples, n_y)),
        ]
    )
    rows = generator.integers(0, len(table), (n_resamples, 1))
    effects = _effects(table[rows, columns], n_x, "scores", n_y, strict=False)
    tail = (1 - confidence_level) / 2
    low, high = np.nanquantile(effects, [tail, 1 - tail])
    return float(low), float(high)


def contextual_test(
    X: Sequence[ArrayLike],
    Y: Sequence[ArrayLike],
    A: Sequence[ArrayLike],
    B: Sequence[ArrayLike],
    random_words: Sequence[ArrayLike],
    *,
    draws: tuple[int, int] = (20, 1000),
    random_lists: int = 40,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """CEAT with what its p leaves out: other words, and attributes that mean nothing.

    Parameters
    ----------
    X, Y, A, B
        As in `combined_effect`.
    random_words : sequence of array_like, each of shape (contexts, d)
        Words to draw random attribute lists from.
    draws : pair of int
        Two numbers of draws to be combined.
    random_lists : int
        How many pairs of random lists take the place of A and B.
    n_resamples : int
        Of `words_interval`.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    dict of str to float
        `value`, `low`, `high`: the effect of the larger number of draws, and its interval over words;
        `p_few`, `p_many`: the published p after each number of draws; `called`: share of random
        lists whose p is below .05, which should be a twentieth.

    Raises
    ------
    ValueError
        As `combined_effect`, or where there are fewer random words than attributes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, Y, A, B = rng.standard_normal((4, 8, 3, 20))
    >>> found = contextual_test(X, Y, A, B, rng.standard_normal((30, 3, 20)), rng=0, random_lists=10)
    >>> found["low"] < found["value"] < found["high"]
    True
    """
    wanted = len(A) + len(B)
    if len(random_words) < wanted:
        raise ValueError(
            f"random_words: expected {wanted} or more, as many as attributes; got {len(random_words)}"
        )
    generator = np.random.default_rng(rng)
    few, many = (combined_effect(X, Y, A, B, draws=size, rng=generator) for size in draws)
    scores = drawn_associations([*X, *Y], A, B, draws=draws[1], rng=generator)
    low, high = words_interval(scores, len(X), n_resamples=n_resamples, rng=generator)
    called = 0
    for _ in range(random_lists):
        chosen = [random_words[place] for place in generator.permutation(len(random_words))]
        lists = chosen[: len(A)], chosen[len(A) : wanted]
        called += combined_effect(X, Y, *lists, draws=200, rng=generator).pvalue < 0.05
    return {
        "value": many.effect_size,
        "low": low,
        "high": high,
        "p_few": few.pvalue,
        "p_many": many.pvalue,
        "called": called / random_lists,
    }


def _effects(scores: Floats, n_x: int, name: str, n_y: int, strict: bool = True) -> Floats:
    """WEAT effect sizes, sample deviation, of rows of associations, X first."""
    if min(n_x, n_y) < 1:
        raise ValueError(f"{name}: expected a word or more in each list, got {n_x} and {n_y}")
    means = scores[:, :n_x].mean(axis=1) - scores[:, n_x:].mean(axis=1)
    deviations = scores.std(axis=1, ddof=1)
    if strict and not (deviations > 0).all():
        raise ValueError(f"{name}: expected associations that differ; all are equal in a draw")
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(means / deviations, np.float64)
