"""How much gender a representation of texts holds, against what the occupation alone gives away.

Occupations differ in their shares of women. A probe that knows the occupation and nothing else beats the majority already, so that a number
above the majority does not yet say that the text tells gender. The null keeps the occupation and shuffles gender within it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from lib.inference.sums import share_reaching
from lib.text_classification.occupations.classifiers import fit


@dataclass(frozen=True, kw_only=True)
class Probed:
    """How often a probe names the gender of texts it was not taught on, with a Wilson interval of 95 % over texts.

    `majority` is the share of the more frequent gender, `occupation` what knowing the true occupation and nothing else gives; fair and the null
    (central 95 %) are of shuffles within occupations, pvalue is the share of these that reach the value, itself counted.
    """

    value: float
    low: float
    high: float
    majority: float
    occupation: float
    fair: float
    null_low: float
    null_high: float
    pvalue: float

    def as_row(self) -> dict[str, float]:
        """The numbers under the column names that tables of gaps have."""
        return {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "fair": self.fair,
            "null low": self.null_low,
            "null high": self.null_high,
            "p": self.pvalue,
            "majority": self.majority,
            "occupation": self.occupation,
        }


def probe_gender(
    features: ArrayLike,
    female: ArrayLike,
    occupation: ArrayLike,
    taught: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Probed:
    """Teach a logistic regression gender from a representation (n, d), and ask it about the texts that it was not taught.

    As in Prost et al. (2019), Section 6.1: the last representation before the logits, frozen. There accuracy is printed without a floor.
    """
    features, women = np.asarray(features), np.asarray(female, bool)
    jobs, taught = np.asarray(occupation), np.asarray(taught, bool)
    if not len(features) == len(women) == len(jobs) == len(taught) or taught.all():
        raise ValueError(
            "expected a row, a gender, an occupation and true or false for each text, and some texts "
            f"that were not taught; got {len(features)}, {len(women)}, {len(jobs)} and {len(taught)}, "
            f"of them {int(taught.sum())} taught"
        )
    named = fit(features[taught], women[taught]).predict(features[~taught])
    asked = women[~taught]
    cells = pd.crosstab(jobs[~taught], [asked, named]).reindex(
        columns=pd.MultiIndex.from_product([[False, True], [False, True]]), fill_value=0
    )
    men_as_men, men_as_women, women_as_men, women_as_women = cells.to_numpy().T
    n_women, n_men = women_as_men + women_as_women, men_as_men + men_as_women
    named_women = men_as_women + women_as_women
    drawn = np.random.default_rng(rng).hypergeometric(
        n_women, n_men, named_women, size=(n_resamples, len(cells))
    )
    null = (2 * drawn + n_men - named_women).sum(axis=1) / len(asked)
    right = int((named == asked).sum())
    interval = stats.binomtest(right, len(asked)).proportion_ci(method="wilson")
    null_low, null_high = np.quantile(null, [0.025, 0.975])
    value = right / len(asked)
    return Probed(
        value=value,
        low=float(interval.low),
        high=float(interval.high),
        majority=float(max(asked.mean(), 1 - asked.mean())),
        occupation=float(np.maximum(n_women, n_men).sum() / len(asked)),
        fair=float(null.mean()),
        null_low=float(null_low),
        null_high=float(null_high),
        pvalue=float(share_reaching([value], null[:, None])[0]),
    )
