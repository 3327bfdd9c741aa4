"""Systems beside one another: paired tests of two, places of a leaderboard, and ranks over many of which some are relatives."""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from lib.checks import real_numbers
from lib.coreference.checks import checked_codes
from lib.coreference.scores import SCORES
from lib.coreference.terms import SIDES, Floats, by_group, row_terms, sides_from
from lib.inference.sums import p_of_draws, resampled_sums, share_reaching, swapped_sums


class McNemar(NamedTuple):
    """Rows that one system alone has right, and the exact two-sided p."""

    only_first: int
    only_second: int
    pvalue: float


def mcnemar_test(first: ArrayLike, second: ArrayLike, answers: ArrayLike) -> McNemar:
    """Whether one of two systems is right more often, from the rows on which they differ (codes 0, 1, 2)."""
    truth = checked_codes("answers", answers)
    one = checked_codes("first", first, like=truth) == truth
    two = checked_codes("second", second, like=truth) == truth
    table = [[(one & two).sum(), (one & ~two).sum()], [(~one & two).sum(), (~one & ~two).sum()]]
    return McNemar(int(table[0][1]), int(table[1][0]), float(mcnemar(table, exact=True).pvalue))


def swap_test(
    first: ArrayLike,
    second: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """First less second system in each score and side, p from exchanging them in half of the rows or pages (Noreen 1989)."""
    arms = [by_group(row_terms(arm, answers), female) for arm in (first, second)]
    observed = [_sides(arm.sum(axis=0)) for arm in arms]
    swapped = swapped_sums(*arms, clusters=pages, n_resamples=n_resamples, rng=rng)
    difference = observed[0] - observed[1]
    pvalue = share_reaching(difference, _sides(swapped[0]) - _sides(swapped[1]))
    values = {"first": observed[0], "second": observed[1], "difference": difference}
    return pd.DataFrame(
        {name: table.ravel() for name, table in (values | {"pvalue": pvalue}).items()},
        pd.MultiIndex.from_product([SCORES, SIDES], names=["measure", "of"]),
    )


def paired_differences(
    systems: Mapping[str, ArrayLike],
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """First less second of each two systems, with paired bootstrap intervals: all see the same draws."""
    if len(systems) < 2:
        raise ValueError(f"systems: expected two or more to compare, got {len(systems)}")
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )
    terms = np.hstack([by_group(row_terms(each, answers), female) for each in systems.values()])
    sums = resampled_sums(terms, clusters=pages, strata=female, n_resamples=n_resamples, rng=rng)
    tail = (1 - confidence_level) / 2
    observed = [_sides(part) for part in np.split(terms.sum(axis=0), len(systems))]
    draws = [_sides(part) for part in np.split(sums, len(systems), axis=1)]
    tables = {}
    for (i, first), (j, second) in combinations(enumerate(systems), 2):
        low, high = np.quantile(draws[i] - draws[j], [tail, 1 - tail], axis=0)
        tables[first, second] = pd.DataFrame(
            {
                "difference": (observed[i] - observed[j]).ravel(),
                "low": low.ravel(),
                "high": high.ravel(),
            },
            pd.MultiIndex.from_product([SCORES, SIDES], names=["measure", "of"]),
        )
    return pd.concat(tables, names=["first", "second"])


def places_in_reach(losses: Mapping[str, float], resolution: float) -> pd.DataFrame:
    """A row a place, best first: how many others are within the resolution, and the nearest worse one that is not.

    >>> places_in_reach({"1": 0.13, "2": 0.17, "3": 0.18, "4": 0.24}, 0.03)
       loss  in_reach clear_of
    1  0.13         0        2
    2  0.17         1        4
    3  0.18         1        4
    4  0.24         0     None
    """
    if not resolution >= 0:
        raise ValueError(f"resolution: expected a number of 0 or more, got {resolution!r}")
    ordered = pd.Series(losses, dtype=float).sort_values()
    gaps = ordered.to_numpy() - ordered.to_numpy()[:, None]
    nearest = [
        next((name for name, gap in zip(ordered.index, row) if gap > resolution), None)
        for row in gaps
    ]
    return pd.DataFrame(
        {
            "loss": ordered,
            "in_reach": (np.abs(gaps) <= resolution).sum(axis=1) - 1,
            "clear_of": pd.Series(nearest, ordered.index, dtype=object),
        }
    )


def _sides(sums: Floats) -> Floats:
    """Measures by sides from sums of terms by group."""
    half = sums.shape[-1] // 2
    return sides_from(sums[..., :half], sums[..., half:])


def blocked_rank_correlation(
    first: ArrayLike, second: ArrayLike, blocks: ArrayLike | None = None
) -> Floats:
    """Spearman's correlation over systems (..., n) after each rank less the mean rank of its block; nan where nothing varies."""
    x, y = np.broadcast_arrays(real_numbers("first", first), real_numbers("second", second))
    labels = np.zeros(x.shape[-1]) if blocks is None else np.asarray(blocks)
    if labels.shape != x.shape[-1:]:
        raise ValueError(
            f"blocks: expected a label for each of {x.shape[-1]} systems, got shape {labels.shape}"
        )
    ranks = [_within(stats.rankdata(values, axis=-1), labels) for values in (x, y)]
    together = (ranks[0] * ranks[1]).sum(axis=-1)
    alone = np.sqrt((ranks[0] ** 2).sum(axis=-1) * (ranks[1] ** 2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(alone > 1e-9, together / alone, np.nan)


def blocked_permutation_p(
    first: ArrayLike,
    second: ArrayLike,
    blocks: ArrayLike | None = None,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> float:
    """Two-sided p of `blocked_rank_correlation`, the second list shuffled within each block; nan where nothing varies."""
    x, y = real_numbers("first", first), real_numbers("second", second)
    labels = np.zeros(len(x)) if blocks is None else np.asarray(blocks)
    observed = float(blocked_rank_correlation(x, y, labels))
    if np.isnan(observed):
        return observed
    generator = np.random.default_rng(rng)
    shuffled = np.tile(y, (n_resamples, 1))
    for label in np.unique(labels):
        inside = np.flatnonzero(labels == label)
        shuffled[:, inside] = generator.permuted(shuffled[:, inside], axis=1)
    null = blocked_rank_correlation(x, shuffled, labels)
    return p_of_draws(abs(observed), np.abs(null), tolerance=1e-12)


def _within(ranks: Floats, labels: NDArray[np.generic]) -> Floats:
    """Ranks less the mean of their block."""
    rest = ranks.copy()
    for label in np.unique(labels):
        inside = labels == label
        rest[..., inside] -= ranks[..., inside].mean(axis=-1, keepdims=True)
    return rest


def change_where(
    changes: ArrayLike,
    chosen: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Mean change of the treated rows, of all others, and the difference, with 95 % intervals."""
    values, treated = real_numbers("changes", changes), np.asarray(chosen, bool)
    if treated.all() or not treated.any():
        raise ValueError(
            f"chosen: expected treated rows and others; got {treated.sum()} of {len(treated)}"
        )
    terms = np.column_stack([treated, treated * values, ~treated, ~treated * values])
    draws = resampled_sums(
        terms, clusters=clusters, strata=treated, n_resamples=n_resamples, rng=rng
    )
    rows = []
    for sums in (terms.sum(axis=0)[None], draws):
        means = sums[:, [1, 3]] / sums[:, [0, 2]]
        rows.append(np.column_stack([means, means[:, 0] - means[:, 1]]))
    low, high = np.quantile(rows[1], [0.025, 0.975], axis=0)
    counts = [int(treated.sum()), int((~treated).sum()), len(treated)]
    table = {"value": rows[0][0], "low": low, "high": high, "n": counts}
    return pd.DataFrame(table, index=["treated", "control", "difference"])
