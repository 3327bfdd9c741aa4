"""The gaps that a perfectly fair classifier would show in a test set of a given size.

A mean of absolute gaps is above zero by chance, most so where an occupation has few women or few men. Here a classifier is fair if its
predictions for a text depend on the true occupation alone. Counts are (2, k): men and women in each occupation, before the split into
training and test set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.text_classification.occupations.rates import mean_gaps

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

PATTERNS = ("by size", "evenly", "by share of women")
ALWAYS = "whatever it is"  # a difference beyond chance, however much errors go together


def blind_confusions(counts: ArrayLike, recall: ArrayLike, *, errors: str = "by size") -> Floats:
    """Probability (k, k) of each prediction, a row for each true occupation, where `recall` of its texts are found.

    Where the others go: "by size", to the other occupations in proportion to their texts; "evenly"; "by share of women", the more the nearer
    their shares of women are (half as much for every tenth), an extreme case in which occupations of women are mistaken for occupations of women.
    """
    one_of("errors", errors, PATTERNS)
    table = _checked(counts)
    found = np.asarray(recall, float)
    k = table.shape[1]
    if found.shape not in ((), (k,)) or not ((found >= 0) & (found <= 1)).all():
        raise ValueError(
            f"recall: expected one share between 0 and 1, or {k}; got {np.round(found, 3).tolist()}"
        )
    share = table[1] / table.sum(axis=0)
    weights = {
        "by size": np.broadcast_to(table.sum(axis=0), (k, k)),
        "evenly": np.ones((k, k)),
        "by share of women": 0.5 ** (np.abs(share[:, None] - share) / 0.1),
    }[errors] * (1 - np.eye(k))
    missed = (1 - np.broadcast_to(found, k))[:, None]
    return np.diag(np.broadcast_to(found, k)) + missed * weights / weights.sum(
        axis=1, keepdims=True
    )


def fair_mean_gaps(
    counts: ArrayLike,
    confusions: ArrayLike,
    *,
    test_share: float = 0.15,
    n_draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """Mean TPR gap and TNR gap (n_draws, 2) of a fair classifier, over random splits and its random errors; each text is tested by itself."""
    table = _checked(counts)
    shares = np.asarray(confusions, float)
    if shares.shape != (table.shape[1],) * 2 or not np.allclose(shares.sum(axis=1), 1):
        raise ValueError(
            f"confusions: expected {table.shape[1]} rows of probabilities that sum to 1, "
            f"got shape {shares.shape}; make them with blind_confusions"
        )
    generator = np.random.default_rng(rng)
    tested = generator.binomial(table, test_share, size=(n_draws, *table.shape))
    return mean_gaps(generator.multinomial(tested, shares))


def band_by_recall(
    counts: ArrayLike,
    recalls: Sequence[float] = (0.7, 0.75, 0.8, 0.85, 0.9),
    *,
    errors: Sequence[str] = PATTERNS,
    test_share: float = 0.15,
    n_draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """The fair mean gaps for several recalls and patterns of errors, each with its central 95 %.

    A recall is the same for all occupations; 0.5 is the worst case for the TPR gap, whatever the recall of single occupations may be.
    """
    generator = np.random.default_rng(rng)
    rows = []
    for pattern in errors:
        for recall in recalls:
            confusions = blind_confusions(counts, recall, errors=pattern)
            draws = fair_mean_gaps(
                counts, confusions, test_share=test_share, n_draws=n_draws, rng=generator
            )
            low, high = np.quantile(draws, [0.025, 0.975], axis=0)
            for place, gap in enumerate(("TPR gap", "TNR gap")):
                mean = draws[:, place].mean()
                rows.append((gap, recall, pattern, mean, low[place], high[place]))
    return pd.DataFrame(rows, columns=["gap", "recall", "errors", "mean", "low", "high"])


def difference_draws(
    counts: ArrayLike,
    recall: float,
    correlation: float,
    *,
    true_gap: float = 0,
    test_share: float = 0.15,
    n_draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """How far the mean TPR gaps of two classifiers differ by chance that are equally fair and tested on the same texts.

    Both have the same recall for the larger gender of each occupation, and miss the smaller one more often by `true_gap`. `correlation` is between
    being right about a text in the one and in the other: at 1 they never differ.
    """
    table = _checked(counts)
    smaller = table == table.min(axis=0)
    right = recall - true_gap * smaller
    if not (0 <= correlation <= 1 and 0 <= right.min() <= right.max() <= 1):
        raise ValueError(
            "expected correlation, recall and recall less true_gap between 0 and 1, "
            f"got {correlation!r}, {recall!r} and {recall - true_gap!r}"
        )
    generator = np.random.default_rng(rng)
    tested = generator.binomial(table, test_share, size=(n_draws, *table.shape))
    both = right**2 + correlation * right * (1 - right)
    cells = np.stack([both, right - both, right - both, 1 - 2 * right + both], axis=-1)
    drawn = generator.multinomial(tested, np.clip(cells, 0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = [(drawn[..., 0] + drawn[..., one]) / tested for one in (1, 2)]
    sizes = [np.nanmean(np.abs(rate[:, 1] - rate[:, 0]), axis=-1) for rate in rates]
    return np.asarray(sizes[0] - sizes[1])


def fair_by_accuracy(
    counts: ArrayLike, accuracies: Mapping[str, float] | pd.Series, **drawing: Any
) -> pd.DataFrame:
    """Mean TPR gap of a fair classifier in percentage points, for each named accuracy: value and its central 95 %, low and high.

    `drawing` is passed to `fair_mean_gaps`.
    """
    rows = {}
    for name, share in accuracies.items():
        drawn = 100 * fair_mean_gaps(counts, blind_confusions(counts, share), **drawing)[:, 0]
        rows[name] = [drawn.mean(), *np.quantile(drawn, [0.025, 0.975])]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])


def beyond_chance(
    gaps: pd.Series, pairs: Iterable[tuple[str, str]], limits: pd.Series
) -> pd.DataFrame:
    """Printed differences of mean gaps and from which correlation of errors on they exceed chance: variant, less, difference (points), beyond.

    `limits` has what chance makes of a difference, by the correlation from the least to the greatest. What rounding in print (.001) and the
    simulation (5 %) leave open counts as chance.
    """
    rows = []
    for name, other in pairs:
        change = gaps[name] - gaps[other]
        enough = limits.index[limits < (abs(change) - 0.001) / 1.05]
        verdict = f"from {enough[0]:g} on" if len(enough) else f"not even at {limits.index[-1]:g}"
        verdict = ALWAYS if len(enough) == len(limits) else verdict
        rows.append((name, other, 100 * change, verdict))
    return pd.DataFrame(rows, columns=["variant", "less", "difference", "beyond"])


def sizes_of(people: Mapping[str, Sequence[int]]) -> tuple[Counts, float, str]:
    """A test set of a reader's own as counts (2, k) of men and women, the share that is tested (all), and why it cannot be used ("" if it can).

    `people` holds women and men by occupation.
    """
    why = ""
    try:
        pairs = [[int(n) for n in both] for both in people.values()]
    except (TypeError, ValueError, AttributeError):
        return np.zeros((2, 0), np.int64), 1.0, "it takes two numbers, women and men, by occupation"
    if len(pairs) < 2 or any(len(both) != 2 or min(both) < 0 for both in pairs):
        why = "it takes two occupations or more, each with two numbers, women and men"
    elif not all(map(sum, pairs)) or not any(map(min, pairs)):
        why = "it takes somebody in each occupation, and one with both women and men"
    table = np.zeros((2, 0), np.int64) if why else np.array(pairs, np.int64)[:, ::-1].T
    return table, 1.0, why


def _checked(counts: ArrayLike) -> Counts:
    table = np.asarray(counts)
    fits = table.ndim == 2 and len(table) == 2 and table.shape[1] > 1
    if not fits or table.dtype.kind not in "iu" or not (table.sum(axis=0) > 0).all():
        raise ValueError(
            "counts: expected whole numbers of men and women in two occupations or more, (2, k), "
            f"none of them empty; got {table.dtype} of shape {table.shape}"
        )
    return table
