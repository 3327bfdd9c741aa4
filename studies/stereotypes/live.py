"""The place of a model that was asked on this machine (`lib.language_models.gest`) among the released ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from studies.stereotypes.order import rank_agreement, within_sides

Floats = NDArray[np.float64]


class Agreement(NamedTuple):
    """Median rank correlation of one order of the stereotypes with others."""

    all: float
    within: float  # with women's and men's stereotypes made level


def agreement_with(one: ArrayLike, others: ArrayLike) -> Agreement:
    """How the order of one column of means (16,) agrees with those of others (16, k), in the median."""
    column, table = np.asarray(one, float)[:, None], np.asarray(others, float)
    whole, inside = (
        float(np.median(rank_agreement(*pair)))
        for pair in ((column, table), (within_sides(column), within_sides(table)))
    )
    return Agreement(whole, inside)


def place_from_top(values: ArrayLike) -> NDArray[np.intp]:
    """Place of the last column among all, 1 the largest: (..., k) -> (...)."""
    table = np.asarray(values, float)
    return np.asarray(1 + (table[..., :-1] > table[..., -1:]).sum(axis=-1))
