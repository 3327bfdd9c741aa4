"""Would any list do? Association tests after the conceptors of random words in place of a list's.

Each random list has as many words as the list it stands for, and its conceptor the same aperture in
units of its own length, so that it turns down as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.debiasing.apertures import damped
from lib.debiasing.treatments import WordVectors, effect_sizes
from lib.inference.sums import p_of_draws


def effects_of_random_lists(
    tests: Mapping[str, Sequence[WordVectors]],
    vocabulary: ArrayLike,
    lists: Iterable[ArrayLike],
    aperture: float,
) -> pd.DataFrame:
    """The effect size of each test after the negated conceptor of each random list.

    Parameters
    ----------
    tests : dict of str to four WordVectors
        Name -> X, Y, A, B.
    vocabulary : array_like of shape (n, d)
        Vectors that the lists are rows of.
    lists : iterable of array_like of int
        Rows of each random list, as from `lib.inference.random_words.random_words`.
    aperture : float
        In units of the root mean square length of each list.

    Returns
    -------
    DataFrame
        A row for each random list, a column for each test: d, positive where X goes with A.

    Raises
    ------
    ValueError
        Where there is no test or no list, and as `damped`.
    """
    vectors, drawn = np.asarray(vocabulary), list(lists)
    if not tests or not drawn:
        raise ValueError(f"expected tests and lists, got {len(tests)} and {len(drawn)}")
    effects = [effect_sizes(tests, damped(vectors[np.asarray(rows)], aperture)) for rows in drawn]
    return pd.DataFrame(effects, columns=list(tests))


def beside_random_lists(effect: float, random: ArrayLike) -> dict[str, float]:
    """An effect size beside those that random lists leave.

    Parameters
    ----------
    effect : float
        After the conceptor of the list.
    random : array_like of shape (draws,)
        After conceptors of random lists.

    Returns
    -------
    dict of str to float
        `median`, `low` and `high`, the central 90 %; `p`, the share of lists, the given one
        counted among them, after which ``|d|`` is as small as after it or smaller.

    Raises
    ------
    ValueError
        Without a random list.

    Examples
    --------
    >>> beside_random_lists(-0.2, [0.1, 0.5, 0.6])["p"]
    0.5
    """
    values: NDArray[np.float64] = real_numbers("random", random)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"random: expected (draws,) effect sizes, got shape {values.shape}")
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    return {
        "median": float(median),
        "low": float(low),
        "high": float(high),
        "p": p_of_draws(-abs(effect), -np.abs(values), tolerance=1e-12),
    }
