"""Which of several pairs of words differs most along a contrast: the questions of SemBias."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows


def most_along(first: ArrayLike, second: ArrayLike, contrast: ArrayLike) -> NDArray[np.intp]:
    """Which pair of each question has the difference that goes most with a contrast.

    Parameters
    ----------
    first, second : array_like, shape (n, k, d)
        Vectors of the words of k pairs, for n questions.
    contrast : array_like, shape (d,)
        Such as the mean of woman - man, girl - boy; second - first is compared with it.

    Returns
    -------
    ndarray of int, shape (n,)
        The place of the pair with the largest cosine, from 0; of equal ones the first.

    Raises
    ------
    ValueError
        When shapes disagree, or a pair or the contrast has no direction.

    References
    ----------
    Zhao, Zhou, Li, Wang and Chang (2018), section 4.

    Examples
    --------
    >>> waiter, waitress, cup, lid = [1, 0], [1, 1], [0, 0], [1, 0]
    >>> most_along([[waiter, cup]], [[waitress, lid]], contrast=[0, 1]).tolist()
    [0]
    """
    first, second = real_numbers("first", first), real_numbers("second", second)
    if first.shape != second.shape or first.ndim != 3:
        raise ValueError(
            f"expected vectors of both words of each pair, shape (n, k, d), got {first.shape} and {second.shape}"
        )
    n, k, d = first.shape
    differences = unit_rows("pairs", (second - first).reshape(-1, d))
    along = differences @ unit_rows("contrast", np.reshape(contrast, (1, -1)))[0]
    answers: NDArray[np.intp] = along.reshape(n, k).argmax(axis=1)
    return answers
