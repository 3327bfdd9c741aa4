"""Pairs of sentences by a decoder: which of two is likelier, in rewritten twins too, and by what is known to be wrong with a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.inference.sums import resampled_sums
from lib.language_models.causal_scores import CausalLanguageModel
from studies.sentence_measures.sentences import Pairs

Floats = NDArray[np.float64]


def pair_odds(
    model: CausalLanguageModel, sets: Mapping[str, tuple[Pairs, Pairs]]
) -> dict[str, tuple[Floats, Floats]]:
    """For each set the log odds of the first sentence of its pairs (n,), and of their twins; a sentence is read once."""
    texts = list(
        dict.fromkeys(s for set_ in sets.values() for pair in set_ for side in pair for s in side)
    )
    value = dict(zip(texts, model.log_probabilities(texts))) if texts else {}
    odds = {}
    for name, pairs in sets.items():
        both = [
            np.array([value[first] - value[second] for first, second in zip(*sides)])
            for sides in pairs
        ]
        odds[name] = (both[0], both[1])
    return odds


def shares_of_sides(
    pairs: Pairs,
    odds: tuple[Floats, Floats],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """Shares of pairs, and of twins, whose first sentence is likelier, and of pairs whose twin is decided the other way.

    Keys prefer, twin and change, each with _low and _high (95 % over pairs, twins of one pair together); chance, what
    change would be if pair and twin had nothing to do with each other; and n.
    """
    prefer, twin = (side > 0 for side in odds)
    labels = [f"{first}\n{second}" for first, second in zip(*pairs)]
    terms = {"prefer": prefer, "twin": twin, "change": prefer != twin}
    found: dict[str, float] = {"n": len(labels)}
    for name, values in terms.items():
        found |= _share(name, values, labels, n_resamples, rng)
    p, q = prefer.mean(), twin.mean()
    return found | {"chance": float(p * (1 - q) + (1 - p) * q)}


def shares_by_kind(
    odds: ArrayLike,
    kinds: Mapping[str, Sequence[bool]],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Share of pairs (n,) whose first sentence is likelier, in each kind of pair: index kind; value, low, high, n.

    A kind of fewer than two pairs is left out.
    """
    likelier = np.asarray(odds, float) > 0
    rows = {}
    for kind, marks in kinds.items():
        values = likelier[np.asarray(marks, bool)]
        if len(values) > 1:
            ends = _share("value", values, range(len(values)), n_resamples, rng)
            rows[kind] = dict(zip(("value", "low", "high"), ends.values())) | {"n": len(values)}
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high", "n"])


def _share(
    name: str,
    values: NDArray[np.bool_],
    clusters: Sequence[object],
    n_resamples: int,
    rng: np.random.Generator | int | None,
) -> dict[str, float]:
    """A share with its bootstrap interval over clusters."""
    terms = np.column_stack([values, np.ones(len(values))]).astype(float)
    sums = resampled_sums(terms, clusters=list(clusters), n_resamples=n_resamples, rng=rng)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
    return {name: float(values.mean()), f"{name}_low": float(low), f"{name}_high": float(high)}
