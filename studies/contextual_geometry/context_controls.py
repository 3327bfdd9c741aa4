"""Controls for probes in context: vectors averaged over sentences, contrasts of one pair, the lean a probe would notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors
from lib.measures.geometry import absolute_cosine
from studies.contextual_geometry.context_probes import ContextSpace, label_probe

Array = NDArray[np.floating]


def averaged(space: ContextSpace) -> ContextSpace:
    """The same words, each with one vector, the mean over its sentences (Bommasani, Davis & Cardie, 2020); nothing drawn yet."""

    def mean(words: Array | None) -> Array | None:
        return None if words is None else words.mean(axis=1, keepdims=True)

    first, second = (side.mean(axis=1, keepdims=True) for side in space.pairs)
    return replace(
        space,
        pairs=(first, second),
        persons=space.persons.mean(axis=1, keepdims=True),
        jobs=space.jobs.mean(axis=1, keepdims=True),
        plurals=mean(space.plurals),
        pool=mean(space.pool),
        drawn={},
        near=[],
    )


def one_pair_biases(
    space: ContextSpace, draws: int, *, rng: np.random.Generator | int | None = None
) -> tuple[Array, Array]:
    """Direct bias (p,) toward the contrast of one definitional pair at a time, and (draws,) toward those of two random persons.

    The first is the mean over the draws of sentences, the second that of the first draw.

    The first principal component of several *unrelated* differences is the longest axis of the words they come from, so
    that a null made of it is high by construction. A single pair has no such axis.
    """
    if not space.drawn.get("jobs"):
        raise ValueError("space: expected drawn sentences, got none; call draw_sentences first")
    if len(space.persons) < 2:
        raise ValueError(f"persons: expected 2 or more, got {len(space.persons)}")
    generator = np.random.default_rng(rng)
    first, second = (side.mean(axis=1) for side in space.pairs)
    taken = [words for words, _ in space.drawn["jobs"]]
    gender = np.mean([absolute_cosine(words, first - second) for words in taken], axis=0)
    contrasts = random_contrasts(space.persons.mean(axis=1), draws, rng=generator)
    return gender, absolute_cosine(taken[0], contrasts)


def random_contrasts(
    persons: ArrayLike, draws: int, *, rng: np.random.Generator | int | None = None
) -> Array:
    """Differences (draws, d) of two different words of (q, d), drawn at random."""
    rows = vectors("persons", persons)
    if len(rows) < 2:
        raise ValueError(f"persons: expected 2 or more, got {len(rows)}")
    generator = np.random.default_rng(rng)
    a = generator.integers(len(rows), size=draws)
    b = (a + generator.integers(1, len(rows), size=draws)) % len(rows)
    return np.asarray(rows[a] - rows[b], dtype=float)


def planted_power(
    words: ArrayLike,
    axis: ArrayLike,
    null_axes: ArrayLike,
    spreads: ArrayLike,
    *,
    draws: int = 20,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often direct bias stands out from its null, once words lean further along the axis: a row a spread.

    Each word (n, d), at length 1, is moved along the axis (d,) by a number drawn for it from a normal distribution, so that
    the words spread so many times as far on it as observed (1 plants nothing); the null, other contrasts made alike (k, d),
    is read on the same moved words.

    value: mean direct bias; null high: the mean of the value that 97.5 % of the null stay below; below: mean share of the
    null below the value; power: the share of plantings with a value above null high.
    """
    unit = unit_rows("words", words)
    d = unit.shape[1]
    direction = unit_rows("axis", vectors("axis", np.atleast_2d(axis), dimensions=d))[0]
    others = unit_rows("null_axes", vectors("null_axes", null_axes, dimensions=d))
    times = real_numbers("spreads", spreads)
    if times.ndim != 1 or not len(times) or not (times >= 1).all():
        raise ValueError(f"spreads: expected numbers of 1 or more, got {spreads!r}")
    on_axis, on_others = unit @ direction, unit @ others.T
    observed = on_axis.std()
    if not observed > 0:
        raise ValueError("words: expected words that spread on the axis, got one place for all")
    along = others @ direction
    generator = np.random.default_rng(rng)
    rows = []
    for time in times:
        of_draws = []
        for _ in range(draws if time > 1 else 1):
            moved = observed * np.sqrt(time**2 - 1) * generator.standard_normal(len(unit))
            lengths = np.sqrt(1 + 2 * moved * on_axis + moved**2)
            value = (np.abs(on_axis + moved) / lengths).mean()
            null = (np.abs(on_others + np.outer(moved, along)) / lengths[:, None]).mean(axis=0)
            high = np.quantile(null, 0.975)
            of_draws.append((value, high, (null < value).mean(), value > high))
        rows.append(np.mean(of_draws, axis=0))
    index = pd.Index(times, name="spread")
    return pd.DataFrame(rows, index, columns=["value", "null high", "below", "power"])


def detection_limit(power: pd.Series, least: float = 0.8) -> float:
    """The least planted spread from which on the power stays at a level or above; infinite where the last does not reach it."""
    reached = power.sort_index()
    holds = (reached >= least)[::-1].cummin()
    return float(holds.index[holds].min()) if holds.any() else float("inf")


def label_values(
    probe: str,
    chooser: ContextSpace,
    tester: ContextSpace,
    kind: str,
    pairs: Sequence[Sequence[int]],
    *,
    size: int = 0,
) -> Array:
    """`label_probe` by each of several contrasts in turn (len(pairs),); contrast j is read in draw j of the sentences."""
    values = [
        label_probe(probe, chooser, tester, kind, pair, place, size)
        for place, pair in enumerate(pairs)
    ]
    return np.array(values, dtype=float)
