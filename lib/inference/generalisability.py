"""Would other beginnings and other pairs put the occupations in the same order? Three crossed facets.

Scores are arrays (n occupations, b beginnings, p pairs), all finite, two or more of each.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers

Floats = NDArray[np.float64]
FACETS = ("occupation", "beginning", "pair")


def three_way_components(scores: ArrayLike) -> "pd.Series[float]":
    """Variance components of one score a cell, by expected mean squares of the crossed random design (Brennan 2001, chapter 3).

    The rest holds the interaction of all three and the error; estimates below 0 are set to 0.
    """
    table = real_numbers("scores", scores)
    if table.ndim != 3 or min(table.shape) < 2 or not np.isfinite(table).all():
        raise ValueError(
            f"scores: expected finite numbers (occupations, beginnings, pairs), two or more of each, got shape {table.shape}"
        )
    n, b, p = table.shape
    grand = table.mean()
    of = {0: table.mean(axis=(1, 2), keepdims=True) - grand}
    of |= {1: table.mean(axis=(0, 2), keepdims=True) - grand}
    of |= {2: table.mean(axis=(0, 1), keepdims=True) - grand}
    two = {
        (i, j): table.mean(axis=3 - i - j, keepdims=True) - grand - of[i] - of[j]
        for i, j in ((0, 1), (0, 2), (1, 2))
    }
    rest = table - grand - sum(of.values()) - sum(two.values())
    sizes = (n, b, p)
    squares = {
        i: (part**2).sum() * table.size / sizes[i] / (sizes[i] - 1) for i, part in of.items()
    }
    crossed = {
        (i, j): (part**2).sum() * sizes[3 - i - j] / ((sizes[i] - 1) * (sizes[j] - 1))
        for (i, j), part in two.items()
    }
    error = (rest**2).sum() / ((n - 1) * (b - 1) * (p - 1))
    found = {}
    for i, name in enumerate(FACETS):
        others = [key for key in crossed if i in key]
        size = table.size / sizes[i]
        found[name] = (squares[i] - crossed[others[0]] - crossed[others[1]] + error) / size
    for i, j in crossed:
        found[f"{FACETS[i]} × {FACETS[j]}"] = (crossed[i, j] - error) / sizes[3 - i - j]
    found["rest"] = error
    return pd.Series({name: max(float(value), 0.0) for name, value in found.items()})


def generalisability(components: "pd.Series[float]", beginnings: int = 1, pairs: int = 1) -> float:
    """Share of the variance of an occupation's mean that other beginnings and pairs would find again; NaN where occupations do not differ.

    The order is judged: what a beginning or a pair adds to all occupations alike does not count.
    """
    own = components["occupation"]
    noise = (
        components["occupation × beginning"] / beginnings
        + components["occupation × pair"] / pairs
        + components["rest"] / (beginnings * pairs)
    )
    return float(own / (own + noise)) if own + noise > 0 else float("nan")


def generalisability_interval(
    scores: ArrayLike,
    beginnings: int = 1,
    pairs: int = 1,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """95 % percentile interval over occupations, which are drawn anew; beginnings and pairs are not, as one drawn twice would agree with itself."""
    table, generator = real_numbers("scores", scores), np.random.default_rng(rng)
    rows = generator.integers(0, len(table), (n_resamples, len(table)))
    values = [generalisability(three_way_components(table[row]), beginnings, pairs) for row in rows]
    low, high = np.nanquantile(values, [0.025, 0.975])
    return float(low), float(high)
