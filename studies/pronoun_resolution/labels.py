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
    """How many passages have each answer before and after, left it and came to it (Attree 2019, Table 2)."""
    old, new = _pair(before, after)
    changed = old != new
    columns = {"before": old, "moved out": old[changed], "added": new[changed], "after": new}
    counts = {name: np.bincount(values, minlength=len(CLASSES)) for name, values in columns.items()}
    return pd.DataFrame(counts, index=list(CLASSES))


def score_of_labels(before: ArrayLike, after: ArrayLike, female: ArrayLike) -> pd.Series:
    """F1 of the first labels by gender, with the second ones for the truth (Attree 2019, Table 3: human performance)."""
    old, new = _pair(before, after)
    feminine = np.asarray(female, dtype=bool)
    sides = {"masculine": ~feminine, "feminine": feminine, "overall": np.full(len(old), True)}
    scores = {name: gap_scores(old[rows], new[rows]).f1 for name, rows in sides.items()}
    return pd.Series(scores | {"ratio": scores["feminine"] / scores["masculine"]})


def overlap(changed: pd.DataFrame) -> pd.DataFrame:
    """How many passages were changed by exactly these teams (`value`), most teams first; `changed` has a column a team."""
    teams = list(changed)
    groups = [group for size in range(len(teams), 0, -1) for group in combinations(teams, size)]
    counts = {
        ", ".join(group): int((changed == [team in group for team in teams]).all(axis=1).sum())
        for group in groups
    }
    return pd.Series(counts, name="value").rename_axis("teams").to_frame()


def agreement_on_changes(
    changed: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Cohen's kappa of every two teams on whether a label is wrong, and Fleiss' of all, with 95 % intervals over passages."""
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
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])
    return table.rename_axis("teams")


def same_corrections(before: ArrayLike, answers: pd.DataFrame) -> pd.DataFrame:
    """Of the n labels that two teams changed, how many they changed to the same answer (`value`); chance gives about one half.

    >>> answers = pd.DataFrame({"x": ["B", "B", "B"], "y": ["B", "NEITHER", "A"]})
    >>> same_corrections(["A", "A", "B"], answers).to_dict("index")
    {'x and y': {'n': 2, 'value': 1}}
    """
    original = np.asarray(before)
    rows = {}
    for one, other in combinations(answers, 2):
        shared = answers[(answers[one] != original) & (answers[other] != original)]
        rows[f"{one} and {other}"] = len(shared), int((shared[one] == shared[other]).sum())
    return pd.DataFrame.from_dict(rows, orient="index", columns=["n", "value"]).rename_axis("teams")


def changes_by_gender(changed: pd.DataFrame, female: ArrayLike) -> pd.DataFrame:
    """Whether labels of feminine passages were changed more often, with Newcombe's interval of the difference (`value`) and Fisher's p."""
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
    columns = ["feminine", "masculine", "value", "low", "high", "p"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("team")


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
