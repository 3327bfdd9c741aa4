"""Models asked about the sentences of GEST (`lib.datasets.gest`): does a man or a woman say them?

A score is the log odds, to base 10, of the masculine against the feminine word: positive is masculine, as its authors have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.datasets.gest import TEMPLATES
from lib.files import text_hash
from lib.kept import kept
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.masked import MASK, MaskedLanguageModel

Floats = NDArray[np.float64]


def chosen(
    stereotypes: ArrayLike, each: int, rng: np.random.Generator | int | None = None
) -> NDArray[np.intp]:
    """Places of `each` random sentences a stereotype, of all where there are no more; fewer are a part of more."""
    labels = np.asarray(stereotypes)
    generator = np.random.default_rng(rng)
    parts = [generator.permutation(np.flatnonzero(labels == n))[:each] for n in np.unique(labels)]
    return np.sort(np.concatenate(parts))


def live_scores(model: CausalLanguageModel, sentences: Sequence[str]) -> pd.DataFrame:
    """Log odds, to base 10, of the masculine word, under both templates of decoders: (n, 2), as the authors release them."""
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


def masked_scores(model: MaskedLanguageModel, sentences: Sequence[str]) -> pd.DataFrame:
    """The same under the four templates of models that fill masks: (n, 4).

    Raises
    ------
    ValueError
        For a model to which one of the words is more than one piece.
    """
    columns = {}
    for number, (template, *pair) in enumerate(TEMPLATES["masked"]):
        # the gap first: a sentence may hold anything
        gap = template.replace("{word}", MASK)
        texts = [gap.replace("{sentence}", sentence) for sentence in sentences]
        masculine, feminine = model.log_probabilities(texts, pair).T
        columns[model.name, number] = (masculine - feminine) / np.log(10)
    return pd.DataFrame(columns).rename_axis(columns=["model", "template"])
