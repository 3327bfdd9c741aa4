"""Correlations of a few studies as one, where studies may truly differ: the error by Student's t, and how often either interval holds the truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.grouped import pooled_correlation

STUDY = ("vectors", "method")
Floats = NDArray[np.float64]


def study_estimates(points: pd.DataFrame) -> pd.DataFrame:
    """Fisher's z and its variance for each study of `pooled_correlation`: a row for each kind of vectors and treatment with a cell of four points or more."""
    rows = {}
    for labels, part in points.assign(method=points["method"].fillna("")).groupby(
        list(STUDY), sort=False
    ):
        try:
            alone = pooled_correlation(part, study=STUDY, n_resamples=1, rng=0)
        except ValueError:  # no cell of four points that differ
            continue
        low, z, high = np.arctanh([alone.low, alone.r, alone.high])
        rows[labels] = z, ((high - low) / 2 / stats.norm.ppf(0.975)) ** 2
    index = pd.MultiIndex.from_tuples(rows, names=STUDY)
    return pd.DataFrame([*rows.values()], index, ["z", "variance"], dtype=float)


def pooled_by_t(z: ArrayLike, variances: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Correlation over studies and its 95 % interval, with random effects and Student's t (Hartung and Knapp; never narrower than the normal one's error).

    `z` is (k,) or (draws, k), two studies or more. With two studies t is 12.7: they say next to nothing about other studies.
    """
    mean, error, spread, k = _random_effects(z, variances)
    reach = stats.t.ppf(0.975, k - 1) * error * np.sqrt(np.maximum(spread, 1))
    return tuple(np.tanh([mean, mean - reach, mean + reach]))  # type: ignore[return-value]


def pooled_by_normal(z: ArrayLike, variances: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """As `pooled_by_t`, with the normal distribution, as `pooled_correlation` has it."""
    mean, error, _, _ = _random_effects(z, variances)
    reach = stats.norm.ppf(0.975) * error
    return tuple(np.tanh([mean, mean - reach, mean + reach]))  # type: ignore[return-value]


def share_covered(
    studies: int,
    systems: int,
    spread: float,
    *,
    draws: int = 4000,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """How often both intervals, normal and by t, hold the mean where the true z of studies has this standard deviation; each study has so many systems."""
    generator = np.random.default_rng(rng)
    variance = 1 / (systems - 3)
    z = generator.standard_normal((draws, studies)) * np.sqrt(spread**2 + variance)
    held = []
    for interval in (pooled_by_normal, pooled_by_t):
        _, low, high = interval(z, np.full(studies, variance))
        held.append(float(((low < 0) & (high > 0)).mean()))
    return held[0], held[1]


def _random_effects(z: ArrayLike, variances: ArrayLike) -> tuple[Floats, Floats, Floats, int]:
    """Mean, its error, weighted spread over k − 1, and k; the variance between studies is that of Paule and Mandel."""
    values, within = real_numbers("z", z), real_numbers("variances", variances)
    k = values.shape[-1]
    if k < 2 or within.shape != (k,) or not (within > 0).all():
        raise ValueError(
            f"expected two studies or more with a variance each, got z {values.shape} and variances {within.shape}"
        )
    low = np.zeros(values.shape[:-1])
    high = values.var(axis=-1, ddof=1)  # here the weighted spread is at most 1
    low_enough = _about_mean(values, within, low)[2] <= 1
    for _ in range(60):
        middle = (low + high) / 2
        too_small = _about_mean(values, within, middle)[2] > 1
        low, high = np.where(too_small, middle, low), np.where(too_small, high, middle)
    between = np.where(low_enough, 0, (low + high) / 2)
    return *_about_mean(values, within, between), k


def _about_mean(values: Floats, within: Floats, between: Floats) -> tuple[Floats, Floats, Floats]:
    weights = 1 / (within + between[..., None])
    total = weights.sum(axis=-1)
    mean = (weights * values).sum(axis=-1) / total
    spread = (weights * (values - mean[..., None]) ** 2).sum(axis=-1) / (values.shape[-1] - 1)
    return mean, 1 / np.sqrt(total), spread
