"""What the parameters of the chapter take, and the words that they stand for."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.decoders import decoder

SERVED = "instructed:"


def scored_model(name: str, value: Any) -> str:
    """A rule: a decoder whose log probabilities can be had; a served model answers in words alone."""
    if isinstance(value, str) and value.startswith(SERVED):
        own = value.removeprefix(SERVED)
        raise ValueError(
            f"{name}: expected a decoder whose log probabilities can be read; got {value!r}, which is asked for words and gives "
            f"none. The chapter asked_to_choose takes it; here give a file, a folder or <model>@<commit>, such as {own!r} if that is one."
        )
    return decoder(name, value)


def as_long_as(word: str, others: Sequence[str], model: CausalLanguageModel) -> list[str]:
    """Those of other words that have as many pieces in a model's vocabulary; all of them where that leaves fewer than two."""
    coded = model.transformer.tokenizer(
        [f" {one}" for one in (word, *others)], add_special_tokens=False
    )
    size, *sizes = map(len, coded["input_ids"])
    alike = [other for other, length in zip(others, sizes) if length == size]
    return alike if len(alike) > 1 else list(others)


def evenly(shares: pd.Series, count: int) -> list[str]:
    """So many occupations, evenly spaced from the fewest to the most women."""
    ordered = shares.sort_values(kind="stable").index
    places = np.linspace(0, len(ordered) - 1, min(count, len(ordered))).round().astype(int)
    return [str(ordered[place]) for place in np.unique(places)]


def chosen_words(
    asked: int | Sequence[str], shares: pd.Series, known: Callable[[str], bool]
) -> tuple[list[str], "pd.Series[float]"]:
    """So many occupations, or some words, that a model knows, with women's share of each, NaN where none is known."""
    if isinstance(asked, int):
        words = evenly(shares[[word for word in shares.index if known(word)]], asked)
    else:
        words = [word for word in asked if known(word)]
    return words, shares.reindex(words)
