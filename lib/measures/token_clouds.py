"""Distances between words that are clouds of tokens, corrected for the spread of each cloud.

The tokens of any two words are two clouds, and any two clouds are told apart. How far apart they lie
is another question: the squared distance of two means is too large by the noise of both, which is
known from the tokens and taken off here.

Shapes: m tokens of a word, d dimensions, k directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

Array = NDArray[np.floating]


def contrast_square(
    clouds: Sequence[ArrayLike], weights: Sequence[float], *, paired: bool = False
) -> float:
    """Unbiased squared length of a weighted sum of word means.

    Parameters
    ----------
    clouds : sequence of array_like of shape (m, d)
        Tokens of each word, two or more of it.
    weights : sequence of float
        One a word: 1 and -1 for the distance of two words; (½, ½, -½, -½) for that of two groups.
    paired : bool
        Whether row t of every cloud stands in the same sentence, so that what the sentence does to
        all words cancels; all clouds have one size then.

    Returns
    -------
    float
        0 on average where the contrast is nothing but noise, so it may be negative.

    Raises
    ------
    ValueError
        Where weights or shapes do not fit, a word has one token, or a number is not finite.

    Examples
    --------
    >>> contrast_square([[[1.0], [3.0]], [[0.0], [0.0]]], [1, -1])  # 4 less 2 / 2
    3.0
    >>> contrast_square([[[1.0], [3.0]], [[0.0], [2.0]]], [1, -1], paired=True)
    1.0
    """
    arrays = _clouds(clouds, weights, paired)
    parts = list(zip(weights, arrays))
    if paired:
        parts = [(1.0, np.sum([w * cloud for w, cloud in parts], axis=0))]
    total: Array = np.sum([w * cloud.mean(axis=0) for w, cloud in parts], axis=0)
    noise = sum(w**2 * cloud.var(axis=0, ddof=1).sum() / len(cloud) for w, cloud in parts)
    return float(total @ total - noise)


def share_along(
    clouds: Sequence[ArrayLike],
    weights: Sequence[float],
    directions: ArrayLike,
    *,
    paired: bool = False,
) -> float:
    """Which share of the squared length of a contrast lies along some directions.

    Parameters
    ----------
    clouds, weights, paired
        As in `contrast_square`.
    directions : array_like of shape (k, d)
        Orthonormal, such as the first principal components of other words.

    Returns
    -------
    float
        About 0 to 1; k / d for directions at random. NaN where the contrast is no longer than its
        noise.

    Raises
    ------
    ValueError
        As `contrast_square`, and where directions are not orthonormal.

    Examples
    --------
    >>> two = [[[3.0, 4.0]] * 2, [[0.0, 0.0]] * 2]
    >>> round(share_along(two, [1, -1], [[1.0, 0.0]]), 2)
    0.36
    """
    axes = np.atleast_2d(real_numbers("directions", directions))
    if not np.allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-6):
        raise ValueError("directions: expected orthonormal rows; take those of a decomposition")
    arrays = _clouds(clouds, weights, paired)
    if arrays[0].shape[1] != axes.shape[1]:
        raise ValueError(
            f"directions: expected {arrays[0].shape[1]} dimensions, got {axes.shape[1]}"
        )
    whole = contrast_square(arrays, weights, paired=paired)
    within = contrast_square([cloud @ axes.T for cloud in arrays], weights, paired=paired)
    return within / whole if whole > 0 else float("nan")


def factor_shares(
    clouds: Sequence[ArrayLike],
    first: Sequence[bool],
    second: Sequence[bool],
    *,
    paired: bool = False,
) -> dict[str, float]:
    """What four words differ in: two factors, such as gender and kind of noun, and their crossing.

    Parameters
    ----------
    clouds : sequence of four array_like of shape (m, d)
        Tokens of the words.
    first, second : sequence of four bool
        On which side of each factor a word lies; every combination occurs once.
    paired : bool
        As in `contrast_square`.

    Returns
    -------
    dict of str to float
        "first", "second" and "crossing": shares of the corrected squared distances, which add up to
        1. The crossing is what the two factors do not explain.

    Raises
    ------
    ValueError
        Where the four words are not the four combinations, the three squares are no longer than
        their noise, and as `contrast_square`.

    Examples
    --------
    >>> rows = [[[0.0, 0.0]] * 2, [[3.0, 0.0]] * 2, [[0.0, 1.0]] * 2, [[3.0, 1.0]] * 2]
    >>> factor_shares(rows, [False, True, False, True], [False, False, True, True])
    {'first': 0.9, 'second': 0.1, 'crossing': 0.0}
    """
    one, other = (np.where(np.asarray(side, bool), 0.5, -0.5) for side in (first, second))
    if len({*zip(one.tolist(), other.tolist())}) != 4 or not len(clouds) == len(one) == 4:
        raise ValueError("expected four words, one for each combination of two factors")
    contrasts = {"first": one, "second": other, "crossing": 2 * one * other}
    squares = {
        name: contrast_square(clouds, weights.tolist(), paired=paired)
        for name, weights in contrasts.items()
    }
    total = sum(squares.values())
    if not total > 0:
        raise ValueError("expected words that differ by more than noise, got none; use more tokens")
    return {name: square / total for name, square in squares.items()}


def interval_over_tokens(
    statistic: Callable[[list[Array]], float], clouds: Sequence[ArrayLike], *, width: float = 1.96
) -> tuple[float, float]:
    """An interval over the tokens, or sentences, by leaving out one at a time (a jackknife).

    Parameters
    ----------
    statistic : callable
        From clouds to a number.
    clouds : sequence of array_like of shape (m, d)
        As many tokens of each word, three or more; row t of all of them is left out together.
    width : float
        Standard errors to either side.

    Returns
    -------
    tuple of float
        Low and high ends.

    Raises
    ------
    ValueError
        Where clouds differ in size, or have fewer than three tokens.

    Examples
    --------
    >>> low, high = interval_over_tokens(lambda c: c[0].mean(), [[[1.0], [2.0], [3.0]]])
    >>> round(low, 2), round(high, 2)
    (0.87, 3.13)
    """
    arrays: list[Array] = [real_numbers("clouds", cloud) for cloud in clouds]
    sizes = {len(array) for array in arrays}
    if len(sizes) != 1 or min(sizes) < 3:
        raise ValueError(f"clouds: expected one size of three or more, got {sorted(sizes)}")
    m = sizes.pop()
    left = np.array(
        [statistic([np.delete(array, row, axis=0) for array in arrays]) for row in range(m)]
    )
    error = float(np.sqrt((m - 1) / m * np.square(left - left.mean()).sum()))
    value = float(statistic(arrays))
    return value - width * error, value + width * error


def _clouds(
    clouds: Sequence[ArrayLike], weights: Sequence[float], paired: bool
) -> list[NDArray[np.float64]]:
    arrays = [real_numbers("clouds", cloud) for cloud in clouds]
    shapes = [array.shape for array in arrays]
    if not arrays or len(arrays) != len(weights):
        raise ValueError(f"expected a weight for each word, got {len(arrays)} and {len(weights)}")
    if any(len(shape) != 2 or shape[0] < 2 for shape in shapes):
        raise ValueError(f"clouds: expected (m, d) with two tokens or more, got shapes {shapes}")
    if len({shape[1] for shape in shapes}) > 1 or (paired and len(set(shapes)) > 1):
        raise ValueError(f"clouds: expected one shape, got {shapes}")
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError("clouds: expected finite numbers, got NaN or infinity")
    return arrays
