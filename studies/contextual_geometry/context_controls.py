"""Controls for probes in context: vectors averaged over sentences, contrasts of one pair, the lean a probe would notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors
from lib.inference.sums import TIE_TOLERANCE, p_of_draws
from lib.measures.geometry import absolute_cosine
from studies.contextual_geometry.context_probes import ContextSpace, label_probe

Array = NDArray[np.floating]
ALPHA = 0.025  # one-sided


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


def against_as_many(
    values: ArrayLike,
    null: ArrayLike,
    size: int,
    *,
    draws: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> float:
    """p of the mean of some pairs (r,): how often the mean of as many (`size`) random pairs (m,), drawn with replacement, is as large.

    One-sided. That all values of the pairs lie above most single random pairs has no level of its own; this has.
    """
    observed, single = real_numbers("values", values), real_numbers("null", null)
    if not observed.size or single.ndim != 1 or single.size < 2 or size < 1:
        raise ValueError(
            f"expected values, two or more of the null and a size of 1 or more, got {observed.size}, {single.shape} and {size!r}"
        )
    generator = np.random.default_rng(rng)
    means = single[generator.integers(single.size, size=(draws, size))].mean(axis=1)
    return p_of_draws(float(observed.mean()), means, tolerance=TIE_TOLERANCE)


def planted_labels(
    space: ContextSpace,
    probe: str,
    spreads: Sequence[float],
    *,
    size: int,
    null_pairs: Sequence[Sequence[int]],
    plantings: int = 4,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often clustering or classification stands out once the words of the pool lean further along a contrast: a row a spread.

    Each word, at length 1, is moved along the contrast of a definitional pair by a number drawn for it, the same in all its sentences, so
    that the words spread so many times as far on it (1 plants nothing). value: mean over pairs and plantings; null: the median of random
    pairs on words moved alike; power: the share of plantings with p of `against_as_many` at 2.5 % or below.
    """
    generator = np.random.default_rng(rng)
    taken, rest = (unit_rows("pool", words) for words in space.drawn["pool"][0])
    contrasts = unit_rows("pairs", np.subtract(*(side.mean(axis=1) for side in space.pairs)))
    rows = []
    for time in spreads:
        found, null = [], np.empty(0)
        for planting in range(plantings):
            values = []
            for place, axis in enumerate(contrasts):
                spread = (taken @ axis).std() * np.sqrt(time**2 - 1)
                moved = np.outer(spread * generator.standard_normal(len(taken)), axis)
                planted = replace(space, drawn={"pool": [(taken + moved, rest + moved)]})
                asked = (probe, planted, planted)
                values += list(label_values(*asked, "gender", [[place]], size=size))
                if not null.size:
                    null = label_values(*asked, "random", null_pairs, size=size)
            p = against_as_many(values, null, len(contrasts), draws=999, rng=planting)
            found.append((np.mean(values), p <= ALPHA))
        value, power = np.mean(found, axis=0)
        rows.append((value, float(np.median(null)), power))
    index = pd.Index(spreads, name="spread")
    return pd.DataFrame(rows, index, columns=["value", "null", "power"])
