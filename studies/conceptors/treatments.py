"""What only the static vectors are asked after each treatment: unseen words, and random lists.

The treatments and their tests stand in `lib.debiasing.treatments`; here are those that the chapter calls beside these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.debiasing.apertures import damped
from lib.debiasing.rows import Array
from lib.debiasing.treatments import (
    UNTREATED,
    Change,
    WordVectors,
    conceptor_negation,
    effect_sizes,
    frobenius_form,
    linear_changes,
    run_tests,
    treated,
)

__all__ = [
    "effect_sizes",
    "effects_of_random_lists",
    "frobenius_form",
    "linear_changes",
    "run_tests",
    "smaller_effects",
    "treated",
    "unseen_half_effects",
]


def smaller_effects(results: pd.DataFrame, by: Sequence[str] = ("test",)) -> pd.DataFrame:
    """How often a treatment made an effect smaller, by method; of tests x lists that could also be run with the words of the test off every list.

    `results` as from `run_tests`, the untreated row of each test first. `cells` are counted: `smaller`, |d| is smaller than untreated; `held_out`,
    it is so with the words held out; `turned`, d has the other sign.
    """
    before = results.groupby(list(by))["d"].transform("first")
    cells = pd.DataFrame(
        {
            "method": results["method"],
            "cells": 1,
            "smaller": results["d"].abs() < before.abs(),
            "held_out": results["d held out"].abs() < before.abs(),
            "turned": results["d"] * before < 0,
        }
    )
    treated_cells = (results["method"] != UNTREATED[0]) & results["d held out"].notna()
    return cells[treated_cells].groupby("method").sum()


def unseen_half_effects(
    sets: Sequence[WordVectors],
    listed: WordVectors,
    others: WordVectors,
    aperture: float,
    *,
    splits: int = 10,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """The mean effect size of words that a conceptor has not seen: half of the targets X and Y, cut in two again and again.

    "as trained", after the conceptor of the list less that half ("other half"), and after that of as many "random words", where there are more
    than 5,000 others to draw from. Positive where X goes with A.
    """
    generator = np.random.default_rng(rng)
    effects: dict[str, list[float]] = {}
    for _ in range(splits):
        halves = [
            _chosen(part, generator.permutation(part.words)[: len(part.words) // 2])
            for part in sets[:2]
        ]
        seen = {word for half in halves for word in half.words}
        unseen = _chosen(listed, {*listed.words} - seen)
        changes: dict[str, Change] = {"as trained": np.asarray}
        changes["other half"] = conceptor_negation(unseen.vectors, aperture)
        if len(others.words) > 5000:
            drawn = generator.choice(len(others.words), len(unseen.words), replace=False)
            changes["random words"] = conceptor_negation(others.vectors[drawn], aperture)
        for label, change in changes.items():
            d = effect_sizes({"half": [*halves, *sets[2:]]}, change)["half"]
            effects.setdefault(label, []).append(d)
    return {label: sum(sizes) / splits for label, sizes in effects.items()}


def effects_of_random_lists(
    tests: Mapping[str, Sequence[WordVectors]],
    vocabulary: ArrayLike,
    lists: Iterable[ArrayLike],
    aperture: float,
) -> pd.DataFrame:
    """The effect size of each test, a column, after the negated conceptor of each random list, a row.

    Lists are rows of the vocabulary (n, d), each as long as the list it stands for; the aperture is in units of the root mean square length of each,
    so that it turns down as much.
    """
    vectors, drawn = np.asarray(vocabulary), list(lists)
    if not tests or not drawn:
        raise ValueError(f"expected tests and lists, got {len(tests)} and {len(drawn)}")
    effects = [effect_sizes(tests, damped(vectors[np.asarray(rows)], aperture)) for rows in drawn]
    return pd.DataFrame(effects, columns=list(tests))


class _Words(NamedTuple):
    words: tuple[str, ...]
    vectors: Array


def _chosen(part: WordVectors, words: Iterable[str]) -> _Words:
    """Some words of a set, in the order of the set."""
    chosen = set(words)
    rows = [row for row, word in enumerate(part.words) if word in chosen]
    return _Words(tuple(part.words[row] for row in rows), part.vectors[rows])
