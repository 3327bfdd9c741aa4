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
# A for B or B for A; a name where neither is right; NEITHER where a name is right
ERRORS = ("wrong name", "missed neither", "false neither")


class EqualisedOdds(NamedTuple):
    """Where the rates of the genders differ most; one test for all six, as the null takes the largest too."""

    difference: float  # absolute; 0 is equalised odds
    answer: str  # one of CLASSES
    rate: str  # one of RATES
    null_high: float  # 95th percentile with genders shuffled
    pvalue: float


def equalised_odds(
    predicted: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> EqualisedOdds:
    """Largest difference of a rate between the genders, over the classes, with its null (Hardt, Price and Srebro 2016)."""
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
    """Shares of rows with each of `ERRORS`, by gender, with bootstrap intervals and p with genders shuffled."""
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
    """A row a system: its F1 ratio beside the differences in errors that it adds up.

    `opposite` is the most that these cancel: the smaller of the sums of positive and of negative ones; `odds` is the
    difference of `equalised_odds`.
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
