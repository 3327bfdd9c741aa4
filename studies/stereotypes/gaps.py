"""The gap between stereotypes about men and about women, in log odds and in spreads of a model's own scores."""

from __future__ import annotations

import math
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.datasets.gest import STEREOTYPES
from lib.inference.sums import resampled_sums
from studies.stereotypes.gest import MODELS
from studies.stereotypes.order import ABOUT_MEN, ABOUT_WOMEN

Floats = NDArray[np.float64]


class Order(NamedTuple):
    """Rank correlation of gaps with sizes, its exact two-sided p, and the smallest p that so many sizes could give."""

    rho: float
    p: float
    smallest: float


def gap(means: ArrayLike) -> Floats:
    """Mean of the nine stereotypes about men less that of the seven about women: (..., 16, k) -> (..., k)."""
    table = np.asarray(means, float)
    return np.asarray(
        table[..., ABOUT_MEN, :].mean(axis=-2) - table[..., ABOUT_WOMEN, :].mean(axis=-2)
    )


def standardised_gap(means: ArrayLike, variances: ArrayLike) -> Floats:
    """The gap over the spread of the sentences of one stereotype (root of the mean variance): (..., 16, k) -> (..., k)."""
    return np.asarray(gap(means) / np.sqrt(np.asarray(variances, float).mean(axis=-2)))


def resampled_moments(
    scores: ArrayLike,
    stereotypes: ArrayLike,
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> tuple[Floats, Floats]:
    """Means and variances (draws, 16, k) of the scores (n, k) over bootstrap draws of each stereotype's sentences."""
    table, labels = np.asarray(scores, float), np.asarray(stereotypes)
    generator = np.random.default_rng(rng)
    means = np.empty((draws, len(STEREOTYPES), table.shape[1]))
    variances = np.empty_like(means)
    for row, number in enumerate(STEREOTYPES):
        part = table[labels == number]
        centre = part.mean(axis=0)  # squares of small numbers: no digits are lost
        terms = np.hstack([part - centre, (part - centre) ** 2])
        sums = resampled_sums(terms, n_resamples=draws, rng=generator)
        first, second = np.split(sums / len(part), 2, axis=1)
        means[:, row] = first + centre
        variances[:, row] = (second - first**2) * len(part) / (len(part) - 1)
    return means, variances


def order_with_size(sizes: ArrayLike, gaps: ArrayLike) -> Order:
    """How gaps follow sizes, against every order that they could have come in."""
    number = len(np.unique(np.asarray(sizes)))
    if not 3 <= number <= 9 or number < np.size(sizes):
        raise ValueError(f"sizes: expected 3 to 9 different ones, got {np.asarray(sizes).tolist()}")
    size, value = (stats.zscore(stats.rankdata(each)) / np.sqrt(number) for each in (sizes, gaps))
    rho = float(size @ value)
    null = np.array([*permutations(size)]) @ value
    p = float(np.mean(np.abs(null) >= abs(rho) - 1e-9))
    return Order(rho, p, 2 / math.factorial(number))


def tuned_pairs() -> pd.DataFrame:
    """The models tuned to follow instructions whose base is there, too: columns base, tuned."""
    pairs = [(model.base, model.name) for model in MODELS if model.base]
    return pd.DataFrame(pairs, columns=["base", "tuned"])
