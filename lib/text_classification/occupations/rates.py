"""True-positive and true-negative rates by gender: their gaps, intervals, and a fair classifier's.

Everything follows from counts of shape (2, k, k): gender (male, female) by true occupation by
predicted one. Counts of blocks of a long file add up, and a draw of a bootstrap or of shuffled
genders is a draw of counts. Gaps are female minus male; the mean over occupations is of their sizes,
as in De-Arteaga et al. (2019) and Prost et al. (2019).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.inference.sums import share_reaching

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

MEAN_GAPS = ("TPR gap", "TNR gap")


def confusions(
    truth: ArrayLike,
    predicted: ArrayLike,
    female: ArrayLike,
    *,
    occupations: Sequence[object] | None = None,
) -> Counts:
    """How many texts of each gender have which true and which predicted occupation.

    Parameters
    ----------
    truth, predicted : array_like of shape (n,)
        Occupations, as codes or as names.
    female : array_like of bool, shape (n,)
        Whether the person of the text is a woman.
    occupations : sequence, optional
        All k occupations in the order of the result; by default those that occur, sorted.

    Returns
    -------
    ndarray of int, shape (2, k, k)
        Gender (male, female) by true by predicted occupation.

    Raises
    ------
    ValueError
        For no text, lists of different lengths, genders that are not true or false, or an
        occupation that is not among those given.

    Examples
    --------
    >>> confusions([0, 0, 1], [0, 1, 1], [True, False, True]).tolist()
    [[[0, 1], [0, 0]], [[1, 0], [0, 1]]]
    """
    truth, predicted, women = np.asarray(truth), np.asarray(predicted), np.asarray(female)
    if not truth.ndim == predicted.ndim == women.ndim == 1 or not (
        len(truth) == len(predicted) == len(women) > 0
    ):
        raise ValueError(
            "expected three lists of one length, a text or more; got shapes "
            f"{truth.shape}, {predicted.shape} and {women.shape}"
        )
    if women.dtype != bool:
        raise ValueError(
            f"female: expected true or false for each text, got {women.dtype}; "
            'compare first: genders == "female"'
        )
    if occupations is None:
        occupations = sorted({*truth.tolist(), *predicted.tolist()})
    codes = []
    for name, labels in (("truth", truth), ("predicted", predicted)):
        place = pd.Index(occupations).get_indexer(labels)
        if (place < 0).any():
            unknown = labels[place.argmin()].item()
            raise ValueError(
                f"{name}: expected one of the {len(occupations)} occupations, got {unknown!r}; "
                "add it to occupations or leave such texts out"
            )
        codes.append(place)
    k = len(occupations)
    cells = (women * k + codes[0]) * k + codes[1]
    return np.bincount(cells, minlength=2 * k * k).reshape(2, k, k)


def gaps(counts: ArrayLike) -> Floats:
    """True-positive and true-negative rate of women less that of men, for each occupation.

    Parameters
    ----------
    counts : array_like of shape (..., 2, k, k)
        As from `confusions`.

    Returns
    -------
    ndarray of shape (..., 2, k)
        TPR gaps and TNR gaps, NaN where a gender has no text to have a rate of.

    Examples
    --------
    >>> gaps([[[8, 2], [1, 9]], [[9, 1], [4, 6]]]).round(3).tolist()
    [[0.1, -0.3], [-0.3, 0.1]]
    """
    rates = _rates(_checked(counts))
    return np.asarray(rates[..., 1, :, :] - rates[..., 0, :, :])


def mean_gaps(counts: ArrayLike) -> Floats:
    """The mean size of the TPR gap and of the TNR gap over the occupations that have one.

    Parameters
    ----------
    counts : array_like of shape (..., 2, k, k)
        As from `confusions`.

    Returns
    -------
    ndarray of shape (..., 2)
        Mean absolute TPR gap and TNR gap, each occupation counted once.

    Raises
    ------
    ValueError
        Where no occupation has texts of both genders.

    References
    ----------
    Prost et al. (2019), Section 5.2.

    Examples
    --------
    >>> mean_gaps([[[8, 2], [1, 9]], [[9, 1], [4, 6]]]).round(3).tolist()
    [0.2, 0.2]
    """
    sizes = np.abs(gaps(counts))
    if np.isnan(sizes).all(axis=-1).any():
        raise ValueError(
            "expected an occupation with texts of both genders, got none; a gap needs women and men"
        )
    return np.asarray(np.nanmean(sizes, axis=-1))


def fair_draws(
    counts: ArrayLike, *, n_resamples: int = 2000, rng: np.random.Generator | int | None = None
) -> Counts:
    """Counts with the genders of the texts of each true occupation shuffled: a fair classifier's.

    What is predicted for a text then has nothing to do with gender but through the true
    occupation. The TNR gap is not zero on average: the two genders have other occupations, which
    are mistaken for others.

    Parameters
    ----------
    counts : array_like of int, shape (2, k, k)
        As from `confusions`.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of int, shape (n_resamples, 2, k, k)
        Texts of each true occupation and gender, and predictions of each true occupation, stay as
        many as they were.

    Examples
    --------
    >>> draws = fair_draws([[[8, 2], [1, 9]], [[9, 1], [4, 6]]], rng=0)
    >>> float(mean_gaps(draws)[:, 0].mean().round(2))
    0.15
    """
    table = _checked(counts, 3)
    generator = np.random.default_rng(rng)
    both = table.sum(axis=0)
    draws = np.empty((n_resamples, *table.shape), np.int64)
    for row, women in enumerate(table[1].sum(axis=1)):
        draws[:, 1, row] = generator.multivariate_hypergeometric(
            both[row], women, size=n_resamples, method="marginals"
        )
    draws[:, 0] = both - draws[:, 1]
    return draws


def bootstrap_draws(
    counts: ArrayLike, *, n_resamples: int = 2000, rng: np.random.Generator | int | None = None
) -> Counts:
    """Counts of other texts like these: drawn again within each true occupation and gender.

    Parameters
    ----------
    counts : array_like of int, shape (2, k, k)
        As from `confusions`.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of int, shape (n_resamples, 2, k, k)

    Examples
    --------
    >>> bootstrap_draws([[[8, 2], [1, 9]], [[9, 1], [4, 6]]], rng=0).sum(axis=-1)[0].tolist()
    [[10, 10], [10, 10]]
    """
    table = _checked(counts, 3)
    totals = table.sum(axis=-1)
    shares = table / np.maximum(totals, 1)[..., None]
    shares[totals == 0, 0] = 1  # nothing is drawn there
    generator = np.random.default_rng(rng)
    return generator.multinomial(totals, shares, size=(n_resamples, *totals.shape))


def gap_table(
    counts: ArrayLike,
    occupations: Sequence[object],
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The TPR and TNR of women and men in each occupation, gaps with intervals and a fair band.

    Parameters
    ----------
    counts : array_like of int, shape (2, k, k)
        As from `confusions`.
    occupations : sequence of length k
        Their names, in the same order.
    n_resamples : int
        Draws of the bootstrap, and of shuffled genders.
    confidence_level : float
        Of the interval and of the band.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        A row for each `rate` (TPR, TNR) and `occupation`: women and men, the texts that the rate is
        over; female and male, the rates; value, the gap; low and high, its percentile interval; null
        low and null high, where the gap of a fair classifier lies; p, two-sided, of shuffled
        genders.

    Raises
    ------
    ValueError
        For counts of another shape, as many names as there are not, or a level outside 0 to 1.

    Examples
    --------
    >>> table = gap_table([[[80, 20], [10, 90]], [[90, 10], [40, 60]]], ["nurse", "dj"], rng=0)
    >>> table.loc["TPR", ["female", "male", "value", "low", "high"]].round(2)
                female  male  value   low  high
    occupation
    nurse          0.9   0.8    0.1  0.01  0.20
    dj             0.6   0.9   -0.3 -0.41 -0.18
    """
    table = _checked(counts, 3)
    if len(occupations) != table.shape[-1]:
        raise ValueError(
            f"occupations: expected {table.shape[-1]} names, one for each row of counts; "
            f"got {len(occupations)}"
        )
    generator = np.random.default_rng(rng)
    tails = _tails(confidence_level)
    drawn = gaps(bootstrap_draws(table, n_resamples=n_resamples, rng=generator))
    null = gaps(fair_draws(table, n_resamples=n_resamples, rng=generator))
    low, high = np.quantile(drawn, tails, axis=0)
    null_low, null_high = np.quantile(null, tails, axis=0)
    value, rates, texts = gaps(table), _rates(table), table.sum(axis=-1)
    others = texts.sum(axis=-1, keepdims=True) - texts
    middle = null.mean(axis=0)
    columns = {
        "women": np.stack([texts[1], others[1]]),
        "men": np.stack([texts[0], others[0]]),
        "female": rates[1],
        "male": rates[0],
        "value": value,
        "low": low,
        "high": high,
        "null low": null_low,
        "null high": null_high,
        "p": share_reaching(np.abs(value - middle).ravel(), _flat(np.abs(null - middle))),
    }
    index = pd.MultiIndex.from_product([["TPR", "TNR"], occupations], names=["rate", "occupation"])
    frame = pd.DataFrame({name: np.ravel(values) for name, values in columns.items()}, index)
    frame.loc[frame["value"].isna(), "p"] = np.nan
    return frame


def gap_summary(
    counts: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Accuracy and the two mean gaps, with intervals, and what a fair classifier would show.

    A mean of sizes grows with noise: each draw of the bootstrap adds noise of its own to that of the
    texts. The interval is therefore turned round (basic bootstrap), which takes that off, and the
    fair mean stands beside the value, not zero.

    Parameters
    ----------
    counts : array_like of int, shape (2, k, k)
        As from `confusions`.
    n_resamples : int
        Draws of the bootstrap, and of shuffled genders.
    confidence_level : float
        Of the interval and of the band.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Rows accuracy, TPR gap, TNR gap; columns value, low, high, fair (the mean of a fair
        classifier), null low, null high and p: the share of shuffles with a gap as large. Accuracy
        has no null.

    Raises
    ------
    ValueError
        As `mean_gaps`, and for a level outside 0 to 1.

    Examples
    --------
    >>> gap_summary([[[80, 20], [10, 90]], [[90, 10], [40, 60]]], rng=0)[["value", "fair"]].round(2)
              value  fair
    accuracy    0.8   NaN
    TPR gap     0.2  0.04
    TNR gap     0.2  0.04
    """
    table = _checked(counts, 3)
    generator = np.random.default_rng(rng)
    tails = _tails(confidence_level)

    def numbers(drawn: Counts) -> Floats:
        right = np.trace(drawn.sum(axis=-3), axis1=-2, axis2=-1) / table.sum()
        return np.concatenate([right[..., None], mean_gaps(drawn)], axis=-1)

    value = numbers(table)
    drawn = numbers(bootstrap_draws(table, n_resamples=n_resamples, rng=generator))
    null = mean_gaps(fair_draws(table, n_resamples=n_resamples, rng=generator))
    high, low = 2 * value - np.quantile(drawn, tails, axis=0)
    none = [np.nan]
    columns = {
        "value": value,
        "low": np.maximum(low, 0),
        "high": np.minimum(high, 1),
        "fair": [*none, *null.mean(axis=0)],
        "null low": [*none, *np.quantile(null, tails[0], axis=0)],
        "null high": [*none, *np.quantile(null, tails[1], axis=0)],
        "p": [*none, *share_reaching(value[1:], null)],
    }
    return pd.DataFrame(columns, ["accuracy", *MEAN_GAPS])


def _rates(counts: Counts) -> Floats:
    """TPR and TNR (..., gender, rate, occupation)."""
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    of_class = counts.sum(axis=-1)
    others = of_class.sum(axis=-1, keepdims=True) - of_class
    false_positives = counts.sum(axis=-2) - hits
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([hits / of_class, 1 - false_positives / others], axis=-2)


def _checked(counts: ArrayLike, dimensions: int | None = None) -> Counts:
    table = np.asarray(counts)
    fits = table.ndim >= 3 and table.shape[-3] == 2 and table.shape[-2] == table.shape[-1]
    if not fits or dimensions not in (None, table.ndim) or table.dtype.kind not in "iu":
        raise ValueError(
            "counts: expected whole numbers, gender by true by predicted occupation, (2, k, k); "
            f"got {table.dtype} of shape {table.shape}; make them with confusions"
        )
    return table


def _tails(confidence_level: float) -> list[float]:
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )
    return [(1 - confidence_level) / 2, (1 + confidence_level) / 2]


def _flat(draws: Floats) -> Floats:
    return draws.reshape(len(draws), -1)
