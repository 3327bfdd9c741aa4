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

from lib.inference.sums import p_of_draws
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


def planted(scores: Scores, most: float, rng: np.random.Generator | int | None = None) -> Scores:
    """The scores with another gap in each model: from none to so many spreads, evenly, dealt out to the models.

    Both templates get it, and differ from each other by as much as they do.
    """
    women = np.arange(len(scores.means)) < ABOUT_WOMEN
    own = gaps(scores.means, scores.spreads, women)["gap in spreads"].mean(axis=-1)
    strength = np.random.default_rng(rng).permutation(np.linspace(0, most, len(scores.models)))
    spread = np.sqrt((scores.spreads**2).mean(axis=0))
    change = (strength - own)[:, None] * spread
    side = np.where(women, -0.5, 0.5)[:, None, None]
    return scores._replace(means=scores.means + side * change)


def share_found(
    scores: Scores, most: float, *, times: int = 20, draws: int = 400, rng: int = 0
) -> float:
    """How often a planted gap in spreads agrees beyond dealt groups, p below .05."""
    found = 0
    for seed in range(rng, rng + times):
        own = planted(scores, most, seed)
        women = np.arange(len(own.means)) < ABOUT_WOMEN
        observed = float(agreement(gaps(own.means, own.spreads, women)["gap in spreads"]))
        null = dealt_agreement(own, draws, seed)["gap in spreads"]
        found += p_of_draws(observed, null, tolerance=1e-12) < 0.05
    return found / times
