"""Whether probabilities mean what they say, for each gender: reliability, error, best temperature (Guo et al. 2017)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from statsmodels.stats.proportion import proportion_confint

from lib.coreference.checks import checked_female, checked_rows
from lib.coreference.terms import Floats, by_group
from lib.inference.sums import resampled_sums, share_reaching, shuffled_sums

TEMPERATURES = np.geomspace(1 / 8, 8, 97)
GROUPS = ("masculine", "feminine")


def reliability(
    probabilities: ArrayLike, answers: ArrayLike, female: ArrayLike, *, bins: int = 10
) -> pd.DataFrame:
    """How often the likeliest class is right, by gender and by bins of how likely it is said to be, with Wilson intervals."""
    confidence, right, place = _judged(probabilities, answers, bins)
    group = checked_female(female, len(right))
    rows = pd.DataFrame({"confidence": confidence, "right": right, "bin": place})
    rows["of"] = pd.Categorical(np.where(group, *GROUPS[::-1]), GROUPS)
    table = rows.groupby(["of", "bin"], observed=True).agg(
        rows=("right", "size"), confidence=("confidence", "mean"), right=("right", "mean")
    )
    counts = (table["right"] * table["rows"]).round()
    table["low"], table["high"] = proportion_confint(counts, table["rows"], method="wilson")
    return table


def calibration_by_gender(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    bins: int = 10,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Expected calibration error of each gender and feminine less masculine, with intervals and two nulls.

    `null_low` to `null_high` is with genders shuffled; `calibrated` is the mean error if every probability were right, against
    which `pvalue` tests a gender; that of the difference is against shuffled genders.
    """
    generator = np.random.default_rng(rng)
    terms = _error_terms(probabilities, answers, bins)
    grouped = by_group(terms, female)
    options = {"clusters": pages, "n_resamples": n_resamples, "rng": generator}
    draws = _with_difference(resampled_sums(grouped, strata=female, **options))
    feminine = shuffled_sums(terms, female, **options)
    null = _with_difference(np.hstack([terms.sum(axis=0) - feminine, feminine]))
    value = _with_difference(grouped.sum(axis=0))
    # a resample has a higher error than the rows it is drawn from: the quantiles are moved by that bias
    ends = np.quantile(draws, [0.025, 0.975], axis=0) - (draws.mean(axis=0) - value)
    ends[:, :2] = ends[:, :2].clip(0)
    chance = _calibrated_errors(probabilities, answers, female, bins, n_resamples, generator)
    nulls = np.column_stack([chance[:, :2], null[:, 2]])
    low, high = np.quantile(null, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "value": value,
            "low": ends[0],
            "high": ends[1],
            "null_low": low,
            "null_high": high,
            "calibrated": chance.mean(axis=0),
            "pvalue": share_reaching(value, nulls),
        },
        [*GROUPS, "difference"],
    )


def best_temperature(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The temperature with the lowest log loss, between 1/8 and 8, by gender, over all, and feminine over masculine.

    Above 1 the system is too sure; `loss` and `loss_after` are on the same rows.
    """
    generator = np.random.default_rng(rng)
    terms = _loss_by_temperature(probabilities, answers)
    grouped = by_group(terms, female)
    options = {"clusters": pages, "n_resamples": n_resamples, "rng": generator}
    value = _temperatures(grouped.sum(axis=0))
    draws = _temperatures(resampled_sums(grouped, strata=female, **options))
    feminine = shuffled_sums(terms, female, **options)
    null = _temperatures(np.hstack([terms.sum(axis=0) - feminine, feminine]))
    low, high = np.exp(np.quantile(draws, [0.025, 0.975], axis=0))
    group = checked_female(female, len(terms))
    masks = [~group, group, np.ones(len(group), bool)]
    now = int(np.argmin(np.abs(np.log(TEMPERATURES))))
    losses = [(terms[rows, now].mean(), terms[rows].mean(axis=0).min()) for rows in masks]
    before, after = zip(*losses, (np.nan, np.nan))
    pvalue = np.where([False, False, False, True], share_reaching(value, null), np.nan)
    columns = {"value": np.exp(value), "low": low, "high": high}
    columns |= {"loss": before, "loss_after": after, "pvalue": pvalue}
    return pd.DataFrame(columns, [*GROUPS, "overall", "ratio"])


def _judged(
    probabilities: ArrayLike, answers: ArrayLike, bins: int
) -> tuple[Floats, Floats, Floats]:
    """Confidence, right or not, and number of the bin, by row."""
    if bins < 2:
        raise ValueError(f"bins: expected two or more, got {bins}")
    rows, truth = checked_rows(probabilities, answers)
    confidence = rows.max(axis=1) / rows.sum(axis=1)
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    return confidence, rows.argmax(axis=1) == truth, place


def _error_terms(probabilities: ArrayLike, answers: ArrayLike, bins: int) -> Floats:
    """1, and in the column of its bin how far confidence is above 1 or 0."""
    confidence, right, place = _judged(probabilities, answers, bins)
    terms = np.zeros((len(right), bins + 1))
    terms[:, 0] = 1
    terms[np.arange(len(right)), place + 1] = confidence - right
    return terms


def _error_from(sums: Floats) -> Floats:
    return np.abs(sums[..., 1:]).sum(axis=-1) / sums[..., 0]


def _with_difference(sums: Floats) -> Floats:
    """Errors of masculine, feminine, and the second less the first, (..., 3)."""
    masculine, feminine = (_error_from(part) for part in np.split(sums, 2, axis=-1))
    return np.stack([masculine, feminine, feminine - masculine], axis=-1)


def _calibrated_errors(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    bins: int,
    draws: int,
    generator: np.random.Generator,
) -> Floats:
    """Errors, and their difference, of draws in which each row is right as often as it says."""
    confidence, right, place = _judged(probabilities, answers, bins)
    excess = confidence - (generator.random((draws, len(right))) < confidence)
    in_bin = by_group(np.eye(bins)[place], female)
    rows = in_bin.sum(axis=0).reshape(2, bins).sum(axis=1)
    errors = np.abs(excess @ in_bin).reshape(draws, 2, bins).sum(axis=2) / rows
    return np.column_stack([errors, errors[:, 1] - errors[:, 0]])


def _loss_by_temperature(probabilities: ArrayLike, answers: ArrayLike) -> Floats:
    """Loss of each row at each of `TEMPERATURES`."""
    rows, truth = checked_rows(probabilities, answers)
    shares = rows / rows.sum(axis=1, keepdims=True)
    logits = np.log(shares.clip(1e-15))[:, :, None] / TEMPERATURES
    logits -= logits.max(axis=1, keepdims=True)
    return np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(truth)), truth]


def _temperatures(sums: Floats) -> Floats:
    """Logarithms of the best temperature: masculine, feminine, overall, and their difference."""
    masculine, feminine = np.split(sums, 2, axis=-1)
    best = [_lowest(part) for part in (masculine, feminine, masculine + feminine)]
    return np.stack([*best, best[1] - best[0]], axis=-1)


def _lowest(losses: Floats) -> Floats:
    """Where a curve over the temperatures is lowest: the vertex of a parabola around its minimum."""
    at = losses.argmin(axis=-1, keepdims=True).clip(1, len(TEMPERATURES) - 2)
    before, lowest, after = (
        np.take_along_axis(losses, at + step, -1)[..., 0] for step in (-1, 0, 1)
    )
    bend = before - 2 * lowest + after
    shift = np.divide(before - after, 2 * bend, out=np.zeros_like(bend), where=bend > 0).clip(-1, 1)
    step = np.log(TEMPERATURES[1] / TEMPERATURES[0])
    return np.log(TEMPERATURES)[at[..., 0]] + shift * step
