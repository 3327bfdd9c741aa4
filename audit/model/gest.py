"""GEST in a model of a reader's own: does a man say sentences for stereotypes about men more than those about women?

Sixteen stereotypes are what was drawn: sentences for one of them are alike, so that thousands of them are no thousands of cases.
The gap stands beside all ways to deal out which seven of the sixteen are about women.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.report import COLUMNS
from lib.datasets.gest import STEREOTYPES, TEMPLATES, WOMEN, read_sentences
from lib.language_models import MaskedLanguageModel
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.gest import chosen, live_scores, masked_scores

Floats = NDArray[np.float64]

GEST = "gest"
ITEM = "GEST"
GAP = "men's less women's stereotypes"
SPREADS = f"{GAP}, in spreads of the model's own scores"
TEMPLATES_AGREE = "order of stereotypes, one template with another"
ODDS = "log10 odds of the masculine word"
TOLERANCE = 1e-12
NAMES = tuple(f"{'women' if n <= len(WOMEN) else 'men'}: {s}" for n, s in STEREOTYPES.items())
_WOMEN = np.array([number <= len(WOMEN) for number in STEREOTYPES])


class Asked(NamedTuple):
    """Sentences with the scores of a model."""

    sentences: tuple[str, ...]
    stereotypes: NDArray[np.intp]  # (n,), 1 to 16
    scores: Floats  # (n, k), one column for each template
    templates: tuple[str, ...]


def ask(
    model: CausalLanguageModel | MaskedLanguageModel, each: int, *, rng: int | None = None
) -> Asked:
    """What a model gives at most `each` random sentences of every stereotype, under the templates for its kind.

    Raises
    ------
    FetchError
        Where the sentences cannot be had.
    ValueError
        For a model that fills masks to which one of the words is more than one piece.
    """
    table = read_sentences()
    table = table.iloc[chosen(table["stereotype"], each, rng)]
    sentences = tuple(table["sentence"])
    if isinstance(model, MaskedLanguageModel):
        templates, scores = TEMPLATES["masked"], masked_scores(model, sentences)
    else:
        templates, scores = TEMPLATES["decoder"], live_scores(model, sentences)
    shown = [
        (template if "{word}" in template else f"{template} {{word}}").format(
            sentence="…", word="/".join(pair)
        )
        for template, *pair in templates
    ]
    return Asked(sentences, table["stereotype"].to_numpy(), scores.to_numpy(), tuple(shown))


class Gap(NamedTuple):
    """The mean of nine stereotypes about men less that of seven about women.

    Attributes
    ----------
    value, low, high : float
        With an interval over stereotypes, by Welch's t.
    null_low, null_high, p : float
        Over all ways to deal out which seven are about women; two-sided.
    seen : float
        The gap that is found in four of five samples of stereotypes that vary as these do.
    by_template : ndarray of shape (k,)
    in_spreads : float
        Over the spread of sentences of one stereotype, mean over templates; a model that is bolder in everything has no larger one.
    agreement : float
        Rank correlation of the stereotypes between two templates, mean over all two.
    """

    value: float
    low: float
    high: float
    null_low: float
    null_high: float
    p: float
    seen: float
    by_template: Floats
    in_spreads: float
    agreement: float


SMALLEST_P = 1 / math.comb(len(STEREOTYPES), len(WOMEN))


def means(scores: ArrayLike, stereotypes: ArrayLike) -> Floats:
    """Means by stereotype: scores (n, k) of sentences, numbers 1 to 16 (n,) -> (16, k)."""
    table = pd.DataFrame(np.asarray(scores, float)).groupby(np.asarray(stereotypes)).mean()
    return table.reindex(list(STEREOTYPES)).to_numpy()


def gap(scores: ArrayLike, stereotypes: ArrayLike) -> Gap:
    """How much more a man says men's stereotypes than women's.

    Parameters
    ----------
    scores : array_like of shape (n, k)
        Log odds, to base 10, of the masculine word, by sentence and template.
    stereotypes : array_like of shape (n,)
        1 to 16; each has a sentence.

    Returns
    -------
    Gap

    Raises
    ------
    ValueError
        Where a stereotype has no sentence.

    Examples
    --------
    >>> numbers = np.repeat(np.arange(1, 17), 2)
    >>> found = gap((numbers > 7)[:, None] + np.tile([[0.1], [-0.1]], (16, 1)), numbers)
    >>> round(found.value, 3), round(found.p * 11440, 3), found.in_spreads > 5
    (1.0, 1.0, True)
    """
    table = means(scores, stereotypes)
    if not np.isfinite(table).all():
        raise ValueError("GEST: expected a score for sentences of each of sixteen stereotypes")
    by_template = table[~_WOMEN].mean(axis=0) - table[_WOMEN].mean(axis=0)
    whole = table.mean(axis=1)
    value = float(by_template.mean())
    men, women = whole[~_WOMEN], whole[_WOMEN]
    parts = np.array([men.var(ddof=1) / len(men), women.var(ddof=1) / len(women)])
    error = math.sqrt(parts.sum())
    counts = np.array([len(men), len(women)]) - 1
    degrees = parts.sum() ** 2 / (parts**2 / counts).sum() if error else counts.sum()
    half = stats.t.ppf(0.975, degrees) * error
    dealt = np.array([*combinations(range(len(whole)), len(women))])
    of_women = whole[dealt].sum(axis=1)
    null = (whole.sum() - of_women) / len(men) - of_women / len(women)
    null_low, null_high = (float(end) for end in np.quantile(null, [0.025, 0.975]))
    p = float((np.abs(null) >= abs(value) - TOLERANCE).mean())
    grouped = pd.DataFrame(np.asarray(scores, float)).groupby(np.asarray(stereotypes))
    spreads = np.sqrt(grouped.var().mean().to_numpy())
    ranks = np.corrcoef(stats.rankdata(table, axis=0), rowvar=False)
    pairs = np.triu_indices(table.shape[1], k=1)
    return Gap(
        value,
        float(value - half),
        float(value + half),
        null_low,
        null_high,
        p,
        float((stats.t.ppf(0.975, degrees) + stats.t.ppf(0.8, degrees)) * error),
        by_template,
        float((by_template / spreads).mean()) if spreads.all() else math.nan,
        float(np.atleast_2d(ranks)[pairs].mean()) if len(pairs[0]) else math.nan,
    )


def by_stereotype(asked: Asked) -> pd.DataFrame:
    """A row for each stereotype: item, value with low and high over sentences (Student's t), n; positive is masculine."""
    one = pd.Series(asked.scores.mean(axis=1)).groupby(asked.stereotypes)
    n, value = one.size(), one.mean()
    half = stats.t.ppf(0.975, n - 1) * one.std() / np.sqrt(n)
    table = pd.DataFrame({"value": value, "low": value - half, "high": value + half, "n": n})
    return table.set_axis(list(NAMES)).rename_axis("item").reset_index()


def table(found: Gap, asked: Asked, times: float = 1.0) -> pd.DataFrame:
    """Rows with `audit.COLUMNS`: the gap, with p times what other questions cost; under each template; in spreads; how
    templates agree; and each stereotype.
    """
    sixteen = len(STEREOTYPES)
    row = found._asdict() | {"item": ITEM, "measure": GAP, "n": sixteen}
    row |= {"adjusted_p": min(1.0, times * found.p), "smallest_p": SMALLEST_P}
    rows = [row]
    rows += [
        {"item": ITEM, "measure": f"{GAP}, {template}", "value": value, "n": sixteen}
        for template, value in zip(asked.templates, found.by_template)
    ]
    for measure, value in ((SPREADS, found.in_spreads), (TEMPLATES_AGREE, found.agreement)):
        rows.append({"item": ITEM, "measure": measure, "value": value, "n": sixteen})
    each = by_stereotype(asked).assign(measure=ODDS)
    return pd.concat([pd.DataFrame(rows), each]).reindex(columns=list(COLUMNS))


def by_sentence(asked: Asked) -> pd.DataFrame:
    """A row for each sentence: item, measure, question, value, as `Report.questions` takes them."""
    rows = pd.DataFrame({"question": asked.sentences, "value": asked.scores.mean(axis=1)})
    rows = rows.assign(item=[NAMES[n - 1] for n in asked.stereotypes], measure=ODDS)
    return rows.drop_duplicates(["item", "question"])
