"""Which occupations are rated low: women's, or those that pay little? Statistics of the 20 occupations, and a regression."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.datasets.bhaskaran2019 import read_earnings
from lib.datasets.winogender import read_occupation_shares
from lib.sources import fetch

# Occupation -> row of the census table, for occupations that Winogender's table lacks.
CENSUS = {
    "pilot": "Airplane pilots and navigators",
    "writer": "Writers and authors",
    "dancer": "Dancers",
    "truck driver": "Truck, delivery, and tractor drivers",
    "flight attendant": "Public transportation attendants and inspectors",
    "soldier": "Military",
}


def occupation_statistics() -> pd.DataFrame:
    """Share of women and weekly earnings of the paper's occupations in the United States.

    Returns
    -------
    DataFrame
        By occupation: women (a share from 0 to 1), source ("labour statistics 2015" or "census 2012"; the row of the
        census is the nearest one, `CENSUS`), and earnings (median dollars a week in 2018). NaN where nothing is known.

    Raises
    ------
    FetchError
        Where a file is not at hand.

    References
    ----------
    Rudinger et al. (2018) for the labour statistics; the American Community Survey of 2012 as published by
    FiveThirtyEight; Bhaskaran and Bhallamudi (2019), Figure 2, for earnings.
    """
    earnings = read_earnings()
    employed = read_occupation_shares()["employed"].reindex(earnings.index) / 100
    census = pd.read_csv(fetch("occ_male_share_acs2012"), sep="\t", index_col=0).iloc[:, 0]
    rows = earnings.index.to_series().map(CENSUS)
    counted = 1 - rows.map(census) / 100
    source = np.where(employed.notna(), "labour statistics 2015", "census 2012")
    women = employed.fillna(counted)
    frame = {"women": women, "source": np.where(women.notna(), source, ""), "earnings": earnings}
    return pd.DataFrame(frame)


class Slopes(NamedTuple):
    """Result of `joint_regression`.

    Attributes
    ----------
    table : DataFrame
        By predictor: alone (Pearson's r with the outcome), joint (standardised slope beside the other predictors), low
        and high (95 % interval of it), p.
    between : float
        Correlation of the first two predictors.
    n : int
        Rows without a missing value.
    """

    table: pd.DataFrame
    between: float
    n: int


def joint_regression(outcome: pd.Series, predictors: pd.DataFrame) -> Slopes:
    """Least squares of an outcome on several predictors together, all in standard deviations.

    Parameters
    ----------
    outcome : Series, shape (n,)
        By item.
    predictors : DataFrame, shape (n, k)
        By the same items, two or more columns.

    Returns
    -------
    Slopes

    Raises
    ------
    ValueError
        Where too few items are left, or something does not vary.

    References
    ----------
    `statsmodels.api.OLS`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> known = pd.DataFrame(rng.normal(size=(200, 2)), columns=["women", "pay"])
    >>> slopes = joint_regression(known["pay"] + rng.normal(size=200), known)
    >>> (slopes.table["p"] < 0.001).tolist()
    [False, True]
    """
    import statsmodels.api as sm

    rows = predictors.assign(outcome=outcome).dropna()
    enough = len(rows) >= len(predictors.columns) + 3
    if predictors.shape[1] < 2 or not enough or not (rows.std() > 0).all():
        raise ValueError(
            f"predictors: expected two or more that vary over at least {predictors.shape[1] + 3} items; "
            f"got {predictors.shape[1]} over {len(rows)}"
        )
    scores = (rows - rows.mean()) / rows.std()
    fit = sm.OLS(scores["outcome"], sm.add_constant(scores[predictors.columns])).fit()
    ends = fit.conf_int()
    table = pd.DataFrame(
        {
            "alone": scores[predictors.columns].corrwith(scores["outcome"]),
            "joint": fit.params,
            "low": ends[0],
            "high": ends[1],
            "p": fit.pvalues,
        }
    ).loc[predictors.columns]
    between = float(scores[predictors.columns[0]].corr(scores[predictors.columns[1]]))
    return Slopes(table, between, len(rows))


def smallest_correlation(n: int, *, power: float = 0.8, level: float = 0.05) -> float:
    """The smallest correlation that a two-sided test on n items finds in a given share of samples.

    Parameters
    ----------
    n : int
        Items, four or more.
    power, level : float
        Share of samples in which it is found, and level of the test.

    Returns
    -------
    float
        From Fisher's z.

    Raises
    ------
    ValueError
        For fewer items, or shares outside 0 to 1.

    Examples
    --------
    >>> round(smallest_correlation(20), 2), round(smallest_correlation(200), 2)
    (0.59, 0.2)
    """
    if n < 4 or not 0 < level < power < 1:
        raise ValueError(
            f"expected four items or more and 0 < level < power < 1; got {n}, {level} and {power}"
        )
    z = (stats.norm.isf(level / 2) + stats.norm.ppf(power)) / np.sqrt(n - 3)
    return float(np.tanh(z))
