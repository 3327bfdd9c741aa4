"""Controls for probes in context: vectors averaged over sentences, contrasts of one pair, and the
lean that a probe would notice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows, vectors
from lib.measures.context_probes import ContextSpace, label_probe
from lib.measures.geometry import absolute_cosine

Array = NDArray[np.floating]


def averaged(space: ContextSpace) -> ContextSpace:
    """The same words, each with one vector: the mean over its sentences.

    Parameters
    ----------
    space : ContextSpace
        Words in s sentences each.

    Returns
    -------
    ContextSpace
        Words in one sentence each, nothing drawn yet.

    References
    ----------
    Bommasani, Davis & Cardie (2020): static vectors out of contextual ones, by their mean.

    Examples
    --------
    >>> words = np.arange(12.0).reshape(2, 3, 2)
    >>> averaged(ContextSpace((words, words), words, words)).jobs.tolist()
    [[[2.0, 3.0]], [[8.0, 9.0]]]
    """

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
    """Direct bias toward the contrast of one pair at a time, and toward those of random persons.

    Parameters
    ----------
    space : ContextSpace
        With its sentences drawn.
    draws : int
        How many random pairs of persons.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    gender : ndarray, shape (p,)
        Toward the difference of each definitional pair, its words averaged over their sentences;
        the mean over the draws of sentences.
    random : ndarray, shape (draws,)
        Toward that of two persons, in the first draw of sentences.

    Raises
    ------
    ValueError
        Where no sentences are drawn, or there are fewer than two persons.

    Notes
    -----
    The first principal component of several *unrelated* differences is the longest axis of the words
    they come from, so that a null made of it is high by construction. A single pair has no such axis.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> pairs = rng.standard_normal((2, 3, 1, 8))
    >>> space = ContextSpace(tuple(pairs), rng.standard_normal((9, 1, 8)), rng.standard_normal((5, 1, 8)))
    >>> space.draw_sentences(1, rng)
    >>> [values.shape for values in one_pair_biases(space, 20, rng=0)]
    [(3,), (20,)]
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
    """Differences of two different words, drawn at random.

    Parameters
    ----------
    persons : array_like, shape (q, d)
    draws : int
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    ndarray, shape (draws, d)

    Raises
    ------
    ValueError
        For fewer than two words.

    Examples
    --------
    >>> np.abs(random_contrasts([[0, 1], [0, 3]], 4, rng=0)).tolist()
    [[0.0, 2.0], [0.0, 2.0], [0.0, 2.0], [0.0, 2.0]]
    """
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
    """How often direct bias stands out from its null, once words lean further along the axis.

    Each word, at length 1, is moved along the axis by a number drawn for it from a normal
    distribution. The more the words spread on the axis, the more they lean; the null is read on the
    same moved words.

    Parameters
    ----------
    words : array_like, shape (n, d)
        Words that name no gender.
    axis : array_like, shape (d,)
        The contrast under test.
    null_axes : array_like, shape (k, d)
        Other contrasts made alike.
    spreads : array_like, shape (m,)
        How many times as far as observed the words spread on the axis, each 1 or more; 1 plants
        nothing.
    draws : int
        Plantings for each spread.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    DataFrame
        One row a spread, its index: `value`, mean direct bias; `null high`, the mean of the value
        that 97.5 % of the null stay below; `below`, mean share of the null below the value;
        `power`, the share of plantings with a value above `null high`.

    Raises
    ------
    ValueError
        Where shapes disagree, a vector has no direction, a spread is below 1, or the words do not
        spread on the axis.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> words, null = rng.standard_normal((60, 20)), rng.standard_normal((40, 20))
    >>> found = planted_power(words, rng.standard_normal(20), null, [1, 4], rng=0)
    >>> found["power"].tolist()
    [0.0, 1.0]
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
    """The least planted spread from which on the power stays at a level or above.

    Parameters
    ----------
    power : Series
        Index of spreads, rising, as `planted_power` gives it.
    least : float
        The level.

    Returns
    -------
    float
        A spread of the index; infinite where the level is not reached by the last.

    Examples
    --------
    >>> detection_limit(pd.Series([0.0, 0.9, 0.5, 0.9, 1.0], index=[1, 2, 3, 4, 5]))
    4.0
    """
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
    """One probe with labels, by each of several contrasts in turn.

    Parameters
    ----------
    probe, chooser, tester, kind, size
        As in `lib.measures.context_probes.label_probe`.
    pairs : sequence of sequence of int
        One contrast each, as in `ContextSpace.axis`; contrast j is read in draw j of the sentences.

    Returns
    -------
    ndarray, shape (len(pairs),)

    Raises
    ------
    ValueError
        As `label_probe`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> pairs = rng.standard_normal((2, 3, 1, 8))
    >>> persons, jobs = rng.standard_normal((9, 1, 8)), rng.standard_normal((20, 1, 8))
    >>> space = ContextSpace(tuple(pairs), persons, jobs)
    >>> space.draw_sentences(1, rng)
    >>> space.find_neighbours(5)
    >>> label_values("neighbours", space, space, "gender", [[0], [1], [2]]).shape
    (3,)
    """
    values = [
        label_probe(probe, chooser, tester, kind, pair, place, size)
        for place, pair in enumerate(pairs)
    ]
    return np.array(values, dtype=float)
