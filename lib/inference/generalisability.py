"""How far a mean score depends on the words, the templates and the pairs that happened to be asked: variance components,
generalisability, and intervals that keep items of one kind together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.association import effect_size

FACETS = ("word", "template", "pair")


def variance_components(scores: ArrayLike) -> pd.Series:
    """Variance of a score by word, template, pair of targets and their interactions.

    scores : (n, t, p), every word asked in every template with every pair, two or more of each.
    Returns seven components, which sum to the expected variance of a single score: word, template, pair,
    word × template, word × pair, template × pair, and word × template × pair, which holds the error too. Estimates below 0
    are set to 0. Raises ValueError for other shapes and for numbers that are not finite.
    Cronbach et al. (1972); expected mean squares of the crossed random design, Brennan (2001), chapter 3.
    """
    scores = np.asarray(scores, float)
    if scores.ndim != 3 or min(scores.shape) < 2:
        raise ValueError(
            f"scores: expected (words, templates, pairs), two or more of each, got shape {scores.shape}"
        )
    if not np.isfinite(scores).all():
        raise ValueError(
            "scores: expected finite numbers, got NaN or infinity; leave that word, template or pair out"
        )
    subsets = [subset for size in (1, 2, 3) for subset in combinations(range(3), size)]
    squares = {subset: _mean_square(scores, subset) for subset in subsets}
    components = {}
    for subset in sorted(subsets, key=len, reverse=True):
        above = {larger: value for larger, value in components.items() if set(subset) < set(larger)}
        weight = _cells(scores, subset)
        noise = sum(value * _cells(scores, larger) for larger, value in above.items())
        components[subset] = (squares[subset] - noise) / weight
    return pd.Series(
        {
            " × ".join(FACETS[axis] for axis in subset): max(components[subset], 0.0)
            for subset in subsets
        }
    )


def generalisability(components: pd.Series, templates: int, pairs: int) -> float:
    """Share of the variance of a word's mean score that would stay with other templates and other pairs.

    components : from `variance_components`; templates, pairs : how many the mean is over. Returns a share from 0 to 1 (NaN
    when nothing varies): the generalisability coefficient for the order of words, which no component without the word
    can change. Raises ValueError for counts below 1.
    Cronbach et al. (1972); Brennan (2001), equation 4.15 for two random facets.
    """
    if templates < 1 or pairs < 1:
        raise ValueError(f"expected 1 or more templates and pairs, got {templates!r} and {pairs!r}")
    error = (
        components["word × template"] / templates
        + components["word × pair"] / pairs
        + components["word × template × pair"] / (templates * pairs)
    )
    whole = components["word"] + error
    return float(components["word"] / whole) if whole > 0 else float("nan")


def clustered_share(
    leans: ArrayLike,
    rows: ArrayLike | None = None,
    columns: ArrayLike | None = None,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    rng=None,
) -> tuple[float, float, float]:
    """Share of cells that are true, with a bootstrap interval that draws whole clusters.

    leans : (n,) or (n, t) of True and False, items by templates; rows : (n,) labels, items of one label are drawn together
    (job titles by their head noun); columns : (t,) labels of the templates; None holds that side fixed.
    Returns (share, low, high); with both sides drawn the interval is cautious. Few clusters give too narrow ones.
    Raises ValueError when labels do not fit, neither side is drawn, or a side has fewer than two clusters.
    Cameron, Gelbach & Miller (2008) for clusters; Owen (2007) for two crossed sides.
    """
    leans = np.asarray(leans, float)
    leans = leans[:, None] if leans.ndim == 1 else leans
    if leans.ndim != 2 or not leans.size or not np.isin(leans, (0, 1)).all():
        raise ValueError(
            f"leans: expected True and False, (n,) or (n, templates), got shape {leans.shape}"
        )
    if rows is None and columns is None:
        raise ValueError(
            "expected labels for the rows, the columns or both, got neither; nothing would be drawn"
        )
    generator = np.random.default_rng(rng)
    by_row = _drawn("rows", rows, leans.shape[0], resamples, generator)
    by_column = _drawn("columns", columns, leans.shape[1], resamples, generator)
    again = ((by_row @ leans) * by_column).sum(axis=1) / (
        by_row.sum(axis=1) * by_column.sum(axis=1)
    )
    tail = (1 - level) / 2
    low, high = np.quantile(again, [tail, 1 - tail])
    return float(leans.mean()), float(low), float(high)


def effect_interval(
    x: ArrayLike,
    y: ArrayLike,
    *,
    ddof: int = 1,
    resamples: int = 2000,
    level: float = 0.95,
    rng=None,
) -> tuple[float, float]:
    """BCa bootstrap interval of the effect size of two lists of scores: how much it depends on the words chosen.

    x : (n_x,), y : (n_y,) scores; each list is resampled by itself; ddof as in `lib.association.effect_size`.
    Returns (low, high); what is said of coverage in `lib.association.effect_size_interval` holds here too.
    Raises ValueError as `effect_size`, or for fewer than three scores in a list. Efron (1987), through scipy.
    """
    x, y = np.asarray(x, float), np.asarray(y, float)
    effect_size(x, y, ddof)  # for its checks
    if min(len(x), len(y)) < 3:
        raise ValueError(
            f"expected three scores or more in each list to resample, got {len(x)} and {len(y)}"
        )

    def statistic(a, b, axis=-1):
        deviation = np.concatenate([a, b], axis=axis).std(axis=axis, ddof=ddof)
        return (a.mean(axis=axis) - b.mean(axis=axis)) / deviation

    found = stats.bootstrap(
        (x, y), statistic, n_resamples=resamples, confidence_level=level, method="BCa", rng=rng
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def _cells(scores: NDArray, subset: tuple[int, ...]) -> int:
    """How many scores each mean over everything but these axes is made of."""
    return int(np.prod([size for axis, size in enumerate(scores.shape) if axis not in subset]))


def _mean_square(scores: NDArray, subset: tuple[int, ...]) -> float:
    """Mean square of the interaction of these axes."""
    effect = np.zeros([size if axis in subset else 1 for axis, size in enumerate(scores.shape)])
    for size in range(len(subset) + 1):
        for part in combinations(subset, size):
            others = tuple(axis for axis in range(3) if axis not in part)
            effect = effect + (-1) ** (len(subset) - size) * scores.mean(axis=others, keepdims=True)
    freedom = np.prod([scores.shape[axis] - 1 for axis in subset])
    return float((effect**2).sum() * _cells(scores, subset) / freedom)


def _drawn(
    side: str, labels: ArrayLike | None, n: int, resamples: int, generator: np.random.Generator
) -> NDArray:
    """How often each item is in each draw, (resamples, n): clusters with replacement, or every item once."""
    if labels is None:
        return np.ones((resamples, n))
    if len(labels) != n:
        raise ValueError(f"{side}: expected {n} labels, one for each of them, got {len(labels)}")
    names, cluster = np.unique(np.asarray(labels), return_inverse=True)
    if len(names) < 2:
        raise ValueError(
            f"{side}: expected two clusters or more, got {len(names)}; nothing varies between one"
        )
    return generator.multinomial(len(names), np.full(len(names), 1 / len(names)), size=resamples)[
        :, cluster
    ].astype(float)
