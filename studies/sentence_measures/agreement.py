"""Several scores of the same things: do they agree with one another, and with an outside fact?

A score is an array (n things, q questions): occupations by templates and pairs, for example. Its mean over questions is a thing's.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
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
    value, drawn = _drawn_agreement(scores, questions, n_resamples, rng)
    tail = (1 - confidence_level) / 2
    ends = drawn.quantile([tail, 1 - tail]).to_numpy()
    table = value.rename("rho").rename_axis(["first", "second"]).reset_index()
    return table.assign(low=ends[0], high=ends[1])


def agreement_by_kind(
    scores: Mapping[str, ArrayLike],
    kinds: Mapping[str, Sequence[tuple[str, str]]],
    *,
    questions: Mapping[str, Hashable] | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Median correlation of the pairs of scores of each kind: value, low and high as in `rank_agreement`, and null low and null high.

    The null lets the things change places in each score by itself: what scores give that have no order in common.
    """
    generator = np.random.default_rng(rng)
    value, drawn = _drawn_agreement(scores, questions, n_resamples, generator)
    means = np.array([np.asarray(of, float).mean(axis=1) for of in scores.values()])
    ranks = _centred_ranks(means)
    shuffled = pd.DataFrame(
        [
            [_product(one[None], other[None])[0] for one, other in combinations(mixed, 2)]
            for mixed in (generator.permuted(ranks, axis=1) for _ in range(n_resamples))
        ],
        columns=value.index,
    )
    rows = {}
    for kind, pairs in kinds.items():
        of = [pair if pair in value.index else pair[::-1] for pair in pairs]
        if of:
            ends = [side[of].median(axis=1).quantile([0.025, 0.975]) for side in (drawn, shuffled)]
            rows[kind] = value[of].median(), *ends[0], *ends[1]
    columns = ["value", "low", "high", "null low", "null high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float)


def agreement_of_draws(scores: Mapping[str, ArrayLike]) -> pd.DataFrame:
    """Spearman correlation of every two scores in each draw: scores (draws, n), a row a draw, a column two scores."""
    ranks = {name: _centred_ranks(real_numbers(name, of)) for name, of in scores.items()}
    with np.errstate(invalid="ignore", divide="ignore"):
        found = {(a, b): _product(ranks[a], ranks[b]) for a, b in combinations(ranks, 2)}
    return pd.DataFrame(found)


def _drawn_agreement(
    scores: Mapping[str, ArrayLike],
    questions: Mapping[str, Hashable] | None,
    n_resamples: int,
    rng: np.random.Generator | int | None,
) -> tuple[pd.Series[float], pd.DataFrame]:
    """Correlations of every two scores, and the same in each draw of things and questions, a column two scores."""
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
    once = agreement_of_draws({name: values[None] for name, values in means.items()})
    return once.iloc[0].rename("rho"), agreement_of_draws(drawn)


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
    null_low: float  # central 95 % of these scores' correlations
    null_high: float
    least: float  # the smallest p_random that so many random words allow
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
    p_random = null_low = null_high = least = float("nan")
    if null is not None and np.isfinite(found.rho):
        lots = real_numbers("null", null)
        if lots.ndim != 2 or lots.shape[1] != len(outside):
            raise ValueError(
                f"null: expected (draws, {len(outside)}) scores, got shape {lots.shape}"
            )
        real = table.mean(axis=1)[:, None] if alike is None else real_numbers("alike", alike)
        seen, once = (_orders(side[:, kept], outside[kept]) for side in (lots, real.T))
        p_random = p_of_draws(abs(once.mean()), np.abs(seen), tolerance=1e-12)
        null_low, null_high = map(float, np.quantile(seen, [0.025, 0.975]))
        least = 1 / (1 + len(seen))
    return Standing(
        gap=standardised_gap(table[kept].mean(axis=1), outside[kept] > middle),
        rho=found.rho,
        low=found.low,
        high=found.high,
        p=found.p,
        p_random=float(p_random),
        null_low=null_low,
        null_high=null_high,
        least=least,
        reliability=reliability,
        corrected=disattenuated(found.rho, reliability),
        n=found.n,
    )


def holm(p: ArrayLike) -> Floats:
    """P-values adjusted so that one false finding among all is as rare as the level says (Holm 1979); NaN stays and is not counted."""
    values = real_numbers("p", p)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    adjusted = np.full(len(values), np.nan)
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1) if len(order) else steps
    return adjusted


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
