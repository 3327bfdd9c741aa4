"""A decoder that runs on this machine, asked what the released models were asked, and its place among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.files import text_hash
from lib.kept import kept
from lib.language_models.causal_scores import CausalLanguageModel
from studies.stereotypes.gest import TEMPLATES
from studies.stereotypes.order import rank_agreement, within_sides

Floats = NDArray[np.float64]


class Agreement(NamedTuple):
    """Median rank correlation of one order of the stereotypes with others."""

    all: float
    within: float  # with women's and men's stereotypes made level


def chosen(
    stereotypes: ArrayLike, each: int, rng: np.random.Generator | int | None = None
) -> NDArray[np.intp]:
    """Places of `each` random sentences a stereotype, of all where there are no more; fewer are a part of more."""
    labels = np.asarray(stereotypes)
    generator = np.random.default_rng(rng)
    parts = [generator.permutation(np.flatnonzero(labels == n))[:each] for n in np.unique(labels)]
    return np.sort(np.concatenate(parts))


def live_scores(model: CausalLanguageModel, sentences: Sequence[str]) -> pd.DataFrame:
    """Log odds, to base 10, of the masculine word, under both templates of decoders: (n, 2), as `gest.read_scores`."""
    given = [
        template.replace("{sentence}", sentence)
        for sentence in sentences
        for template, *_ in TEMPLATES["decoder"]
    ]
    words = [pair for _ in sentences for _, *pair in TEMPLATES["decoder"]]
    # A sentence, its template and both words share what they begin with: one call reads that once
    texts = [f"{begun} {word}" for begun, pair in zip(given, words) for word in pair]
    twice = [begun for begun in given for _ in range(2)]

    def log_probabilities() -> Floats:
        return model.log_probabilities(texts, twice)

    key = f"{model.source} {text_hash(chr(10).join(texts))}"
    masculine, feminine = kept("gest", key, log_probabilities).reshape(-1, 2).T
    odds = (masculine - feminine).reshape(len(sentences), -1) / np.log(10)
    columns = pd.MultiIndex.from_product([[model.name], range(odds.shape[1])])
    return pd.DataFrame(odds, columns=columns.set_names(["model", "template"]))


def agreement_with(one: ArrayLike, others: ArrayLike) -> Agreement:
    """How the order of one column of means (16,) agrees with those of others (16, k), in the median."""
    column, table = np.asarray(one, float)[:, None], np.asarray(others, float)
    whole, inside = (
        float(np.median(rank_agreement(*pair)))
        for pair in ((column, table), (within_sides(column), within_sides(table)))
    )
    return Agreement(whole, inside)


def place_from_top(values: ArrayLike) -> NDArray[np.intp]:
    """Place of the last column among all, 1 the largest: (..., k) -> (...)."""
    table = np.asarray(values, float)
    return np.asarray(1 + (table[..., :-1] > table[..., -1:]).sum(axis=-1))
