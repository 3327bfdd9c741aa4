"""Several scores of the same things: do they agree with one another, and with an outside fact?

A score is an array (n things, q questions): occupations by templates and pairs, for example. Its mean over questions is a thing's.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.reliability import split_half
from lib.inference.sums import p_of_draws
from lib.measures.outside import order_by_share

Floats = NDArray[np.float64]


def rank_agreement(
    scores: Mapping[str, ArrayLike],
    *,
    questions: Mapping[str, Hashable] | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Spearman correlation of every two scores (n, q) of the same n things, with intervals.

    Things are drawn for all scores alike; questions too, for those with one label in `questions`, for they were asked the same.
    """
    tables = {name: real_numbers(name, values) for name, values in scores.items()}
    sizes = {len(values) for values in tables.values()}
    flat = any(values.ndim != 2 or values.shape[1] < 1 for values in tables.values())
    if len(tables) < 2 or flat or len(sizes) > 1 or min(sizes) < 3:
        raise ValueError(
            "scores: expected two tables (things, questions) or more of the same three things or "
            f"more, got shapes {[values.shape for values in tables.values()]}"
        )
    generator = np.random.default_rng(rng)
    n = sizes.pop()
    rows = generator.integers(0, n, (n_resamples, n))
    means = {name: values.mean(axis=1) for name, values in tables.items()}
    weights: dict[Hashable, Floats] = {}
    drawn = {}
    for name, values in tables.items():
        q = values.shape[1]
        label = (questions or {}).get(name, ("of its own", name))
        if label not in weights:
            weights[label] = generator.multinomial(q, np.full(q, 1 / q), size=n_resamples) / q
        if weights[label].shape[1] != q:
            raise ValueError(
                f"questions: expected as many under {label!r} as the scores before have, "
                f"{weights[label].shape[1]}; {name!r} has {q}"
            )
        drawn[name] = np.take_along_axis(weights[label] @ values.T, rows, axis=1)
    ranks = {name: _centred_ranks(values) for name, values in drawn.items()}
    names, found = list(tables), []
    tail = (1 - confidence_level) / 2
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            with np.errstate(invalid="ignore", divide="ignore"):
                rho = _product(*(_centred_ranks(means[name][None]) for name in (one, other)))[0]
                low, high = np.nanquantile(_product(ranks[one], ranks[other]), [tail, 1 - tail])
            found.append((one, other, float(rho), float(low), float(high)))
    return pd.DataFrame(found, columns=["first", "second", "rho", "low", "high"])


def disattenuated(correlation: float, reliability: float, other: float = 1.0) -> float:
    """A correlation as it would be between scores without error (Spearman 1904); NaN where a reliability is not above 0."""
    # it can pass 1: an estimate over estimates; errors that two scores share, such as templates, make it too large
    product = reliability * other
    return float(correlation / np.sqrt(product)) if product > 0 and reliability > 0 else np.nan


def standardised_gap(scores: ArrayLike, above: ArrayLike) -> float:
    """Cohen's d of the marked things against the others, deviations within the groups; NaN where one has fewer than two."""
    values, marked = real_numbers("scores", scores), np.asarray(above, bool)
    if values.shape != marked.shape or values.ndim != 1:
        raise ValueError(
            f"expected a mark for each score, got shapes {values.shape} and {marked.shape}"
        )
    sides = values[marked], values[~marked]
    if min(map(len, sides)) < 2:
        return float("nan")
    squares = sum(((side - side.mean()) ** 2).sum() for side in sides)
    deviation = np.sqrt(squares / (len(values) - 2))
    return float((sides[0].mean() - sides[1].mean()) / deviation) if deviation > 0 else np.nan


class Standing(NamedTuple):
    """A score beside an outside fact."""

    gap: float  # `standardised_gap` between things above and below the middle of the fact
    rho: float  # Spearman's, with the fact
    low: float  # interval over things and questions
    high: float
    p: float  # of random pairings of scores with facts, two-sided
    p_random: float  # share of scores with random words that go with the fact as closely; NaN without them
    reliability: float  # of the mean over questions, by split halves
    corrected: float  # `disattenuated` rho; the fact is taken to be free of error
    n: int  # things with all numbers


def standing(
    scores: ArrayLike,
    facts: ArrayLike,
    *,
    middle: float = 0.5,
    groups: Sequence[object] | None = None,
    null: ArrayLike | None = None,
    alike: ArrayLike | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Standing:
    """One score (n, q) of many things beside an outside fact (n,): order, nulls, reliability.

    `groups` are labels of questions that stay together in a half; `null` (draws, n) is the score with random words, and
    `alike` (n, r) the real one from as few questions as a row of it, a question a column.
    """
    table, outside = real_numbers("scores", scores), real_numbers("facts", facts)
    if table.ndim != 2 or not table.shape[1] or outside.shape != table.shape[:1]:
        raise ValueError(
            "expected scores (things, questions) and a fact for each thing; got shapes "
            f"{table.shape} and {outside.shape}"
        )
    kept = np.isfinite(table).all(axis=1) & np.isfinite(outside)
    generator = np.random.default_rng(rng)
    found = order_by_share(table[kept], outside[kept], n_resamples=n_resamples, rng=generator)
    enough = found.n >= 3 and table.shape[1] > 1
    halves = split_half(table[kept], groups, n_splits=100, rng=generator) if enough else None
    reliability = halves.whole if halves else float("nan")
    p_random = float("nan")
    if null is not None and np.isfinite(found.rho):
        lots = real_numbers("null", null)
        if lots.ndim != 2 or lots.shape[1] != len(outside):
            raise ValueError(
                f"null: expected (draws, {len(outside)}) scores, got shape {lots.shape}"
            )
        real = table.mean(axis=1)[:, None] if alike is None else real_numbers("alike", alike)
        seen, once = (_orders(side[:, kept], outside[kept]) for side in (lots, real.T))
        p_random = p_of_draws(abs(once.mean()), np.abs(seen), tolerance=1e-12)
    return Standing(
        gap=standardised_gap(table[kept].mean(axis=1), outside[kept] > middle),
        rho=found.rho,
        low=found.low,
        high=found.high,
        p=found.p,
        p_random=float(p_random),
        reliability=reliability,
        corrected=disattenuated(found.rho, reliability),
        n=found.n,
    )


def _orders(rows: Floats, facts: Floats) -> Floats:
    """Spearman's correlation of each row with the facts."""
    facts = np.broadcast_to(facts, rows.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(_product(_centred_ranks(rows), _centred_ranks(facts)))


def _centred_ranks(values: Floats) -> Floats:
    ranks = stats.rankdata(values, axis=1)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True), np.float64)


def _product(x: Floats, y: Floats) -> Floats:
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return np.asarray((x * y).sum(axis=1) / size, np.float64)
