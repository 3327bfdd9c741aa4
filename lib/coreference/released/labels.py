"""Two sets of labels for the same passages: what moved, what the old ones score against the new, who agrees with whom."""

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from lib.agreement import direction_kappa, kappa_between_raters
from lib.coreference.predictions import codes
from lib.coreference.scores import gap_scores
from lib.datasets.gap import CLASSES
from lib.inference.bootstrap import word_interval


def moves(before: ArrayLike, after: ArrayLike) -> pd.DataFrame:
    """How many passages have each answer before and after a correction, and how many left it and came to it.

    Parameters
    ----------
    before, after : array_like of str, shape (n,)
        Answers among `lib.datasets.gap.CLASSES`.

    Returns
    -------
    DataFrame
        A row for each class; columns before, moved out, added, after. After is before − moved out + added.

    Raises
    ------
    ValueError
        For other answers, or lists of different length.

    References
    ----------
    Attree (2019), Table 2.

    Examples
    --------
    >>> moves(["A", "A", "B"], ["A", "NEITHER", "A"])
             before  moved out  added  after
    A             2          1      1      2
    B             1          1      0      0
    NEITHER       0          0      1      1
    """
    old, new = _pair(before, after)
    changed = old != new
    columns = {"before": old, "moved out": old[changed], "added": new[changed], "after": new}
    counts = {name: np.bincount(values, minlength=len(CLASSES)) for name, values in columns.items()}
    return pd.DataFrame(counts, index=list(CLASSES))


def score_of_labels(before: ArrayLike, after: ArrayLike, female: ArrayLike) -> pd.Series:
    """F1 of the first labels, as if they were the answers of a system, with the second ones for the truth.

    Parameters
    ----------
    before, after : array_like of str, shape (n,)
        Answers among `lib.datasets.gap.CLASSES`.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.

    Returns
    -------
    Series
        masculine, feminine, overall: F1 of the GAP scorer, from 0 to 1; ratio: feminine by masculine.

    Raises
    ------
    ValueError
        As `moves`.

    References
    ----------
    Attree (2019), Table 3, where it is the estimate of human performance.

    Examples
    --------
    >>> score_of_labels(["A", "B", "A", "B"], ["A", "A", "A", "B"], [True, True, False, False]).round(2).to_dict()
    {'masculine': 1.0, 'feminine': 0.5, 'overall': 0.75, 'ratio': 0.5}
    """
    old, new = _pair(before, after)
    feminine = np.asarray(female, dtype=bool)
    sides = {"masculine": ~feminine, "feminine": feminine, "overall": np.full(len(old), True)}
    scores = {name: gap_scores(old[rows], new[rows]).f1 for name, rows in sides.items()}
    return pd.Series(scores | {"ratio": scores["feminine"] / scores["masculine"]})


def overlap(changed: pd.DataFrame) -> pd.Series:
    """How many passages were changed by exactly these teams.

    Parameters
    ----------
    changed : DataFrame of bool
        A row for each passage, a column for each team.

    Returns
    -------
    Series of int
        Index: the teams joined by ", "; most teams first.

    Examples
    --------
    >>> overlap(pd.DataFrame({"a": [True, True, False], "b": [True, False, False]})).to_dict()
    {'a, b': 1, 'a': 1, 'b': 0}
    """
    teams = list(changed)
    groups = [group for size in range(len(teams), 0, -1) for group in combinations(teams, size)]
    return pd.Series(
        {
            ", ".join(group): int((changed == [team in group for team in teams]).all(axis=1).sum())
            for group in groups
        }
    )


def agreement_on_changes(
    changed: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Kappa of teams that each say of every passage whether its label is wrong.

    Parameters
    ----------
    changed : DataFrame of bool
        A row for each passage, a column for each of two teams or more.
    n_resamples : int
        Bootstrap draws of passages behind the interval.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        A row for every two teams (Cohen's kappa) and, of three or more, one for all of them (Fleiss' kappa); columns kappa,
        low and high (95 %, over passages). 0 is agreement by chance, 1 is complete.

    Raises
    ------
    ValueError
        For fewer than two teams.

    Examples
    --------
    >>> changed = pd.DataFrame({"a": [True, False, False, True] * 5, "b": [True, False, False, False] * 5})
    >>> agreement_on_changes(changed, n_resamples=100, rng=0)["kappa"]
    a and b    0.5
    Name: kappa, dtype: float64
    """
    if changed.shape[1] < 2:
        raise ValueError(f"changed: expected two teams or more, got {', '.join(changed) or 'none'}")
    rng = np.random.default_rng(rng)
    groups = [*combinations(changed, 2), *([tuple(changed)] if changed.shape[1] > 2 else [])]
    rows = {}
    for group in groups:
        signs = np.where(changed[list(group)], 1, -1)
        kappa = _fleiss if len(group) > 2 else _cohen
        ends = word_interval(kappa, signs, n_resamples=n_resamples, rng=rng)
        name = " and ".join(group) if len(group) == 2 else f"all {len(group)}"
        rows[name] = kappa(signs), *ends
    return pd.DataFrame.from_dict(rows, orient="index", columns=["kappa", "low", "high"])


def same_corrections(before: ArrayLike, answers: pd.DataFrame) -> pd.DataFrame:
    """Where two teams changed the same label, how often to the same answer.

    Parameters
    ----------
    before : array_like of str, shape (n,)
        The original answers.
    answers : DataFrame of str
        A row for each passage, a column for each team: the answers after its corrections.

    Returns
    -------
    DataFrame
        A row for every two teams; columns both (labels that both changed) and same (to the same answer). Two answers are
        left to choose from, so that chance gives about one half.

    Examples
    --------
    >>> same_corrections(["A", "A", "B"], pd.DataFrame({"x": ["B", "B", "B"], "y": ["B", "NEITHER", "A"]}))
             both  same
    x and y     2     1
    """
    original = np.asarray(before)
    rows = {}
    for one, other in combinations(answers, 2):
        shared = answers[(answers[one] != original) & (answers[other] != original)]
        rows[f"{one} and {other}"] = len(shared), int((shared[one] == shared[other]).sum())
    return pd.DataFrame.from_dict(rows, orient="index", columns=["both", "same"])


def changes_by_gender(changed: pd.DataFrame, female: ArrayLike) -> pd.DataFrame:
    """Whether the labels of passages with a feminine pronoun were changed more often.

    Parameters
    ----------
    changed : DataFrame of bool
        A row for each passage, a column for each team.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.

    Returns
    -------
    DataFrame
        A row for each team: feminine and masculine (how many were changed), difference (share of the feminine ones less
        share of the masculine ones) with its 95 % interval low to high (Newcombe), and p (Fisher's exact test, two-sided).

    Raises
    ------
    ValueError
        Where one gender has no passage, or the lengths differ.

    References
    ----------
    Newcombe (1998), method 10; Fisher (1935).

    Examples
    --------
    >>> changed = pd.DataFrame({"team": [True] * 4 + [False] * 16})
    >>> changes_by_gender(changed, [True] * 10 + [False] * 10).round(2).loc["team"].to_dict()
    {'feminine': 4.0, 'masculine': 0.0, 'difference': 0.4, 'low': 0.04, 'high': 0.69, 'p': 0.09}
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    feminine = np.asarray(female, dtype=bool)
    if len(feminine) != len(changed) or feminine.all() or not feminine.any():
        raise ValueError(
            f"female: expected a value for each of {len(changed)} passages, both genders among them; got {len(feminine)} "
            f"values, {int(feminine.sum())} of them feminine"
        )
    sizes = int(feminine.sum()), int((~feminine).sum())
    rows = {}
    for team in changed:
        counts = int(changed.loc[feminine, team].sum()), int(changed.loc[~feminine, team].sum())
        low, high = confint_proportions_2indep(
            counts[0], sizes[0], counts[1], sizes[1], compare="diff", method="newcomb"
        )
        table = [[count, size - count] for count, size in zip(counts, sizes)]
        p = stats.fisher_exact(table).pvalue
        rows[team] = *counts, counts[0] / sizes[0] - counts[1] / sizes[1], low, high, p
    columns = ["feminine", "masculine", "difference", "low", "high", "p"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _cohen(signs: np.ndarray) -> float:
    return float(kappa_between_raters(signs)[0, 1])


def _fleiss(signs: np.ndarray) -> float:
    return direction_kappa(signs)


def _pair(before: ArrayLike, after: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    old, new = codes(np.asarray(before)), codes(np.asarray(after))
    if len(old) != len(new):
        raise ValueError(
            f"expected an answer before and after for each passage; got {len(old)} and {len(new)}"
        )
    return old, new
