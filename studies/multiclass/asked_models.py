"""Groups in the gaps of a masked model: what random words in their place give, and whether a pronoun that was told is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.language_models.log_probability import log_probability_bias

if TYPE_CHECKING:
    from lib.language_models import MaskedLanguageModel

Floats = NDArray[np.float64]


def lifts(
    model: MaskedLanguageModel,
    words: Sequence[str],
    attributes: Sequence[str],
    templates: Sequence[str],
) -> pd.DataFrame:
    """How much each attribute (columns) raises each word (rows) in its gap, in nats: the mean over templates."""
    words = list(dict.fromkeys(words))
    pairs = [(words[0], word) for word in words[1:]]
    table = log_probability_bias(
        model, list(dict.fromkeys(attributes)), list(templates), pairs, pieces="marginalise"
    )
    second = table["log_p_second"] - table["log_prior_second"]
    of_others = second.groupby([table["second"], table["attribute"]]).mean().unstack()
    once = table[table["second"] == words[1]]
    of_first = (once["log_p_first"] - once["log_prior_first"]).groupby(once["attribute"]).mean()
    found = pd.concat([of_first.to_frame(words[0]).T, of_others])
    return found.loc[words, list(dict.fromkeys(attributes))]


def effects(scores: ArrayLike, n_first: int) -> Floats:
    """Effect size of each row of scores (k, attributes): the first attributes less the others, in sample deviations of all."""
    rows = np.atleast_2d(np.asarray(scores, float))
    first, second = rows[:, :n_first], rows[:, n_first:]
    return (first.mean(axis=1) - second.mean(axis=1)) / rows.std(axis=1, ddof=1)


def random_pairs(count: int, draws: int, rng: np.random.Generator | int | None) -> NDArray:
    """Places of two different words of so many, drawn at random: (draws, 2)."""
    generator = np.random.default_rng(rng)
    first = generator.integers(count, size=draws)
    step = generator.integers(1, count, size=draws)
    return np.column_stack([first, (first + step) % count])


def as_far(value: float, by_chance: ArrayLike) -> float:
    """Two-sided p: the share of draws as far from zero, the value itself counted as one of them."""
    drawn = np.abs(np.asarray(by_chance, float))
    return float((1 + (drawn >= abs(value)).sum()) / (1 + len(drawn)))


def raised_by_its_own(
    model: MaskedLanguageModel,
    words: Sequence[str],
    attributes: Sequence[str],
    sentences: Sequence[str],
) -> pd.DataFrame:
    """Of each attribute (rows) and word (columns): the share of sentences in which no word that is told raises it more than itself does.

    A sentence has {told}, {target} and {attribute}. Each word is told in turn, and each is asked for in the gap; by chance the
    word itself is the best of so many words.
    """
    words, attributes = list(words), list(attributes)
    pairs = [(words[0], word) for word in words[1:]]
    right = np.zeros((len(sentences), len(attributes), len(words)))
    for place, sentence in enumerate(sentences):
        told = {word: sentence.replace("{told}", word) for word in words}
        table = log_probability_bias(
            model, attributes, list(told.values()), pairs, pieces="marginalise"
        )
        of_told = []
        for word in words:
            lines = table[table["template"] == told[word]]
            gap = lines.pivot(index="attribute", columns="second", values="log_p_second")
            gap[words[0]] = lines.groupby("attribute")["log_p_first"].first()
            of_told.append(gap.loc[attributes, words].to_numpy())
        best = np.argmax(of_told, axis=0)  # which told word raises it most: (attributes, words)
        right[place] = best == np.arange(len(words))
    return pd.DataFrame(right.mean(axis=0), attributes, words)
