"""The order of the stereotypes: means of their sentences, by halves and with labels shuffled, and how much orders agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.datasets.gest import MEN, STEREOTYPES, WOMEN
from studies.stereotypes.gest import MODELS

Floats = NDArray[np.float64]
ABOUT_WOMEN = slice(0, len(WOMEN))
ABOUT_MEN = slice(len(WOMEN), len(WOMEN) + len(MEN))


def family_means(by_model: pd.DataFrame) -> pd.DataFrame:
    """The mean over the models of each family: columns of models (n, models) -> columns of families (n, families)."""
    families = {model.name: model.family for model in MODELS}
    return by_model.T.groupby(families, sort=False).mean().T


def stereotype_means(scores: ArrayLike, stereotypes: ArrayLike) -> Floats:
    """Means by stereotype: scores (n, k), numbers 1 to 16 (n,) -> (16, k), NaN where a stereotype has no sentence."""
    table, labels = np.asarray(scores, float), np.asarray(stereotypes)
    sums = np.zeros((len(STEREOTYPES), table.shape[1]))
    np.add.at(sums, labels - 1, table)
    counts = np.bincount(labels, minlength=len(STEREOTYPES) + 1)[1:, None]
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def within_sides(means: Floats) -> Floats:
    """Means (..., 16, k) less the mean of their own side: what is left once women's and men's stereotypes are level."""
    level = np.empty_like(means)
    for side in (ABOUT_WOMEN, ABOUT_MEN):
        part = means[..., side, :]
        level[..., side, :] = part - part.mean(axis=-2, keepdims=True)
    return level


def rank_agreement(first: Floats, second: Floats | None = None) -> Floats:
    """Spearman's correlation of each column of (16, k) with each of another (16, l), or of the same."""
    second = first if second is None else second
    ranks = [pd.DataFrame(table).rank().to_numpy() for table in (first, second)]
    centred = [table - table.mean(axis=0) for table in ranks]
    scaled = [table / np.linalg.norm(table, axis=0) for table in centred]
    return np.asarray(scaled[0].T @ scaled[1])


def between(correlations: Floats) -> Floats:
    """The entries of a square of correlations that are of two different things, each pair once or, of two halves, twice."""
    symmetric = np.allclose(correlations, correlations.T)
    off = ~np.eye(len(correlations), dtype=bool)
    return correlations[np.triu(off) if symmetric else off]


def median_agreement(means: Floats) -> tuple[float, float]:
    """Median agreement of two columns of means (16, k): over all stereotypes, and within women's and men's."""
    return (
        float(np.median(between(rank_agreement(means)))),
        float(np.median(between(rank_agreement(within_sides(means))))),
    )


def shuffled_means(
    scores: ArrayLike,
    stereotypes: ArrayLike,
    *,
    within: bool = False,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Means (draws, 16, k) with the stereotypes shuffled over the sentences, alike for all columns; `within` each side."""
    table, labels = np.asarray(scores, float), np.asarray(stereotypes)
    generator = np.random.default_rng(rng)
    sides = [labels <= len(WOMEN), labels > len(WOMEN)] if within else [np.ones(len(labels), bool)]
    means = np.empty((draws, len(STEREOTYPES), table.shape[1]))
    for draw in range(draws):
        shuffled = labels.copy()
        for side in sides:
            shuffled[side] = generator.permutation(labels[side])
        means[draw] = stereotype_means(table, shuffled)
    return means


def half_means(
    scores: ArrayLike,
    stereotypes: ArrayLike,
    *,
    splits: int = 200,
    rng: np.random.Generator | int | None = None,
) -> tuple[Floats, Floats]:
    """Means (splits, 16, k) of a random half of each stereotype's sentences, and of the other half."""
    table, labels = np.asarray(scores, float), np.asarray(stereotypes)
    generator = np.random.default_rng(rng)
    halves = np.empty((2, splits, len(STEREOTYPES), table.shape[1]))
    for split in range(splits):
        order = generator.permutation(len(labels))
        # Every other one of a stereotype's sentences, in random order
        turn = pd.Series(labels[order]).groupby(labels[order]).cumcount().to_numpy() % 2
        for half in (0, 1):
            rows = order[turn == half]
            halves[half, split] = stereotype_means(table[rows], labels[rows])
    return halves[0], halves[1]


def template_agreement(means: Mapping[tuple[str, int], Sequence[float]]) -> pd.DataFrame:
    """Each two templates of each model: columns model, first, second, value (Spearman's correlation over stereotypes)."""
    table = pd.DataFrame(means)
    rows = []
    for model in table.columns.unique(level=0):
        square = rank_agreement(table[model].to_numpy())
        first, second = np.triu_indices(len(square), k=1)
        rows += [(model, int(a), int(b), float(square[a, b])) for a, b in zip(first, second)]
    return pd.DataFrame(rows, columns=["model", "first", "second", "value"])
