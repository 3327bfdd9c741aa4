"""Intervals by leaving out one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

Array = NDArray[np.floating]


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
