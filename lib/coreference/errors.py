"""What kinds of errors a system makes for each gender, which a ratio of F1 adds up to one number."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.coreference.checks import checked_codes
from lib.coreference.terms import NEITHER, Floats, by_group
from lib.datasets.gap import CLASSES
from lib.inference.sums import resampled_sums, share_reaching, shuffled_sums

RATES = ("true positive", "false positive")
ERRORS = ("wrong name", "missed neither", "false neither")


class EqualisedOdds(NamedTuple):
    """Result of `equalised_odds`.

    Attributes
    ----------
    difference : float
        Largest absolute difference of a rate between the genders; 0 is equalised odds.
    answer, rate : str
        Where it is: one of `CLASSES`, one of `RATES`.
    null_high : float
        95th percentile of the largest difference with genders shuffled.
    pvalue : float
        Share of shuffles that reach it.
    """

    difference: float
    answer: str
    rate: str
    null_high: float
    pvalue: float


def rates_by_gender(
    predicted: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """True and false positive rates of A, B and NEITHER for each gender, and their differences.

    Parameters
    ----------
    predicted, answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    pages : array_like of shape (n,), optional
        Page of each row; drawn and shuffled together.
    n_resamples : int
        Draws of each kind.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Indexed by `answer` and `rate`: `masculine`, `feminine`, `difference` (feminine − masculine), its
        95 % bootstrap interval `low` to `high`, and the two-sided `pvalue` with genders shuffled.

    Raises
    ------
    ValueError
        For other codes, arrays that do not fit, or one gender only.

    References
    ----------
    Hardt, Price and Srebro (2016).

    Examples
    --------
    >>> answers = [0, 0, 1, 2] * 20
    >>> female = ([True] * 4 + [False] * 4) * 10
    >>> table = rates_by_gender([0, 0, 1, 2, 0, 1, 1, 0] * 10, answers, female, rng=0)
    >>> table.loc["A", ["masculine", "feminine", "difference"]]
                    masculine  feminine  difference
    rate
    true positive         0.5       1.0         0.5
    false positive        0.5       0.0        -0.5
    """
    terms = _rate_terms(predicted, answers)
    index = pd.MultiIndex.from_product([CLASSES, RATES], names=["answer", "rate"])
    return _by_gender(terms, female, index, pages, n_resamples, rng)


def equalised_odds(
    predicted: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> EqualisedOdds:
    """Largest difference between the genders in any true or false positive rate, and its chance level.

    One test for the six rates: the null takes the largest of them too.

    Parameters
    ----------
    predicted, answers, female, pages, n_resamples, rng
        As in `rates_by_gender`.

    Returns
    -------
    EqualisedOdds
        Difference, where it is, and the null.

    Raises
    ------
    ValueError
        As `rates_by_gender`.

    References
    ----------
    Hardt, Price and Srebro (2016); the difference is that of Fairlearn, class by class.

    Examples
    --------
    >>> female = ([True] * 4 + [False] * 4) * 10
    >>> said = [0, 0, 1, 2, 0, 0, 1, 0] * 10
    >>> found = equalised_odds(said, [0, 0, 1, 2] * 20, female, rng=0)
    >>> found.difference, found.answer, found.rate, found.pvalue < 0.01
    (1.0, 'NEITHER', 'true positive', True)
    """
    terms = _rate_terms(predicted, answers)
    difference = _sides(by_group(terms, female).sum(axis=0))[:, 2]
    feminine = shuffled_sums(terms, female, clusters=pages, n_resamples=n_resamples, rng=rng)
    null = np.abs(_sides(np.hstack([terms.sum(axis=0) - feminine, feminine]))[..., 2])
    largest = np.nanmax(null, axis=1)
    place = int(np.nanargmax(np.abs(difference)))
    observed = float(abs(difference[place]))
    return EqualisedOdds(
        observed,
        CLASSES[place // 2],
        RATES[place % 2],
        float(np.quantile(largest, 0.95)),
        float(share_reaching(observed, largest)),
    )


def error_types(
    predicted: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Shares of rows with each type of error, for each gender.

    "wrong name": A for B or B for A. "missed neither": a name where neither is right. "false
    neither": NEITHER where a name is right.

    Parameters
    ----------
    predicted, answers, female, pages, n_resamples, rng
        As in `rates_by_gender`.

    Returns
    -------
    DataFrame
        Indexed by type (`ERRORS`); columns as in `rates_by_gender`.

    Raises
    ------
    ValueError
        As `rates_by_gender`.

    Examples
    --------
    >>> female = ([True] * 4 + [False] * 4) * 10
    >>> table = error_types([0, 1, 1, 2, 0, 2, 1, 0] * 10, [0, 0, 1, 2] * 20, female, rng=0)
    >>> table[["masculine", "feminine", "difference"]]
                    masculine  feminine  difference
    wrong name           0.00      0.25        0.25
    missed neither       0.25      0.00       -0.25
    false neither        0.25      0.00       -0.25
    """
    said, truth = _checked(predicted, answers)
    wrong = said != truth
    types = [
        wrong & (said != NEITHER) & (truth != NEITHER),
        wrong & (truth == NEITHER),
        wrong & (said == NEITHER),
    ]
    everything = np.ones(len(said))
    terms = np.column_stack([column for one in types for column in (one, everything)])
    return _by_gender(terms.astype(float), female, pd.Index(ERRORS), pages, n_resamples, rng)


def opposite_errors(
    systems: Mapping[str, ArrayLike],
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Ratio of F1 beside the differences in errors that it adds up, for several systems.

    Parameters
    ----------
    systems : mapping of str to array_like of int, shape (n,)
        What each system says.
    answers, female, pages, n_resamples, rng
        As in `rates_by_gender`.

    Returns
    -------
    DataFrame
        A row a system: F1 `ratio` (feminine over masculine), differences of `ERRORS` in shares of rows
        (feminine − masculine), `opposite` (the most that they cancel: the smaller of the sums of positive and of
        negative ones), `odds` (the largest difference of `equalised_odds`), where it is (`answer`,
        `rate`) and its `pvalue`.

    Raises
    ------
    ValueError
        As `rates_by_gender`.

    Examples
    --------
    >>> female = ([True] * 4 + [False] * 4) * 10
    >>> systems = {"cancels": [1, 0, 1, 2, 0, 0, 1, 0] * 10}
    >>> table = opposite_errors(systems, [0, 0, 1, 2] * 20, female, rng=0)
    >>> table[["wrong name", "missed neither", "opposite", "odds"]].loc["cancels"].tolist()
    [0.25, -0.25, 0.25, 1.0]
    """
    generator = np.random.default_rng(rng)
    rows = {}
    for name, predicted in systems.items():
        said, truth = _checked(predicted, answers)
        types = error_types(said, truth, female, n_resamples=1, rng=generator)["difference"]
        odds = equalised_odds(
            said, truth, female, pages=pages, n_resamples=n_resamples, rng=generator
        )
        found = 2 * ((said == truth) & (truth != NEITHER))
        names = (said != NEITHER) * 1 + (truth != NEITHER)
        sums = by_group(np.column_stack([found, names]).astype(float), female).sum(axis=0)
        ratio = (sums[2] / sums[3]) / (sums[0] / sums[1])
        opposite = min(types.clip(lower=0).sum(), -types.clip(upper=0).sum())
        rows[name] = {"ratio": ratio, **types, "opposite": opposite, "odds": odds.difference}
        rows[name] |= {"answer": odds.answer, "rate": odds.rate, "pvalue": odds.pvalue}
    return pd.DataFrame.from_dict(rows, orient="index")


def _checked(predicted: ArrayLike, answers: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    truth = checked_codes("answers", answers)
    return checked_codes("predicted", predicted, like=truth), truth


def _rate_terms(predicted: ArrayLike, answers: ArrayLike) -> Floats:
    """For each class: said and true, true, said and not true, not true."""
    said, truth = _checked(predicted, answers)
    columns = []
    for code in range(len(CLASSES)):
        is_said, is_true = said == code, truth == code
        columns += [is_said & is_true, is_true, is_said & ~is_true, ~is_true]
    return np.column_stack(columns).astype(float)


def _sides(sums: Floats) -> Floats:
    """Rates of masculine and feminine rows and their difference, (..., rates, 3)."""
    with np.errstate(invalid="ignore"):
        masculine, feminine = (
            part[..., 0::2] / part[..., 1::2] for part in np.split(sums, 2, axis=-1)
        )
    return np.stack([masculine, feminine, feminine - masculine], axis=-1)


def _by_gender(
    terms: Floats,
    female: ArrayLike,
    index: pd.Index,
    pages: ArrayLike | None,
    n_resamples: int,
    rng: np.random.Generator | int | None,
) -> pd.DataFrame:
    """Rates (counted, out of how many: pairs of columns) by gender, with interval and null."""
    generator = np.random.default_rng(rng)
    grouped = by_group(terms, female)
    options = {"clusters": pages, "n_resamples": n_resamples, "rng": generator}
    values = _sides(grouped.sum(axis=0))
    draws = _sides(resampled_sums(grouped, strata=female, **options))[..., 2]
    feminine = shuffled_sums(terms, female, **options)
    null = _sides(np.hstack([terms.sum(axis=0) - feminine, feminine]))[..., 2]
    low, high = np.nanquantile(draws, [0.025, 0.975], axis=0)
    columns = {"masculine": values[:, 0], "feminine": values[:, 1], "difference": values[:, 2]}
    columns |= {"low": low, "high": high, "pvalue": share_reaching(values[:, 2], null)}
    return pd.DataFrame(columns, index)
