"""Before anything is compared: are predictions better than chance at all, over all rows and for each side?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.measures.known_groups import separation

Floats = NDArray[np.float64]

FEWEST_ROWS = 20  # below which an interval over rows means little
FEWEST_SCORES = 8  # likewise, of scores, whose order tells more
PASSED, FAILED, UNTESTED = "passed", "failed", "untested"


@dataclass(frozen=True, eq=False)
class Gate:
    """Whether predictions are better than chance.

    Attributes
    ----------
    state : str
        PASSED where the interval over all rows lies above chance, FAILED where it does not, UNTESTED where the file
        does not say what is right.
    table : DataFrame
        A row for all and for each side: n, right (accuracy or AUC), chance, low and high (of right less chance).
    why : str
        In a sentence.
    what : str
        What is right in the table: "accuracy" or "AUC".
    """

    state: str
    table: pd.DataFrame
    why: str
    what: str = "accuracy"

    @property
    def passed(self) -> bool:
        """Whether what follows may be compared; also where it could not be tested."""
        return self.state != FAILED


def above_chance(counts: ArrayLike) -> tuple[Floats, Floats]:
    """Share of right answers, and the share that as many answers of each kind get when given blindly.

    Parameters
    ----------
    counts : array_like of shape (..., k, k)
        True by predicted class.

    Returns
    -------
    accuracy, chance : ndarray of shape (...)

    References
    ----------
    Cohen (1960): chance is the agreement of two raters who know nothing of one another.

    Examples
    --------
    >>> above_chance([[40, 10], [10, 40]])
    (array(0.8), array(0.5))
    """
    table = np.asarray(counts, float)
    n = table.sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        right = np.trace(table, axis1=-2, axis2=-1) / n
        blind = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / n**2
    return np.asarray(right), np.asarray(blind)


def gate_of_counts(counts: ArrayLike, drawn: ArrayLike, sides: tuple[str, str]) -> Gate:
    """The gate of answers in classes.

    Parameters
    ----------
    counts : array_like of shape (2, k, k)
        Second side (male), first side (female), by true by predicted class.
    drawn : array_like of shape (draws, 2, k, k)
        The same in bootstrap draws.
    sides : (str, str)
        What they are called, the first (female) first.

    Returns
    -------
    Gate
    """
    rows = {}
    for name, pick in (("all", [0, 1]), (sides[0], [1]), (sides[1], [0])):
        own = np.asarray(counts)[pick].sum(axis=0)
        right, chance = above_chance(own)
        of_draws = np.subtract(*above_chance(np.asarray(drawn)[:, pick].sum(axis=1)))
        low, high = np.nanquantile(of_draws, [0.025, 0.975])
        rows[name] = {"n": own.sum(), "right": right, "chance": chance, "low": low, "high": high}
    table = pd.DataFrame.from_dict(rows, orient="index").astype(float)
    whole = table.loc["all"]
    if whole["n"] < FEWEST_ROWS:
        return Gate(FAILED, table, f"{whole['n']:.0f} rows are there, {FEWEST_ROWS} are needed")
    if whole["low"] > 0:
        return Gate(PASSED, table, "more answers are right than chance gives")
    return Gate(FAILED, table, "no more answers are right than chance gives")


def gate_of_scores(
    score: ArrayLike,
    truth: ArrayLike,
    female: ArrayLike,
    sides: tuple[str, str],
    *,
    clusters: ArrayLike | None = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Gate:
    """The gate of scores: the chance (AUC) that a row whose truth is 1 scores above one whose truth is 0.

    Parameters
    ----------
    score : array_like of shape (n,)
    truth : array_like of 0 and 1, shape (n,)
    female : array_like of bool, shape (n,)
        Which rows are of the first side.
    sides : (str, str)
    clusters : array_like of shape (n,), optional
        Rows of one cluster, truth and side count once, with their mean; for all, both sides together.
    n_resamples, rng
        Of the bootstrap over rows.

    Returns
    -------
    Gate
    """
    generator = np.random.default_rng(rng)
    given = pd.DataFrame({"score": np.asarray(score, float), "right": np.asarray(truth) == 1})
    given = given.assign(female=np.asarray(female, bool))
    given["cluster"] = np.arange(len(given)) if clusters is None else np.asarray(clusters)
    parts = {"all": given, sides[0]: given[given["female"]], sides[1]: given[~given["female"]]}
    rows = {}
    for name, part in parts.items():
        means = part.groupby(["cluster", "right"])["score"].mean()
        both = [means[means.index.get_level_values("right") == side] for side in (True, False)]
        if not all(map(len, both)):
            rows[name] = dict.fromkeys(["right", "low", "high"], np.nan)
        else:
            columns = (side.to_numpy()[:, None] for side in both)
            found = separation(*columns, n_resamples=n_resamples, rng=generator)
            rows[name] = {"right": found.auc, "low": found.low - 0.5, "high": found.high - 0.5}
        rows[name] |= {"n": len(means), "chance": 0.5}
    table = pd.DataFrame.from_dict(rows, orient="index").astype(float)
    table = table[["n", "right", "chance", "low", "high"]]
    whole = table.loc["all"]
    if np.isnan(whole["right"]):
        return Gate(UNTESTED, table, "its truth is the same in all rows", "AUC")
    if whole["n"] < FEWEST_SCORES:
        return Gate(
            FAILED, table, f"{whole['n']:.0f} rows are there, {FEWEST_SCORES} are needed", "AUC"
        )
    if whole["low"] > 0:
        return Gate(PASSED, table, "scores tell what is true from what is not", "AUC")
    return Gate(FAILED, table, "scores do not tell what is true from what is not", "AUC")
