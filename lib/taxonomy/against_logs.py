"""How far our filters and the released logs agree, filter by filter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.taxonomy.filters import AFTER_PRONOUN, FILTERS, read
from lib.taxonomy.mentions import GENDERED, words_of

Floats = NDArray[np.float64]

IMPROVED_ON = ("boyscouts", "businesshints")
MEASURES = ("precision", "recall", "kappa")
NAMES_OF_FILTERS = (*FILTERS, "candidate")


def agreement(
    logs: pd.DataFrame,
    own: pd.DataFrame,
    *,
    improved_on: Sequence[str] = IMPROVED_ON,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Precision, recall and Cohen's kappa of our filters, with the logs taken as the truth.

    Two settings. "all sentences" compares a whole column: what passes. "both have a pronoun"
    compares the last three filters where both sides asked them, and counts what they **drop**.

    Parameters
    ----------
    logs : DataFrame
        book, and a column of true and false for each filter, as `lib.taxonomy.logs.all_logs` gives.
    own : DataFrame
        The same columns but for book, from `lib.taxonomy.filters.flags`; rows in the same order.
    improved_on : sequence of str
        The books that the rules were improved on; they are reported apart from the others.
    n_resamples : int
        Draws of sentences, within each book.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    DataFrame
        One row for each group of books ("improved on", "others", and each book), setting and
        filter: sentences, logged, own, both; precision, recall and kappa, each with _low and _high
        of its 95 % interval. NaN where undefined. The books are taken as they are.

    Raises
    ------
    ValueError
        Where the rows do not match.

    Examples
    --------
    >>> columns = {name: [True, False] * 2 for name in NAMES_OF_FILTERS}
    >>> logs = pd.DataFrame({"book": list("aabb"), **columns})
    >>> table = agreement(logs, logs, improved_on=["a"], n_resamples=9, rng=0)
    >>> table["kappa"].dropna().unique().tolist(), table["books"].unique().tolist()
    ([1.0], ['improved on', 'others', 'a', 'b'])
    """
    if len(logs) != len(own):
        raise ValueError(
            f"expected a row of our own for each of {len(logs)} sentences, got {len(own)}"
        )
    generator = np.random.default_rng(rng)
    books = logs["book"].to_numpy()
    inside = np.isin(books, list(improved_on))
    groups = {"improved on": inside, "others": ~inside}
    groups |= {book: books == book for book in dict.fromkeys(books)}
    asked = (logs["pronoun"].to_numpy() & own["pronoun"].to_numpy()).astype(bool)
    rows = []
    for group, chosen in groups.items():
        for setting, filters in (
            ("all sentences", NAMES_OF_FILTERS),
            ("both have a pronoun", AFTER_PRONOUN),
        ):
            drops = setting != "all sentences"
            kept = chosen & asked if drops else chosen
            for name in filters:
                log, ours = logs[name].to_numpy(bool)[kept], own[name].to_numpy(bool)[kept]
                if drops:
                    log, ours = ~log, ~ours
                found = compared(log, ours, books[kept], n_resamples=n_resamples, rng=generator)
                rows.append({"books": group, "setting": setting, "filter": name, **found})
    return pd.DataFrame(rows)


def compared(
    truth: ArrayLike,
    ours: ArrayLike,
    strata: ArrayLike,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """Counts, precision, recall and kappa of one column against another, with intervals.

    Parameters
    ----------
    truth, ours : array_like of bool, shape (n,)
        By sentence.
    strata : array_like of shape (n,)
        Labels; sentences are drawn within each.
    n_resamples, rng
        As in `agreement`.

    Returns
    -------
    dict of str to float
        As the columns of `agreement`.

    Examples
    --------
    >>> found = compared([1, 1, 0, 0], [1, 0, 0, 0], list("aaaa"), n_resamples=9, rng=0)
    >>> found["precision"], found["recall"], found["kappa"]
    (1.0, 0.5, 0.5)
    """
    true, own = np.asarray(truth, bool), np.asarray(ours, bool)
    generator = np.random.default_rng(rng)
    cells = np.stack([true & own, ~true & own, true & ~own, ~true & ~own], axis=1).astype(int)
    drawn = np.zeros((n_resamples, 4))
    labels = np.asarray(strata)
    for label in dict.fromkeys(labels.tolist()):
        counts = cells[labels == label].sum(axis=0)
        drawn += generator.multinomial(counts.sum(), counts / counts.sum(), size=n_resamples)
    counts = cells.sum(axis=0)
    values, draws = scores(counts), scores(drawn)
    found: dict[str, float] = {
        "sentences": len(true),
        "logged": int(true.sum()),
        "own": int(own.sum()),
        "both": int(counts[0]),
    }
    for name, value, column in zip(MEASURES, values, draws.T, strict=True):
        column = column[np.isfinite(column)]
        ends = np.quantile(column, [0.025, 0.975]) if len(column) else (np.nan, np.nan)
        found |= {name: float(value), f"{name}_low": float(ends[0]), f"{name}_high": float(ends[1])}
    return found


def scores(counts: ArrayLike) -> Floats:
    """Precision, recall and Cohen's kappa from counts.

    Parameters
    ----------
    counts : array_like of shape (..., 4)
        Both, ours only, theirs only, neither.

    Returns
    -------
    ndarray of shape (..., 3)
        NaN where a denominator is zero.

    Examples
    --------
    >>> scores([20, 5, 10, 15])
    array([0.8       , 0.66666667, 0.4       ])
    """
    both, ours, theirs, neither = np.moveaxis(np.asarray(counts, float), -1, 0)
    total = both + ours + theirs + neither
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (both + neither) / total
        chance = (
            (both + ours) * (both + theirs) + (neither + theirs) * (neither + ours)
        ) / total**2
        kappa = np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)
        return np.stack([both / (both + ours), both / (both + theirs), kappa], axis=-1)


def let_through(logs: pd.DataFrame, name: str = "no gendered term") -> pd.Series:
    """Released candidates that one of our filters would have dropped, counted by its reason.

    The released code asks about the first and the last word of a mention, so that "the man who
    lives there" passes; ours asks about the head.

    Parameters
    ----------
    logs : DataFrame
        sentence and candidate, as `lib.taxonomy.logs.all_logs` gives.
    name : str
        One of `lib.taxonomy.filters.FILTERS`.

    Returns
    -------
    Series of int
        By reason in words, the most frequent first.

    Raises
    ------
    ValueError
        For an unknown filter.

    Examples
    --------
    >>> logs = pd.DataFrame({"sentence": ["The man who fell hurt his foot."], "candidate": [True]})
    >>> let_through(logs).to_dict()
    {'“man” says a gender': 1}
    """
    one_of("filter", name, FILTERS)
    candidates = logs.loc[logs["candidate"], "sentence"]
    reasons = [FILTERS[name](read(sentence)) for sentence in candidates]
    counts = pd.Series([reason for reason in reasons if reason], dtype=object).value_counts()
    return counts.sort_index(kind="stable").sort_values(ascending=False, kind="stable")


def any_gendered_pronoun(sentences: Sequence[str]) -> NDArray[np.bool_]:
    """The simplest rule, to compare with: the sentence has a gendered pronoun, and nothing else is
    asked.

    Examples
    --------
    >>> any_gendered_pronoun(["He left.", "They left."]).tolist()
    [True, False]
    """
    return np.array([not GENDERED.isdisjoint(map(str.lower, words_of(s))) for s in sentences], bool)
