"""WEAT with one word in each set, whose sign is all there is: Section 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, unmasked

Array = NDArray[np.floating]


def single_word_statistics(x: ArrayLike, y: ArrayLike, A: ArrayLike, B: ArrayLike) -> Array:
    """WEAT statistic (n_a, n_b), in [-4, 4], of two target words with every word of A against every word of B: Table 1.

    Positive says that x goes with the word of A and y with that of B. The effect size is the largest possible, one way or
    the other (Proposition 2).
    """
    first, second = unit_rows("x and y", np.asarray([unmasked("x", x), unmasked("y", y)]))
    with_a, with_b = (
        (first - second) @ unit_rows(name, side).T for name, side in (("A", A), ("B", B))
    )
    return np.asarray(with_a[:, None] - with_b)
