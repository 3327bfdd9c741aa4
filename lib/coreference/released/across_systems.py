"""What holds over many systems: rank correlations in which relatives count as a block, and spreads."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.sums import p_of_draws, resampled_sums

Floats = NDArray[np.float64]


def blocked_rank_correlation(
    first: ArrayLike, second: ArrayLike, blocks: ArrayLike | None = None
) -> Floats:
    """Spearman's correlation over systems, with what systems of one block share taken out.

    Both are ranked over all systems; the mean rank of its block is taken from each rank, and the rest is
    correlated. Systems that are alone in their block add nothing. Without blocks it is Spearman's correlation.

    Parameters
    ----------
    first, second : array_like, shape (..., n)
        Two numbers of each of n systems; leading dimensions are draws.
    blocks : array_like, shape (n,), optional
        Labels, such as the kind of model.

    Returns
    -------
    ndarray, shape (...)
        From −1 to 1; nan where nothing varies.

    Raises
    ------
    ValueError
        For shapes that do not fit.

    Examples
    --------
    >>> float(blocked_rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]))
    0.8
    >>> float(blocked_rank_correlation([1, 2, 8, 9], [2, 1, 9, 8], blocks=list("aabb")))
    -1.0
    """
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
    """Two-sided p of `blocked_rank_correlation`: the second list is shuffled within each block.

    Parameters
    ----------
    first, second : array_like, shape (n,)
        Two numbers of each system.
    blocks : array_like, shape (n,), optional
        As in `blocked_rank_correlation`.
    n_resamples : int
        Shuffles.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    float
        (1 + shuffles that reach it) / (1 + shuffles); nan where nothing varies.

    Examples
    --------
    >>> blocked_permutation_p(range(8), range(8), n_resamples=999, rng=0)
    0.001
    """
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
    """The mean of a change on the rows that were treated, on all others, and the difference of the two.

    The others are the control group: what changes there has another cause than the treatment.

    Parameters
    ----------
    changes : array_like, shape (n,)
        Of each row, such as its loss after less its loss before.
    chosen : array_like of bool, shape (n,)
        Which rows were treated.
    clusters : array_like, shape (n,), optional
        Labels; rows of one label are drawn together.
    n_resamples : int
        Bootstrap draws; each keeps the number of rows (or clusters) of either kind.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Rows "treated", "control" and "difference"; columns value, low, high (95 %, percentile) and n.

    Raises
    ------
    ValueError
        Where all rows or none were treated, or as `lib.inference.sums.resampled_sums`.

    Examples
    --------
    >>> table = change_where([1, 2, 3, 0, 1, 0], [True] * 3 + [False] * 3, rng=0)
    >>> table["value"].round(2).to_dict()
    {'treated': 2.0, 'control': 0.33, 'difference': 1.67}
    """
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
