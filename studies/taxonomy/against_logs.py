"""How far our filters and the released logs agree, filter by filter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.taxonomy.filters import AFTER_PRONOUN, FILTERS
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
    """Precision, recall and Cohen's kappa of our filters, with the released logs taken as the truth.

    `logs` is as from `logs.all_logs`, `own` as from `lib.taxonomy.filters.flags`, rows in the same order; the books are taken as they
    are. A row for each group of books ("improved on", the books that our rules were improved on; "others"; each book), setting and
    filter: sentences, logged, own, both; precision, recall and kappa, each with _low and _high of its 95 % interval; NaN where
    undefined. "all sentences" compares a whole column: what passes. "both have a pronoun" compares the last three filters where both
    sides asked them, and counts what they **drop**.
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
    """Counts, precision, recall and kappa of one column (n,) against another, as in `agreement`; sentences are drawn within strata (n,)."""
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


def by_score(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each score of each row of `agreement`: books, filter, score, value, low, high and n, its number of sentences."""
    names = {"value": "", "low": "_low", "high": "_high"}
    parts = [
        table[["books", "filter"]].assign(
            score=score,
            n=table["sentences"],
            **{name: table[f"{score}{end}"] for name, end in names.items()},
        )
        for score in MEASURES
    ]
    return pd.concat(parts, ignore_index=True)


def scores(counts: ArrayLike) -> Floats:
    """Precision, recall and Cohen's kappa (..., 3) from counts (..., 4): both, ours only, theirs only, neither. NaN where undefined."""
    both, ours, theirs, neither = np.moveaxis(np.asarray(counts, float), -1, 0)
    total = both + ours + theirs + neither
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = (both + neither) / total
        chance = (
            (both + ours) * (both + theirs) + (neither + theirs) * (neither + ours)
        ) / total**2
        kappa = np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)
        return np.stack([both / (both + ours), both / (both + theirs), kappa], axis=-1)


def any_gendered_pronoun(sentences: Sequence[str]) -> NDArray[np.bool_]:
    """The simplest rule, to compare with: the sentence has a gendered pronoun, and nothing else is asked."""
    return np.array([not GENDERED.isdisjoint(map(str.lower, words_of(s))) for s in sentences], bool)
