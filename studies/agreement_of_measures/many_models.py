"""Two ways of asking as two measures of models, where there are many models: the released scores of GEST's decoders.

Over five models two measures cannot be told to agree or not. GEST (Pikuliak and others 2024) asked 23 decoders under two templates,
*he* against *she* and *man* against *woman*; the gap between stereotypes about men and about women is one number for each model and template.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.paths import DATA

Floats = NDArray[np.float64]
SCORES = DATA / "released" / "gest_scores.csv"
ABOUT_WOMEN = 7  # the first seven of sixteen stereotypes; the others are about men
TEMPLATES = 2  # that decoders were asked under; masked models have four


class Scores(NamedTuple):
    """What decoders make of stereotypes: names of the models, and means and spreads (16, models, templates)."""

    models: tuple[str, ...]
    means: Floats
    spreads: Floats

    @property
    def families(self) -> list[str]:
        """The family of each model; openchat was tuned from Mistral."""
        first = [name.partition("-")[0] for name in self.models]
        return ["Mistral" if name == "openchat" else name for name in first]


def read_scores() -> Scores:
    """The decoders' scores, log odds to base 10, masculine above zero."""
    table = pd.read_csv(SCORES)
    decoders = table.groupby("model", sort=False)["template"].nunique()
    names = tuple(decoders.index[decoders == TEMPLATES])
    means, spreads = (
        table.pivot(index="stereotype", columns=["model", "template"], values=what)
        .reindex(columns=pd.MultiIndex.from_product([names, range(TEMPLATES)]))
        .to_numpy()
        .reshape(-1, len(names), TEMPLATES)
        for what in ("mean", "sd")
    )
    return Scores(names, means, spreads)


def gaps(means: ArrayLike, spreads: ArrayLike, about_women: ArrayLike) -> dict[str, Floats]:
    """The gap (..., models, templates) of groups (..., 16): mean of the stereotypes about men less that of those about women, as it is and in spreads."""
    women = np.asarray(about_women, bool)
    sides = [group / group.sum(axis=-1, keepdims=True) for group in (~women, women)]
    gap = np.tensordot(sides[0] - sides[1], np.asarray(means, float), axes=1)
    return {"gap": gap, "gap in spreads": gap / np.sqrt((np.asarray(spreads) ** 2).mean(axis=0))}


def agreement(gap: ArrayLike) -> Floats:
    """Rank correlation over models of the gaps (..., models, 2) of two templates -> (...)."""
    ranks = stats.rankdata(np.asarray(gap, float), axis=-2)
    centred = ranks - ranks.mean(axis=-2, keepdims=True)
    size = np.sqrt((centred**2).sum(axis=-2)).prod(axis=-1)
    return np.asarray(centred.prod(axis=-1).sum(axis=-1) / size)


def dealt_groups(number: int, first: int) -> NDArray[np.bool_]:
    """Every way (ways, number) to deal things out in two groups, the first of so many."""
    chosen = np.array([*combinations(range(number), first)])
    ways = np.zeros((len(chosen), number), bool)
    np.put_along_axis(ways, chosen, True, axis=1)
    return ways


def dealt_agreement(
    scores: Scores, draws: int, rng: np.random.Generator | int | None = None
) -> dict[str, Floats]:
    """The agreement of both templates (draws,) by both gaps, where the stereotypes are dealt out in two groups that mean nothing.

    The groups are alike in both templates, so that what a model does to all of its scores is left in.
    """
    ways = dealt_groups(len(scores.means), ABOUT_WOMEN)[1:]  # the first is the true one
    chosen = np.random.default_rng(rng).choice(len(ways), min(draws, len(ways)), replace=False)
    both = gaps(scores.means, scores.spreads, ways[chosen])
    return {what: agreement(gap) for what, gap in both.items()}
