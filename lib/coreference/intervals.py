"""Bootstrap intervals of log loss, accuracy, F1 by gender and their ratios, by row or by page."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.coreference.scores import SCORES
from lib.coreference.terms import SIDES, Floats, by_group, row_terms, sides_from
from lib.inference.sums import resampled_sums


def gender_draws(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Bootstrap draws of the three measures for each gender, overall, and of their ratio.

    Draws keep the number of rows of each gender, which GAP fixed by design. With pages they keep the
    number of pages with feminine pronouns only, with masculine ones only, and with both.

    Parameters
    ----------
    probabilities : array_like of shape (n, 3)
        Of A, B and NEITHER.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    pages : array_like of shape (n,), optional
        Page of each row; rows of a page are drawn together.
    n_resamples : int
        Draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (n_resamples, 3, 4)
        `SCORES` by `SIDES`.

    Raises
    ------
    ValueError
        For arrays that do not fit, NaN, or one gender only.

    Examples
    --------
    >>> shares = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.4, 0.3, 0.3], [0.7, 0.1, 0.2]] * 25
    >>> draws = gender_draws(shares, [0, 1, 1, 0] * 25, [True, False] * 50, rng=0)
    >>> draws.shape, round(float(np.median(draws[:, 1, 2])), 2)
    ((2000, 3, 4), 0.75)
    """
    terms = by_group(row_terms(probabilities, answers), female)
    sums = resampled_sums(terms, clusters=pages, strata=female, n_resamples=n_resamples, rng=rng)
    half = terms.shape[1] // 2
    return sides_from(sums[:, :half], sums[:, half:])


def gender_intervals(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The three measures for each gender, overall, and their ratio, with percentile intervals.

    Parameters
    ----------
    probabilities, answers, female, pages, n_resamples
        As in `gender_draws`.
    confidence_level : float
        Between 0 and 1.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Indexed by `measure` and `of` (`SIDES`): `value`, `low`, `high`.

    Raises
    ------
    ValueError
        As `gender_draws`, and for a level outside 0 to 1.

    Examples
    --------
    >>> shares = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.4, 0.3, 0.3], [0.7, 0.1, 0.2]] * 25
    >>> female = [True, True, False, False] * 25
    >>> table = gender_intervals(shares, [0, 1, 1, 0] * 25, female, rng=0)
    >>> table.loc["accuracy"].round(2)
               value   low  high
    of
    masculine   0.50  0.36  0.64
    feminine    1.00  1.00  1.00
    overall     0.75  0.68  0.82
    ratio       2.00  1.56  2.78
    """
    draws = gender_draws(
        probabilities, answers, female, pages=pages, n_resamples=n_resamples, rng=rng
    )
    return intervals_of_draws(
        probabilities, answers, female, draws, confidence_level=confidence_level
    )


def intervals_of_draws(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    draws: Floats,
    *,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """`gender_intervals` from draws that are at hand, for one who needs both.

    Parameters
    ----------
    probabilities, answers, female
        As in `gender_draws`.
    draws : ndarray of shape (n_resamples, 3, 4)
        What `gender_draws` gave for them.
    confidence_level : float
        Between 0 and 1.

    Returns
    -------
    DataFrame
        As `gender_intervals`.

    Raises
    ------
    ValueError
        As `gender_intervals`.

    Examples
    --------
    >>> rows = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1]] * 5, [0, 0] * 5, [True, False] * 5
    >>> draws = gender_draws(*rows, rng=0)
    >>> intervals_of_draws(*rows, draws).equals(gender_intervals(*rows, rng=0))
    True
    """
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )
    terms = by_group(row_terms(probabilities, answers), female)
    half = terms.shape[1] // 2
    values = sides_from(terms[:, :half].sum(axis=0), terms[:, half:].sum(axis=0))
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    index = pd.MultiIndex.from_product([SCORES, SIDES], names=["measure", "of"])
    columns = {"value": values.ravel(), "low": low.ravel(), "high": high.ravel()}
    return pd.DataFrame(columns, index)
