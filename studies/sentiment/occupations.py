"""Which occupations are rated low: women's, or those that pay little? Statistics of the 20 occupations, and a regression."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from lib.datasets.winogender import read_occupation_shares
from lib.sources import fetch
from studies.sentiment.bhaskaran2019 import read_earnings

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
    """women (a share from 0 to 1), its source, and earnings (median dollars a week in 2018) of the paper's occupations in the US.

    Shares are those of the labour statistics of 2015 (Rudinger et al. 2018) or, where they lack the occupation, of the American
    Community Survey of 2012 as published by FiveThirtyEight (the nearest row, `CENSUS`); earnings those of the paper's Figure 2. NaN
    where nothing is known.
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
    """Result of `joint_regression`: a row a predictor, the correlation of the first two, and the number of complete rows.

    alone is Pearson's r with the outcome, joint the standardised slope beside the other predictors, with low and high of its 95 %
    interval, and p.
    """

    table: pd.DataFrame
    between: float
    n: int


def joint_regression(outcome: pd.Series, predictors: pd.DataFrame) -> Slopes:
    """Least squares of an outcome (n,) on several predictors (n, k) together, all in standard deviations."""
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
    """The smallest correlation that a two-sided test on n items finds in a share `power` of samples, by Fisher's z."""
    if n < 4 or not 0 < level < power < 1:
        raise ValueError(
            f"expected four items or more and 0 < level < power < 1; got {n}, {level} and {power}"
        )
    z = (stats.norm.isf(level / 2) + stats.norm.ppf(power)) / np.sqrt(n - 3)
    return float(np.tanh(z))
