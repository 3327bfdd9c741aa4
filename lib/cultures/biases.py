"""Biases of words in the embeddings of many cultures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from lib import measures
from lib.cultures.regression import theme_bias
from lib.embeddings import Embedding

MEASURES = {
    name: getattr(measures, name)
    for name in ("axis_projection", "relative_norm_difference", "relative_norm_ratio")
}


@dataclass(frozen=True, eq=False)
class CultureBiases:
    """The bias of each word of some themes in each culture.

    words : cultures x words, positive leans female (for the ratio: above 1), NaN where a culture lacks the word or one of
    the two lists; themes : name -> words; missing : culture -> words it lacks, of the themes and of the female and male
    lists; measure : its name.
    """

    words: pd.DataFrame
    themes: Mapping[str, Sequence[str]]
    missing: Mapping[str, tuple[str, ...]] = field(repr=False)
    measure: str

    def theme(self, name: str) -> pd.DataFrame:
        """The biases of one theme, cultures x words."""
        return self.words[list(self.themes[name])]

    def means(self) -> pd.DataFrame:
        """The bias of each theme in each culture, cultures x themes: the mean over its words that are there."""
        return pd.DataFrame(
            {name: theme_bias(self.theme(name)) for name in self.themes}, self.words.index
        )

    def table(self) -> pd.DataFrame:
        """One row for each culture and theme: bias, number of words it stands on, the words that are missing."""
        means, rows = self.means(), []
        for code in self.words.index:
            for name, words in self.themes.items():
                lost = [word for word in words if np.isnan(self.words.at[code, word])]
                rows.append(
                    (code, name, means.at[code, name], len(words) - len(lost), " ".join(lost))
                )
        return pd.DataFrame(rows, columns=["culture", "theme", "bias", "words", "missing"])


def word_biases(
    embeddings: Mapping[str, Embedding],
    themes: Mapping[str, Sequence[str]],
    female: Sequence[str],
    male: Sequence[str],
    *,
    measure: str = "axis_projection",
    unit: bool = False,
) -> CultureBiases:
    """How each word of the themes lies between the mean female and the mean male vector, in each culture's own space.

    embeddings : code -> embedding; themes : name -> words; female, male : words; measure : axis_projection (equation 1),
    relative_norm_difference, relative_norm_ratio; unit : vectors cut to length 1 first (the paper: as trained).
    Raises ValueError for an unknown measure or a word that is in two themes.
    Friedman et al. (2019), equation 1 and Section 4.3.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure: expected one of {', '.join(MEASURES)}, got {measure!r}")
    wanted = [word for words in themes.values() for word in words]
    if len(set(wanted)) < len(wanted):
        twice = sorted({word for word in wanted if wanted.count(word) > 1})
        raise ValueError(
            f"themes: expected each word once, got {', '.join(twice)} more often; leave it in one theme"
        )
    found = pd.DataFrame(np.nan, index=pd.Index(embeddings, name="culture"), columns=wanted)
    missing = {}
    for code, embedding in embeddings.items():
        rows, of_female, of_male = (
            embedding.rows(words, missing="drop") for words in (wanted, female, male)
        )
        missing[code] = (*rows.missing, *of_female.missing, *of_male.missing)
        if len(rows.words) and len(of_female.words) and len(of_male.words):
            spaces = [
                _unit(part.vectors) if unit else part.vectors for part in (rows, of_female, of_male)
            ]
            found.loc[code, list(rows.words)] = MEASURES[measure](*spaces)
    return CultureBiases(
        found, {name: tuple(words) for name, words in themes.items()}, missing, measure
    )


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def usual_lists() -> tuple[dict[str, tuple[str, ...]], tuple[str, ...], tuple[str, ...]]:
    """The themes whose words Friedman et al. (2019) print, and the female and male words of this book's ten pairs.

    The paper does not print its female and male words.
    """
    from lib.lexicons import base_pairs, load_lexicon

    themes = {
        name: words
        for name, words in load_lexicon("friedman2019").lists.items()
        if name != "single_word"
    }
    female, male = zip(*((first.lower(), second.lower()) for first, second in base_pairs()))
    return themes, female, male
