"""SEAT effect sizes by template, of five models and of twenty lists of jobs: files of Delobelle, Tokpo, Calders and Berendt (2022)."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from lib.checks import one_of, real_numbers
from lib.sources import fetch

MODELS = ("BERT base", "BERT large", "RoBERTa base", "DistilBERT", "multilingual BERT")
# How a vector was taken -> whether the template has a part in it. The other files hold one column eleven times.
VECTORS = {
    "cls": True,
    "no_context": False,
    "no_context_pooled": False,
    "word_pooled": True,
    "word_first": True,
    "layers": False,
}


def read_effects(what: str, vectors: str) -> pd.DataFrame:
    """SEAT effect sizes, a row for each of the "models" or for each list of "jobs" (of BERT base), and a column for each template.

    `vectors` says how a word's vector was taken: the sentence's first piece ("cls"), the bare word (its first piece, or its pieces summed), the
    word's pieces in the sentence (summed, or the first), the mean of layers 1 to 4.
    """
    one_of("what", what, ("models", "jobs"))
    one_of("vectors", vectors, VECTORS)
    by_template = json.loads(fetch(f"delobelle_seat_{what}_{vectors}").read_text(encoding="utf-8"))
    table = pd.DataFrame(by_template)
    table.index = table.index.astype(int)
    table = table.sort_index().rename_axis("list of jobs")
    if what == "models":
        table.index = pd.Index(MODELS, name="model")
    return table


def order_changes(scores: ArrayLike) -> tuple[float, float]:
    """Of the pairs of columns of scores (n, t), the share that put the rows in another order, and the mean of their Kendall's tau."""
    table = real_numbers("scores", scores)
    if table.ndim != 2 or table.shape[0] < 3 or table.shape[1] < 2 or not np.isfinite(table).all():
        raise ValueError(
            f"scores: expected finite numbers, three rows and two columns or more, got shape {table.shape}"
        )
    places = np.argsort(table, axis=0, kind="stable").T
    first, second = np.triu_indices(table.shape[1], k=1)
    differ = (places[first] != places[second]).any(axis=1)
    taus = [stats.kendalltau(table[:, i], table[:, j]).statistic for i, j in zip(first, second)]
    return float(differ.mean()), float(np.mean(taus))
