"""What sentences that differ in one pronoun say about a resolver: accuracy, consistency, gaps, leans.

Tables are those of `lib.datasets.winobias`, `winogender`, `winopron` and `lib.coreference.schemas.templates`. Templates of
one cluster share people or words, so clusters are what intervals draw and what tests flip or shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import one_of, real_numbers
from lib.coreference.predictions import codes
from lib.inference.bootstrap import bca_interval, clustered_share
from lib.inference.sums import p_of_draws

Rng = np.random.Generator | int | None


@dataclass(frozen=True)
class Gap:
    """A mean difference between two sides of the same sentences.

    Attributes
    ----------
    value, low, high : float
        First side less second, with a percentile bootstrap interval over clusters.
    pvalue : float
        Two-sided: how often a difference is as large when the two sides of each cluster are exchanged at random.
    n, clusters : int
        Sentences on each side, and clusters.
    """

    value: float
    low: float
    high: float
    pvalue: float
    n: int
    clusters: int


@dataclass(frozen=True)
class Consistency:
    """Whether a resolver says the same of every pronoun of a template.

    Attributes
    ----------
    same, low, high : float
        Share of templates with one answer for all pronouns, with a bootstrap interval over clusters.
    chance : float
        The share to expect if answers, as frequent as they are for each pronoun, fell on templates at random.
    right : float
        Share of templates with the right answer for all pronouns.
    n : int
        Templates.
    """

    same: float
    low: float
    high: float
    chance: float
    right: float
    n: int


@dataclass(frozen=True)
class Correlation:
    """A rank correlation over things such as occupations or texts.

    Attributes
    ----------
    value, low, high : float
        Spearman's, with a BCa bootstrap interval over the things.
    pvalue : float
        Two-sided: how often shuffled things correlate as much.
    null_low, null_high : float
        Where 95 % of the shuffled correlations are.
    n : int
        Things.
    """

    value: float
    low: float
    high: float
    pvalue: float
    null_low: float
    null_high: float
    n: int


def decisions(probabilities: ArrayLike, *, neither: bool = True) -> NDArray[np.intp]:
    """The likeliest answer of each row: 0 for A, 1 for B, 2 for NEITHER.

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
    neither : bool
        Without it the choice is between A and B, as in sentences that always mean one of them.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        For another shape.

    Examples
    --------
    >>> decisions([[0.3, 0.2, 0.5]]), decisions([[0.3, 0.2, 0.5]], neither=False)
    (array([2]), array([0]))
    """
    rows = real_numbers("probabilities", probabilities)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"expected probabilities of shape (n, 3), got {rows.shape}")
    return rows[:, : 3 if neither else 2].argmax(axis=1)


def is_right(
    table: pd.DataFrame, probabilities: ArrayLike, *, neither: bool = True
) -> NDArray[np.bool_]:
    """Whether the likeliest answer is the true one.

    Parameters
    ----------
    table : DataFrame
        n rows with `answer`.
    probabilities : array_like, shape (n, 3)
    neither : bool
        As in `decisions`.

    Returns
    -------
    ndarray of bool, shape (n,)

    Raises
    ------
    ValueError
        For probabilities of another number of rows.
    """
    chosen = decisions(probabilities, neither=neither)
    if len(chosen) != len(table):
        raise ValueError(f"expected {len(table)} rows of probabilities, got {len(chosen)}")
    return chosen == codes(table["answer"])


def accuracy_by(
    table: pd.DataFrame,
    right: ArrayLike,
    by: Sequence[str],
    *,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> pd.DataFrame:
    """Accuracy in groups of sentences, with two intervals.

    Parameters
    ----------
    table : DataFrame
        n sentences with `cluster` and the columns of `by`.
    right : array_like of bool, shape (n,)
    by : sequence of str
        Columns that make the groups, such as pronouns, case and answer.
    n_resamples : int
        Bootstrap draws of clusters.
    rng : Generator or int, optional

    Returns
    -------
    DataFrame
        Indexed by group: accuracy; low, high (bootstrap over clusters); wilson low, wilson high (as if sentences were
        independent; it has a width also where all are right); n; clusters.

    Raises
    ------
    KeyError
        For a column that is not there.

    References
    ----------
    Wilson (1927), through `scipy.stats.binomtest`.

    Examples
    --------
    >>> table = pd.DataFrame({"case": ["a", "a", "b", "b"], "cluster": [1, 2, 1, 2]})
    >>> accuracy_by(table, [True, False, True, True], ["case"], rng=0)["accuracy"].to_dict()
    {'a': 0.5, 'b': 1.0}
    """
    rows = {}
    for group, held in table.assign(right=np.asarray(right, bool)).groupby(list(by), sort=False):
        k, n = int(held["right"].sum()), len(held)
        share, low, high = clustered_share(
            held["right"], rows=held["cluster"].astype(str), n_resamples=n_resamples, rng=rng
        )
        wilson = stats.binomtest(k, n).proportion_ci(method="wilson")
        row = {"accuracy": share, "low": low, "high": high}
        row |= {"wilson low": wilson.low, "wilson high": wilson.high}
        rows[group if len(by) > 1 else group[0]] = row | {
            "n": n,
            "clusters": held["cluster"].nunique(),
        }
    frame = pd.DataFrame(rows).T.astype({"n": int, "clusters": int})
    return frame.rename_axis(index=list(by))


def consistency(
    table: pd.DataFrame,
    chosen: ArrayLike,
    pronouns: Sequence[str],
    *,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Consistency:
    """How often a template gets one answer whatever its pronoun.

    Parameters
    ----------
    table : DataFrame
        n sentences: template, cluster, pronouns, answer.
    chosen : array_like of int, shape (n,)
        From `decisions`.
    pronouns : sequence of str
        Two pronoun sets or more; each has every template.
    n_resamples, rng
        As in `accuracy_by`.

    Returns
    -------
    Consistency

    Raises
    ------
    ValueError
        For one pronoun set, or templates without all of them.

    Examples
    --------
    >>> table = pd.DataFrame({"template": [1, 1, 2, 2], "cluster": [1, 1, 2, 2], "pronouns": ["he", "she"] * 2})
    >>> found = consistency(table.assign(answer=["A", "A", "B", "B"]), [0, 0, 1, 0], ["he", "she"], rng=0)
    >>> found.same, found.chance, found.right
    (0.5, 0.5, 0.5)
    """
    if len(pronouns) < 2:
        raise ValueError(f"expected two pronoun sets or more to compare, got {list(pronouns)}")
    held = table.assign(chosen=np.asarray(chosen))
    held["right"] = held["chosen"].to_numpy() == codes(table["answer"])
    wide = held.pivot(index="template", columns="pronouns", values=["chosen", "right"])
    for name in pronouns:
        if ("chosen", name) not in wide or wide["chosen", name].isna().any():
            raise ValueError(
                f"expected every template with each of {list(pronouns)}; {name} lacks some"
            )
    answers = wide["chosen"][list(pronouns)].to_numpy(int)
    same = (answers == answers[:, :1]).all(axis=1)
    often = np.stack([(answers == code).mean(axis=0) for code in range(3)])
    clusters = held.drop_duplicates("template").set_index("template")["cluster"][wide.index]
    share, low, high = clustered_share(
        same, rows=clusters.astype(str), n_resamples=n_resamples, rng=rng
    )
    return Consistency(
        same=share,
        low=low,
        high=high,
        chance=float(often.prod(axis=1).sum()),
        right=float(wide["right"][list(pronouns)].to_numpy(bool).all(axis=1).mean()),
        n=len(wide),
    )


def paired_gap(
    table: pd.DataFrame,
    values: ArrayLike,
    sides: tuple[str, str],
    *,
    column: str = "pronouns",
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Mean difference between two sides of each template, such as she and he, or pro and anti.

    Parameters
    ----------
    table : DataFrame
        n sentences: template, cluster, and the column that has the sides.
    values : array_like, shape (n,)
        What is compared: right or not, or a probability.
    sides : tuple of str
        First and second side; templates with both count.
    column : str
        "pronouns" or "side".
    draws, n_resamples : int
        Random exchanges behind p, and bootstrap draws behind the interval.
    rng : Generator or int, optional

    Returns
    -------
    Gap

    Raises
    ------
    ValueError
        For fewer than two clusters with both sides.

    Examples
    --------
    >>> table = pd.DataFrame({"template": [1, 1, 2, 2], "cluster": [1, 1, 2, 2], "pronouns": ["she", "he"] * 2})
    >>> paired_gap(table, [1, 0, 1, 1], ("she", "he"), rng=0).value
    0.5
    """
    clusters, differences = _differences(table, values, sides, column)
    sums, sizes = _by_cluster(clusters, differences)
    generator = np.random.default_rng(rng)
    observed = sums.sum()
    flipped = generator.choice([-1.0, 1.0], size=(draws, len(sums))) @ sums
    weights = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=n_resamples)
    low, high = np.quantile((weights @ sums) / (weights @ sizes), [0.025, 0.975])
    return Gap(
        value=float(observed / sizes.sum()),
        low=float(low),
        high=float(high),
        pvalue=p_of_draws(abs(observed), np.abs(flipped), tolerance=1e-9),
        n=len(differences),
        clusters=len(sums),
    )


def case_contrast(
    table: pd.DataFrame,
    values: ArrayLike,
    sides: tuple[str, str],
    cases: tuple[str, str] = ("nominative", "possessive"),
    *,
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Whether the gap between two pronouns is larger in one grammatical case than in another.

    Parameters
    ----------
    table, values, sides, draws, n_resamples, rng
        As in `paired_gap`.
    cases : tuple of str
        Of `lib.datasets.schemas.CASES`.

    Returns
    -------
    Gap
        The gap in the first case less that in the second; p from shuffling the cases over templates; the interval
        draws clusters.

    Raises
    ------
    ValueError
        As `paired_gap`, or for a case without templates.
    """
    inside = table["case"].isin(cases).to_numpy()
    held = table[inside]
    clusters, differences = _differences(
        held, real_numbers("values", values)[inside], sides, "pronouns"
    )
    of_template = held.drop_duplicates("template").set_index("template")["case"]
    first = (of_template[differences.index] == cases[0]).to_numpy()
    if not 0 < first.sum() < len(first):
        raise ValueError(f"expected templates of both cases, got only {sorted(set(held['case']))}")

    numbers = differences.to_numpy()

    def contrast(mask: NDArray[np.bool_]) -> float:
        return float(numbers[mask].mean() - numbers[~mask].mean())

    generator = np.random.default_rng(rng)
    observed = contrast(first)
    null = [contrast(generator.permutation(first)) for _ in range(draws)]
    p = p_of_draws(abs(observed), np.abs(null), tolerance=1e-9)
    tables = [_by_cluster(clusters, differences.where(mask, 0.0), mask) for mask in (first, ~first)]
    size = len(tables[0][0])
    weights = generator.multinomial(size, np.full(size, 1 / size), size=n_resamples)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [(weights @ sums) / (weights @ sizes) for sums, sizes in tables]
    low, high = np.nanquantile(means[0] - means[1], [0.025, 0.975])
    return Gap(observed, float(low), float(high), p, len(numbers), size)


def stereotype_sides(table: pd.DataFrame, women: pd.Series) -> pd.Series:
    """Whether the stereotype of the occupation helps to find the answer.

    Parameters
    ----------
    table : DataFrame
        n sentences: occupation, about, gender.
    women : Series
        Share of women by occupation, in per cent.

    Returns
    -------
    Series of str
        "pro" where the pronoun fits the occupation's majority and means the occupation, or does not fit it and means
        the other person; "anti" for the reverse; "" where neither is meant, the pronoun is neither feminine nor
        masculine, or the share is unknown or 50.

    References
    ----------
    Rudinger et al. (2018), Section 4, whose "gotcha" sentences are the anti side.

    Examples
    --------
    >>> table = pd.DataFrame({"occupation": ["nurse"] * 3, "gender": ["female", "male", "neither"], "about": ["occupation"] * 3})
    >>> stereotype_sides(table, pd.Series({"nurse": 90})).tolist()
    ['pro', 'anti', '']
    """
    share = table["occupation"].map(women)
    known = share.notna() & (share != 50) & table["gender"].isin(["female", "male"])
    known &= table["about"] != "neither"
    fits = (share > 50) == (table["gender"] == "female")
    helps = fits == (table["about"] == "occupation")
    return pd.Series(np.select([known & helps, known], ["pro", "anti"], ""), index=table.index)


def occupation_leans(table: pd.DataFrame, probabilities: ArrayLike) -> pd.Series:
    """How much likelier an occupation is meant by *she* than by *he* in the same sentence.

    Parameters
    ----------
    table : DataFrame
        n sentences with GAP's columns and occupation, template, pronouns.
    probabilities : array_like, shape (n, 3)

    Returns
    -------
    Series
        By occupation, the mean over templates of P(occupation | she) − P(occupation | he); positive leans female.
    """
    rows = real_numbers("probabilities", probabilities)
    in_a = (table["A"].str.lower() == table["occupation"].str.lower()).to_numpy()
    held = table.assign(given=np.where(in_a, rows[:, 0], rows[:, 1]))
    held = held[held["pronouns"].isin(["she", "he"])]
    wide = held.pivot(index=["occupation", "template"], columns="pronouns", values="given")
    return (wide["she"] - wide["he"]).groupby("occupation").mean()


def rank_correlation(
    x: ArrayLike,
    y: ArrayLike,
    *,
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Correlation:
    """Spearman's correlation with an interval and a null of shuffled pairs.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Numbers; n of 4 or more.
    draws, n_resamples : int
        Shuffles, and bootstrap draws.
    rng : Generator or int, optional

    Returns
    -------
    Correlation

    Raises
    ------
    ValueError
        For lists of different or too small length, values that are no numbers, or all equal.

    Examples
    --------
    >>> found = rank_correlation([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5], rng=0)
    >>> round(found.value, 3), found.n
    (0.886, 6)
    """
    pair = [real_numbers("values", values) for values in (x, y)]
    if pair[0].shape != pair[1].shape or pair[0].ndim != 1 or len(pair[0]) < 4:
        raise ValueError(
            f"expected two lists of one length, four numbers or more; got {[a.shape for a in pair]}"
        )
    if not all(np.isfinite(values).all() and np.ptp(values) > 0 for values in pair):
        raise ValueError("expected numbers that are not all equal in both lists")
    ranks = [stats.rankdata(values) for values in pair]
    standard = [(rank - rank.mean()) / rank.std() for rank in ranks]
    n = len(ranks[0])
    generator = np.random.default_rng(rng)
    value = float(standard[0] @ standard[1] / n)
    null = np.array([standard[0] @ generator.permutation(standard[1]) / n for _ in range(draws)])

    def of_draws(rows: NDArray[np.int64]) -> NDArray[np.floating]:
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = [stats.rankdata(values[rows], axis=-1) for values in pair]
            centred = [d - d.mean(axis=-1, keepdims=True) for d in drawn]
            product = (centred[0] * centred[1]).sum(axis=-1)
            return product / np.sqrt(
                (centred[0] ** 2).sum(axis=-1) * (centred[1] ** 2).sum(axis=-1)
            )

    low, high = bca_interval(of_draws, [n], n_resamples=n_resamples, batch=200, rng=generator)
    null_low, null_high = np.quantile(null, [0.025, 0.975])
    p = p_of_draws(abs(value), np.abs(null), tolerance=1e-12)
    return Correlation(value, low, high, p, float(null_low), float(null_high), n)


def _differences(
    table: pd.DataFrame, values: ArrayLike, sides: tuple[str, str], column: str
) -> tuple[pd.Series, pd.Series]:
    """Cluster, and first side less second, by template."""
    one_of("column", column, ("pronouns", "side"))
    held = table.assign(_value=real_numbers("values", values))
    held = held[held[column].isin(sides)]
    wide = held.pivot_table(index="template", columns=column, values="_value", aggfunc="mean")
    wide = wide.reindex(columns=list(sides)).dropna()
    clusters = held.drop_duplicates("template").set_index("template")["cluster"]
    clusters = clusters[wide.index].astype(str)
    if clusters.nunique() < 2:
        raise ValueError(
            f"expected two clusters or more with both {sides[0]} and {sides[1]}, got {clusters.nunique()}"
        )
    return clusters, wide[sides[0]] - wide[sides[1]]


def _by_cluster(
    clusters: pd.Series, differences: pd.Series, counted: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and number of the differences of each cluster."""
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place, weights=differences.to_numpy(float))
    counts = None if counted is None else real_numbers("counted", counted)
    return sums, np.bincount(place, weights=counts, minlength=len(sums)).astype(float)
