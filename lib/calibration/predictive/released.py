"""Correlations over the released points of Goldfarb-Tarrant et al. (2021), cell by cell and pooled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from statsmodels.stats.meta_analysis import combine_effects

from lib.inference.correlation import correlation
from lib.inference.sums import p_of_draws

CELL = ["vectors", "method", "test", "metric"]
SAME = 3  # decimals to which effects are one
FEWEST = 4  # points of a cell

Floats = NDArray[np.float64]


def cell_correlations(
    points: pd.DataFrame, *, bound: float = 0.5, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Every correlation of effect and gap, with what its points can say.

    Parameters
    ----------
    points : DataFrame
        As from `lib.datasets.goldfarb_tarrant2021.read_points`.
    bound : float
        The smallest correlation that would matter.
    rng : Generator or int, optional
        For permutations of more than nine points.

    Returns
    -------
    DataFrame
        A row for each cell of vectors, method ("" where none is given), test and metric with four points or more
        and effects and gaps that differ: `r`, `low`, `high`, `p`, `without low` and `without high` (r without any
        one point; NaN where that leaves a constant), `equivalence p`, `verdict`, `n`, `heap` (how many points share one
        effect to three decimals) and `copied` (points whose effect is a copy).

    Examples
    --------
    >>> points = pd.DataFrame(dict(vectors="a", method=None, test="6", metric="Recall", copied=False,
    ...     effect=[0, 0, 0, 1], gap=[1, 2, 3, 9]))
    >>> cell_correlations(points)[["r", "n", "heap"]].round(2).to_numpy().tolist()
    [[0.97, 4.0, 3.0]]
    """
    rows = []
    filled = points.assign(method=points["method"].fillna(""))
    for labels, cell in filled.groupby(CELL, sort=False):
        if len(cell) < FEWEST or min(np.ptp(cell["effect"]), np.ptp(cell["gap"])) == 0:
            continue
        c = correlation(cell["effect"], cell["gap"], bound=bound, rng=rng)
        rows.append(
            dict(zip(CELL, labels))
            | {
                "r": c.r,
                "low": c.low,
                "high": c.high,
                "p": c.pvalue,
                "without low": c.without_one[0],
                "without high": c.without_one[1],
                "equivalence p": c.equivalence_pvalue,
                "verdict": c.verdict,
                "n": c.n,
                "heap": int(cell["effect"].round(SAME).value_counts().max()),
                "copied": int(cell["copied"].sum()),
            }
        )
    return pd.DataFrame(rows)


def without_copies(points: pd.DataFrame) -> pd.DataFrame:
    """The points without the columns of effects that are copies.

    Parameters
    ----------
    points : DataFrame
        As from `lib.datasets.goldfarb_tarrant2021.read_points`.

    Returns
    -------
    DataFrame
        Without every kind of vectors and test in which two effects or more are copies, the rest of that column included.

    Examples
    --------
    >>> points = pd.DataFrame(dict(vectors="b", test=["6", "8", "8", "8"], copied=[False, True, True, False]))
    >>> without_copies(points)["test"].tolist()
    ['6']
    """
    copies = points.groupby(["vectors", "test"])["copied"].transform("sum")
    return points[copies < 2]


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """Result of `pooled_correlation`.

    Attributes
    ----------
    r, low, high : float
        Correlation and its 95 % interval.
    pvalue : float
        Two-sided, by permutation of the systems' gaps within each study, the same in all cells.
    cells, studies : int
        What was pooled, and how many of these share no system.
    """

    r: float
    low: float
    high: float
    pvalue: float
    cells: int
    studies: int


def pooled_correlation(
    points: pd.DataFrame,
    *,
    study: tuple[str, ...] = ("vectors", "method"),
    n_resamples: int = 1999,
    rng: np.random.Generator | int | None = None,
) -> Pooled:
    """One correlation over cells that share their systems.

    Parameters
    ----------
    points : DataFrame
        As from `lib.datasets.goldfarb_tarrant2021.read_points`, without what is to be left out (copied effects).
    study : tuple of str
        The columns that part the systems: no system is in two studies.
    n_resamples : int
        Permutations.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    Pooled

    Raises
    ------
    ValueError
        Where no study has a cell of four points or more.

    Notes
    -----
    Tests and metrics reuse the same systems, and the gap of a system is one number in all tests. So the cells of a
    study (Fisher's z, averaged) count as one correlation of its systems, which is exact where they say the same and cautious
    elsewhere; studies are then pooled with random effects. A mixed model with an intercept for each system
    cannot be had: within a system and metric the gap does not vary.

    References
    ----------
    Paule and Mandel (1982), as in statsmodels.
    """
    rng = np.random.default_rng(rng)
    filled = points.assign(method=points["method"].fillna(""))
    designs = [
        design
        for _, part in filled.groupby(list(study), sort=False)
        if (design := _design(part)) is not None
    ]
    if not designs:
        raise ValueError("points: expected a cell of four points or more that differ, got none")
    variances = np.array([1 / (design[0].shape[1] - 3) for design in designs])
    effects = np.array([_mean_z(*design) for design in designs])
    value, low, high = _combined(effects, variances)
    null = np.empty(n_resamples)
    weights = 1 / variances
    for draw in range(n_resamples):
        shuffled = [_mean_z(x, y[:, rng.permutation(y.shape[1])]) for x, y in designs]
        null[draw] = np.average(shuffled, weights=weights)
    observed = abs(np.average(effects, weights=weights))
    return Pooled(
        r=float(np.tanh(value)),
        low=float(np.tanh(low)),
        high=float(np.tanh(high)),
        pvalue=p_of_draws(observed, np.abs(null), tolerance=1e-12),
        cells=sum(len(design[0]) for design in designs),
        studies=len(designs),
    )


def _design(part: pd.DataFrame) -> tuple[Floats, Floats] | None:
    """Effects and gaps (cells, systems) of a study whose cells all have the same systems."""
    index = ["test", "metric"]
    x = part.pivot_table(index=index, columns="number", values="effect")
    y = part.pivot_table(index=index, columns="number", values="gap")
    x, y = x.dropna(axis=1), y.dropna(axis=1)
    varies = (np.ptp(x.to_numpy(), axis=1) > 0) & (np.ptp(y.to_numpy(), axis=1) > 0)
    if x.shape[1] < FEWEST or not varies.any():
        return None
    return x.to_numpy()[varies], y.to_numpy()[varies]


def _mean_z(x: Floats, y: Floats) -> float:
    """The mean over cells of Fisher's z."""
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    r = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return float(np.arctanh(np.clip(r, -0.999999, 0.999999)).mean())


def _combined(effects: Floats, variances: Floats) -> tuple[float, float, float]:
    """Effect and interval over studies, with random effects where there are two or more."""
    if len(effects) == 1:
        reach = 1.959964 * np.sqrt(variances[0])
        return effects[0], effects[0] - reach, effects[0] + reach
    # Paule and Mandel's variance between studies cannot fall below none
    with np.errstate(divide="ignore"):  # its I² of studies that agree wholly, which is not used
        result = combine_effects(effects, variances, method_re="iterated")
    row = result.summary_frame().loc["random effect"]
    return float(row["eff"]), float(row["ci_low"]), float(row["ci_upp"])
