"""How far effects fall after the conceptor of a list, beside random lists of its size, and beside a planted contrast that the list shares."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import false_discovery_control

from lib.association import associations, effect_size, weat
from lib.debiasing.rows import Array
from lib.debiasing.treatments import (
    Change,
    WordVectors,
    beside_random_lists,
    effect_sizes,
    treated,
)
from lib.embeddings import Embedding
from lib.inference.sums import p_of_draws
from studies.conceptors.lists import (
    RandomLists,
    held_out_effects,
    list_rows,
    random_lists_of,
    turned_down,
    without_tested,
)

LONG = 100  # words; for longer lists frequencies are not matched, and fewer are drawn
PLANTED_DRAWS = 99  # random lists beside a planted contrast, at most
COLUMNS = ["test", "list", "words", "before", "p before", "d", "d whole", "median", "low", "high"]
COLUMNS += ["p", "draws", "planted before", "planted d", "planted p"]


def falls(
    e: Embedding,
    tests: Mapping[str, Sequence[WordVectors]],
    lists: Mapping[str, Sequence[str]],
    *,
    never: Collection[str],
    aperture: float,
    draws: int,
    rng: int = 0,
) -> tuple[pd.DataFrame, dict[str, RandomLists]]:
    """Each test after each list without the tested words, beside random lists of that size; and the random lists, by list.

    A row a test and list: `words` left on the list; `before` and its exact `p before`; `d` after, and `d whole` with the tested words on the list;
    `median`, `low` and `high` (central 90 %) of random lists, and `p`, the share of them, the list counted, that leave |d| as small; and the same
    of a contrast as in `planted_contrast`. A list with fewer than two words left, or without enough words to draw from, has no row.
    """
    drawn, rows = {}, []
    for name, words in lists.items():
        listed = list_rows(e, words)
        short = len(listed.words) <= LONG
        count = draws if short else max(2 * draws // 5, 10)
        found = random_lists_of(e, listed.words, never, count, matched=short, rng=rng)
        if found is None:
            continue
        drawn[name] = found
        effects = held_out_effects(tests, found, aperture)
        for test, sets in tests.items():
            kept = without_tested(listed.words, sets)
            if len(kept) < 2:
                continue
            started = weat(*(part.vectors for part in sets), ddof=0)
            row: dict[str, Any] = {"test": test, "list": name, "words": len(kept), "draws": count}
            row |= {"before": started.effect_size, "p before": started.pvalue}
            for column, Z in (("d whole", listed.vectors), ("d", listed.vectors[kept])):
                row[column] = effect_sizes({"": sets}, turned_down(Z, aperture))[""]
            row |= beside_random_lists(row["d"], effects[test])
            lists_of = [found.vocabulary[some] for some in found.rows[:PLANTED_DRAWS, kept]]
            row |= planted_contrast(sets, listed.vectors[kept], lists_of, aperture, rng=rng)
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS), drawn


def there(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that can fall: as trained d is positive with p below .05. `adjusted` is p for all of them (Benjamini–Hochberg)."""
    rows = table[(table["before"] > 0) & (table["p before"] < 0.05)]
    return rows.assign(adjusted=false_discovery_control(rows["p"].astype(float)))


def three_ways(
    sets: Sequence[WordVectors], listed: WordVectors, random: RandomLists, aperture: float
) -> list[tuple[Array, Array]]:
    """The associations of X and of Y as trained, after a list without the tested words, and after the random list with the median d.

    In standard deviations of both together, around their mean: the means lie d apart.
    """
    kept = without_tested(listed.words, sets)
    changes: list[Change] = [np.asarray, turned_down(listed.vectors[kept], aperture)]
    effects = held_out_effects({"": sets}, random, aperture)[""]
    middle = random.rows[int((effects - effects.median()).abs().argmin()), kept]
    changes.append(turned_down(random.vocabulary[middle], aperture))
    shown = []
    for change in changes:
        X, Y, A, B = treated(sets, change)
        sides = associations(X, A, B), associations(Y, A, B)
        both = np.concatenate(sides)
        shown.append(((sides[0] - both.mean()) / both.std(), (sides[1] - both.mean()) / both.std()))
    return shown


def planted_contrast(
    sets: Sequence[WordVectors],
    Z: Array,
    lists: Sequence[Array],
    aperture: float,
    *,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """What the comparison says of a contrast that the list certainly has in common with the test: the control that could have said yes.

    The words of X and Y are dealt anew at random, so that nothing of their own contrast is left. Then X and A are moved one way along a random direction,
    Y and B the other, by half the distance between the means of A and B, and so are the words of the list (k, d), by turns. Random `lists` are not.
    """
    generator = np.random.default_rng(rng)
    X, Y, A, B = (np.asarray(part.vectors, float) for part in sets)
    along = generator.standard_normal(A.shape[1])
    along *= np.linalg.norm(A.mean(axis=0) - B.mean(axis=0)) / 2 / np.linalg.norm(along)
    mixed = generator.permutation(np.concatenate([X, Y]))
    parts = [mixed[: len(X)] + along, mixed[len(X) :] - along, A + along, B - along]
    ends = np.cumsum([len(part) for part in parts])[:-1]
    turns = np.where(np.arange(len(Z)) % 2, -1, 1)[:, None]

    def size(rows: ArrayLike | None) -> float:
        words = np.concatenate(parts)
        after = words if rows is None else turned_down(np.asarray(rows, float), aperture)(words)
        x, y, a, b = np.split(after, ends)
        return effect_size(associations(x, a, b), associations(y, a, b), 0)

    d, null = size(Z + turns * along), np.array([size(rows) for rows in lists])
    p = p_of_draws(-abs(d), -np.abs(null))
    return {"planted before": size(None), "planted d": d, "planted p": p}


def told_apart(female: ArrayLike, male: ArrayLike, A: ArrayLike, B: ArrayLike) -> tuple[int, int]:
    """Of pairs (p, d), how many have their male word further to A, whose words are male, than their female word, and how many there are."""
    if not len(np.asarray(male)):
        return 0, 0
    return int((associations(male, A, B) > associations(female, A, B)).sum()), len(np.asarray(male))
