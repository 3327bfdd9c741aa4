"""Paired tests between systems, and a test of a system's bias ratio against shuffled genders."""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from statsmodels.stats.contingency_tables import mcnemar

from lib.coreference.checks import checked_codes
from lib.coreference.scores import SCORES
from lib.coreference.terms import (
    SIDES,
    Floats,
    by_group,
    row_terms,
    sides_from,
)
from lib.inference.sums import resampled_sums, share_reaching, shuffled_sums, swapped_sums


class McNemar(NamedTuple):
    """Result of `mcnemar_test`.

    Attributes
    ----------
    only_first, only_second : int
        Rows that one system alone has right.
    pvalue : float
        Exact, two-sided.
    """

    only_first: int
    only_second: int
    pvalue: float


def mcnemar_test(first: ArrayLike, second: ArrayLike, answers: ArrayLike) -> McNemar:
    """Whether one of two systems is right more often, from the rows on which they differ.

    Parameters
    ----------
    first, second : array_like of int, shape (n,)
        What each system says: 0, 1 or 2.
    answers : array_like of int, shape (n,)
        What is true.

    Returns
    -------
    McNemar
        Counts and exact p.

    Raises
    ------
    ValueError
        For other codes, or lists of different lengths.

    References
    ----------
    McNemar (1947), through `statsmodels.stats.contingency_tables.mcnemar`.

    Examples
    --------
    >>> mcnemar_test([0, 0, 1, 1, 2, 2], [0, 1, 2, 2, 0, 0], [0, 0, 1, 1, 2, 2])
    McNemar(only_first=5, only_second=0, pvalue=0.0625)
    """
    truth = checked_codes("answers", answers)
    one = checked_codes("first", first, like=truth) == truth
    two = checked_codes("second", second, like=truth) == truth
    table = [[(one & two).sum(), (one & ~two).sum()], [(~one & two).sum(), (~one & ~two).sum()]]
    return McNemar(int(table[0][1]), int(table[1][0]), float(mcnemar(table, exact=True).pvalue))


def swap_test(
    first: ArrayLike,
    second: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Whether two systems differ in a measure or a ratio by more than if it did not matter which is which.

    Parameters
    ----------
    first, second : array_like of shape (n, 3)
        Probabilities of A, B and NEITHER from each system, over the same rows.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    pages : array_like of shape (n,), optional
        Page of each row; the systems are exchanged on whole pages.
    n_resamples : int
        Draws: in each the systems are exchanged in half of the rows.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Indexed by `measure` and `of`: `first`, `second`, `difference` (first − second), two-sided
        `pvalue`.

    Raises
    ------
    ValueError
        For arrays that do not fit, NaN, or one gender only.

    References
    ----------
    Noreen (1989), approximate randomisation.

    Examples
    --------
    >>> sure, unsure = [[0.9, 0.05, 0.05]] * 20, [[0.5, 0.3, 0.2]] * 20
    >>> female = [True, False] * 10
    >>> test = swap_test(sure, unsure, [0] * 20, female, rng=0)
    >>> test.loc[("log loss", "overall")].round(4).tolist()
    [0.1054, 0.6931, -0.5878, 0.0005]
    """
    arms = [by_group(row_terms(arm, answers), female) for arm in (first, second)]
    observed = [_sides(arm.sum(axis=0)) for arm in arms]
    swapped = swapped_sums(*arms, clusters=pages, n_resamples=n_resamples, rng=rng)
    difference = observed[0] - observed[1]
    pvalue = share_reaching(difference, _sides(swapped[0]) - _sides(swapped[1]))
    values = {"first": observed[0], "second": observed[1], "difference": difference}
    return pd.DataFrame(
        {name: table.ravel() for name, table in (values | {"pvalue": pvalue}).items()},
        pd.MultiIndex.from_product([SCORES, SIDES], names=["measure", "of"]),
    )


def shuffled_gender_test(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The three bias ratios, and where they would be if the gender of pronouns did not matter.

    Parameters
    ----------
    probabilities : array_like of shape (n, 3)
        Of A, B and NEITHER.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    pages : array_like of shape (n,), optional
        Page of each row; genders are shuffled over whole pages.
    n_resamples : int
        Shuffles.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Indexed by `measure`: `ratio`, `null_low` and `null_high` (the middle 95 % of shuffles), and the
        two-sided `pvalue` of the logarithm of the ratio.

    Raises
    ------
    ValueError
        For arrays that do not fit, NaN, or one gender only.

    Examples
    --------
    >>> shares = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]] * 20
    >>> test = shuffled_gender_test(shares, [0] * 40, [True, False] * 20, rng=0)
    >>> test.loc["log loss", ["ratio", "pvalue"]].round(4).tolist()
    [7.2126, 0.0005]
    """
    terms = row_terms(probabilities, answers)
    observed = _sides(by_group(terms, female).sum(axis=0))[:, 3]
    feminine = shuffled_sums(terms, female, clusters=pages, n_resamples=n_resamples, rng=rng)
    null = sides_from(terms.sum(axis=0) - feminine, feminine)[..., 3]
    low, high = np.quantile(null, [0.025, 0.975], axis=0)
    with np.errstate(divide="ignore"):
        pvalue = share_reaching(np.log(observed), np.log(null))
    columns = {"ratio": observed, "null_low": low, "null_high": high, "pvalue": pvalue}
    return pd.DataFrame(columns, pd.Index(SCORES, name="measure"))


def paired_differences(
    systems: Mapping[str, ArrayLike],
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Differences between each two systems, with paired bootstrap intervals: all see the same draws.

    Parameters
    ----------
    systems : mapping of str to array_like of shape (n, 3)
        Probabilities of each system over the same rows; two systems or more.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine; each gender keeps its number of rows.
    pages : array_like of shape (n,), optional
        Page of each row; rows of a page are drawn together.
    n_resamples : int
        Draws.
    confidence_level : float
        Between 0 and 1, of each interval by itself.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        Indexed by `first`, `second`, `measure` and `of`: `difference` (first − second), `low`, `high`.

    Raises
    ------
    ValueError
        For fewer than two systems, arrays that do not fit, NaN, or one gender only.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> systems = {"sure": [[0.9, 0.05, 0.05]] * 20, "unsure": rng.dirichlet([5, 3, 2], 20)}
    >>> table = paired_differences(systems, [0] * 20, [True, False] * 10, rng=0)
    >>> table.loc[("sure", "unsure", "log loss", "overall")].round(2).tolist()
    [-0.56, -0.68, -0.44]
    """
    if len(systems) < 2:
        raise ValueError(f"systems: expected two or more to compare, got {len(systems)}")
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"confidence_level: expected a share between 0 and 1, got {confidence_level!r}"
        )
    terms = np.hstack([by_group(row_terms(each, answers), female) for each in systems.values()])
    sums = resampled_sums(terms, clusters=pages, strata=female, n_resamples=n_resamples, rng=rng)
    tail = (1 - confidence_level) / 2
    observed = [_sides(part) for part in np.split(terms.sum(axis=0), len(systems))]
    draws = [_sides(part) for part in np.split(sums, len(systems), axis=1)]
    tables = {}
    for (i, first), (j, second) in combinations(enumerate(systems), 2):
        low, high = np.quantile(draws[i] - draws[j], [tail, 1 - tail], axis=0)
        tables[first, second] = pd.DataFrame(
            {
                "difference": (observed[i] - observed[j]).ravel(),
                "low": low.ravel(),
                "high": high.ravel(),
            },
            pd.MultiIndex.from_product([SCORES, SIDES], names=["measure", "of"]),
        )
    return pd.concat(tables, names=["first", "second"])


def places_in_reach(losses: Mapping[str, float], resolution: float) -> pd.DataFrame:
    """Which places of a leaderboard are nearer to one another than a difference that can be seen.

    Parameters
    ----------
    losses : mapping of str to float
        Loss of each place.
    resolution : float
        Half the width of the interval of a difference between two such systems.

    Returns
    -------
    DataFrame
        A row a place, best first: `loss`, and the number of other places whose loss is within the
        `resolution`, as `in_reach`; `clear_of`, the nearest worse place that is not, or None.

    Raises
    ------
    ValueError
        For a resolution that is negative or NaN.

    Examples
    --------
    >>> places_in_reach({"1": 0.13, "2": 0.17, "3": 0.18, "4": 0.24}, 0.03)
       loss  in_reach clear_of
    1  0.13         0        2
    2  0.17         1        4
    3  0.18         1        4
    4  0.24         0     None
    """
    if not resolution >= 0:
        raise ValueError(f"resolution: expected a number of 0 or more, got {resolution!r}")
    ordered = pd.Series(losses, dtype=float).sort_values()
    gaps = ordered.to_numpy() - ordered.to_numpy()[:, None]
    nearest = [
        next((name for name, gap in zip(ordered.index, row) if gap > resolution), None)
        for row in gaps
    ]
    return pd.DataFrame(
        {
            "loss": ordered,
            "in_reach": (np.abs(gaps) <= resolution).sum(axis=1) - 1,
            "clear_of": pd.Series(nearest, ordered.index, dtype=object),
        }
    )


def _sides(sums: Floats) -> Floats:
    """Measures by sides from sums of terms by group."""
    half = sums.shape[-1] // 2
    return sides_from(sums[..., :half], sums[..., half:])
