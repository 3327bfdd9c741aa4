"""Five masked models in nine Slavic languages: the authors' stored means and intervals, and what their orders have in common.

Translated sentences in the first person come in pairs, a man's and a woman's, that differ in one word, and a model says
which form it expects. The score of each of 35,422 pairs is released. What pair a score is of is told by one more file
(gender_variants.csv), which is over the size that this book's files keep to, so that no mean can be computed from the
scores here: means and intervals are those that the authors' notebook shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.datasets.gest import STEREOTYPES
from lib.paths import DATA
from lib.sources import fetch
from studies.stereotypes.order import median_agreement, rank_agreement, stereotype_means

Floats = NDArray[np.float64]
SUMMARY = DATA / "released" / "gest_slavic.csv"
PAIRS = 35422
# Models of one makers' data, and languages of one branch, count as one.
FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mBERT": ("bert-base-multilingual-cased",),
        "XLM-R": ("xlm-roberta-base", "xlm-roberta-large", "xlm-v-base", "xlm-roberta-xl"),
    }
)
BRANCHES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"East": ("be", "ru", "uk"), "South": ("hr", "sl", "sr"), "West": ("cs", "pl", "sk")}
)
SLAVIC_MODELS = tuple(model for models in FAMILIES.values() for model in models)
# A ratio of variances that stereotypes which mean nothing stay below in 39 of 40 cases
HIGHEST_BY_CHANCE = float(stats.chi2.ppf(0.975, len(STEREOTYPES) - 1)) / (len(STEREOTYPES) - 1)
_Z = 1.959963984540054  # half the width of a 95 % interval, in standard errors


def read_cells() -> pd.DataFrame:
    """The stored means and intervals, as logarithms. Come with the book.

    Returns
    -------
    DataFrame
        720 rows: model; language; stereotype, 1 to 16; mean, the mean score (log odds to base 10, positive is masculine);
        error, its standard error over pairs of sentences, by the width of the interval; printed, e to the mean.

    Examples
    --------
    >>> read_cells().query("model == 'xlm-v-base' and language == 'sk' and stereotype == 7")["printed"].tolist()
    [0.52]
    """
    table = pd.read_csv(SUMMARY)
    logs = np.log(table[["low", "mean", "high"]])
    error = (logs["high"] - logs["low"]) / (2 * _Z)
    found = table[["model", "language", "stereotype"]]
    return found.assign(mean=logs["mean"], error=error, printed=table["mean"])


def by_column(cells: pd.DataFrame, what: str) -> pd.DataFrame:
    """One quantity of `read_cells` as (16, 45): columns model and language, in the order of `FAMILIES` and `BRANCHES`."""
    wide = cells.pivot(index="stereotype", columns=["model", "language"], values=what)
    languages = [language for part in BRANCHES.values() for language in part]
    return wide[[(model, language) for model in SLAVIC_MODELS for language in languages]]


def branch_means(columns: pd.DataFrame) -> pd.DataFrame:
    """Means over the models of a family and the languages of a branch: (16, 45) -> (16, 6), columns family and branch.

    Of standard errors this is the error of the mean where all columns err alike, the largest that it can be.
    """
    return columns @ _weights(columns)


def _weights(columns: pd.DataFrame) -> pd.DataFrame:
    """What each column counts in the mean of each family and branch: (45, 6)."""
    found = pd.DataFrame(index=columns.columns)
    for family, models in FAMILIES.items():
        for branch, languages in BRANCHES.items():
            of_both = [model in models and language in languages for model, language in columns]
            found[family, branch] = np.array(of_both) / sum(of_both)
    return found.set_axis(pd.MultiIndex.from_tuples([*found], names=["family", "branch"]), axis=1)


def variance_ratio(means: pd.DataFrame, errors: pd.DataFrame) -> pd.Series:
    """Variance of the sixteen means over what the drawing of sentences gives: about 1 for stereotypes that mean nothing."""
    return means.var() / (errors**2).mean()


def agreement_at_least(means: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """Pearson's correlation of columns, once all that the drawing of sentences can add to it is taken away.

    As if the errors of two columns were one and the same: their product leaves the covariance, and each square its variance.
    NaN where a column differs by no more than its errors.
    """
    noise = np.sqrt((errors**2).mean())
    left = (means.var() - noise**2).where(lambda value: value > 0)
    covariance = means.cov() - np.outer(noise, noise)
    return covariance / np.sqrt(np.outer(left, left))


def drawn_agreement(
    means: pd.DataFrame,
    errors: pd.DataFrame,
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Mapping[str, Floats]:
    """What other sentences might have given: each cell moved by its own error, apart from the others.

    Of each family the median agreement of its branches, over all stereotypes and within women's and men's: (draws, 2).
    """
    generator = np.random.default_rng(rng)
    moved = generator.standard_normal((draws, *means.shape)) * errors.to_numpy()
    weights = _weights(means)
    tables = (means.to_numpy() + moved) @ weights.to_numpy()
    return {
        family: np.array(
            [median_agreement(table[:, weights.columns.get_loc(family)]) for table in tables]
        )
        for family in FAMILIES
    }


def model_agreement(means: ArrayLike) -> Floats:
    """Of five models in one language, columns (16, 5) as in `SLAVIC_MODELS`: agreement of the XLM-R models, and with mBERT.

    The first is the median rank correlation of two models of XLM-R, the second that of mBERT with their mean.
    """
    table = np.asarray(means, float)
    first, others = table[:, :1], table[:, 1:]
    square = rank_agreement(others)
    pairs = [square[a, b] for a, b in combinations(range(others.shape[1]), 2)]
    alone = rank_agreement(first, others.mean(axis=1, keepdims=True))
    return np.array([np.median(pairs), alone[0, 0]])


def read_pair_scores() -> pd.DataFrame:
    """What five models give each of the pairs. Needs the files `gest_data_predictions_slavic_mlm_*`.

    Returns
    -------
    DataFrame
        35,422 rows, columns as in `SLAVIC_MODELS`. Four translators one after the other, in each the languages, in each the
        sentences that make a pair; where one ends and another begins is not told.

    Raises
    ------
    ValueError
        For a file with another number of scores.
    FetchError
        Where a file is not at hand.
    """
    columns = {}
    for model in SLAVIC_MODELS:
        key = f"gest_data_predictions_slavic_mlm_{model.replace('-', '_')}"
        scores = [float(line) for line in fetch(key).read_text(encoding="utf-8").split()]
        if len(scores) != PAIRS:
            raise ValueError(f"{key}: expected {PAIRS} scores, got {len(scores)}; fetch it again")
        columns[model] = scores
    return pd.DataFrame(columns)


def dealt_agreement(
    scores: ArrayLike,
    *,
    stretch: int = 1000,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """`model_agreement` of sixteen groups of pairs that mean nothing: (n, 5) -> (draws, 2).

    Each draw takes `stretch` pairs that follow each other, which one translator made and mostly in one language, and deals
    them out into sixteen groups alike, for all models the same.
    """
    table = np.asarray(scores, float)
    generator = np.random.default_rng(rng)
    labels = np.arange(stretch) % len(STEREOTYPES) + 1
    found = np.empty((draws, 2))
    for draw in range(draws):
        start = generator.integers(len(table) - stretch + 1)
        means = stereotype_means(table[start : start + stretch], generator.permutation(labels))
        found[draw] = model_agreement(means)
    return found


def correlations_of_printed(cells: pd.DataFrame) -> pd.DataFrame:
    """Mean Pearson correlations of the stored figures, mBERT left out as the authors do: columns between, value, n."""
    table = by_column(cells, "printed")[list(FAMILIES["XLM-R"])]
    square = table.corr()
    pairs = {
        "models and languages": [*combinations(table, 2)],
        "models, same language": [(a, b) for a, b in combinations(table, 2) if a[1] == b[1]],
        "languages, same model": [(a, b) for a, b in combinations(table, 2) if a[0] == b[0]],
    }
    rows = [
        (between, float(np.mean([square.loc[a, b] for a, b in of_two])), len(of_two))
        for between, of_two in pairs.items()
    ]
    return pd.DataFrame(rows, columns=["between", "value", "n"])
