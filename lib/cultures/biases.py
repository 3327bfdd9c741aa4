"""Biases of words in the embeddings of many cultures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from lib.checks import one_of, unit_rows
from lib.cultures.regression import theme_bias
from lib.embeddings import Embedding
from lib.lexicons import base_pairs, load_lexicon
from lib.measures.word_bias import axis_projection, relative_norm_difference, relative_norm_ratio

MEASURES = {
    "axis_projection": axis_projection,
    "relative_norm_difference": relative_norm_difference,
    "relative_norm_ratio": relative_norm_ratio,
}


@dataclass(frozen=True, eq=False)
class CultureBiases:
    """The bias of each word of some themes in each culture.

    Attributes
    ----------
    words : DataFrame
        Cultures × words; positive leans female (for the ratio: above 1), NaN where a culture lacks the word or
        one of the two lists.
    themes : dict of str to tuple of str
        Name -> words.
    missing : dict of str to tuple of str
        Culture -> words it lacks, of the themes and of the female and male lists.
    measure : str
        A name of `MEASURES`.
    """

    words: pd.DataFrame
    themes: Mapping[str, Sequence[str]]
    missing: Mapping[str, tuple[str, ...]] = field(repr=False)
    measure: str

    def theme(self, name: str) -> pd.DataFrame:
        """The biases of one theme, cultures × words."""
        return self.words[list(self.themes[name])]

    def means(self) -> pd.DataFrame:
        """The bias of each theme in each culture, cultures × themes: the mean over its words that
        are there.
        """
        means = {name: theme_bias(self.theme(name)) for name in self.themes}
        return pd.DataFrame(means, self.words.index)

    def table(self) -> pd.DataFrame:
        """One row for each culture and theme: bias, number of words it stands on, the words that
        are missing.
        """
        means, rows = self.means(), []
        for code in self.words.index:
            for name, words in self.themes.items():
                missing = [word for word in words if np.isnan(self.words.at[code, word])]
                count = len(words) - len(missing)
                rows.append((code, name, means.at[code, name], count, " ".join(missing)))
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
    """How each word of the themes lies between the mean female and the mean male vector, in each
    culture's own space.

    Parameters
    ----------
    embeddings : dict of str to Embedding
        Code of the culture -> its vectors.
    themes : dict of str to sequence of str
        Name -> words, no word in two themes.
    female, male : sequence of str
        Words of the two poles.
    measure : str
        "axis_projection" (equation 1), "relative_norm_difference" or "relative_norm_ratio".
    unit : bool
        Whether vectors are cut to length 1 first; the paper takes them as trained.

    Raises
    ------
    ValueError
        For an unknown measure or a word that is in two themes.

    References
    ----------
    Friedman et al. (2019), equation 1 and Section 4.3.

    Examples
    --------
    >>> here = Embedding(["she", "he", "nurse"], [[3.0, 0.0], [1.0, 0.0], [1.5, 1.0]])
    >>> biases = word_biases({"TX": here}, {"care": ["nurse", "nanny"]}, ["she"], ["he"])
    >>> float(biases.means().at["TX", "care"])
    1.5
    >>> biases.missing
    {'TX': ('nanny',)}
    """
    one_of("measure", measure, MEASURES)
    theme_words = [word for words in themes.values() for word in words]
    if len(set(theme_words)) < len(theme_words):
        twice = sorted({word for word in theme_words if theme_words.count(word) > 1})
        raise ValueError(
            f"themes: expected each word once, got {', '.join(twice)} more often; "
            "leave it in one theme"
        )
    table = pd.DataFrame(np.nan, pd.Index(embeddings, name="culture"), theme_words)
    missing = {}
    for code, embedding in embeddings.items():
        lists = [embedding.rows(words, missing="drop") for words in (theme_words, female, male)]
        missing[code] = tuple(word for rows in lists for word in rows.missing)
        if all(len(rows.words) for rows in lists):
            vectors = [
                unit_rows(name, rows.vectors) if unit else rows.vectors
                for name, rows in zip(("themes", "female", "male"), lists)
            ]
            table.loc[code, list(lists[0].words)] = MEASURES[measure](*vectors)
    return CultureBiases(
        table, {name: tuple(words) for name, words in themes.items()}, missing, measure
    )


def mean_word_correlation(biases: pd.DataFrame, fewest: int = 10) -> float:
    """Mean correlation over cultures of any two words of a theme, NaN where there are no two.

    Parameters
    ----------
    biases : DataFrame
        Cultures × words.
    fewest : int
        Cultures that two words must share.

    Examples
    --------
    >>> round(mean_word_correlation(pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3], "c": [3, 2, 1]}), 3), 3)
    -0.333
    """
    table = biases.corr(min_periods=fewest).to_numpy()
    pairs = table[np.triu_indices(len(table), 1)]
    pairs = pairs[~np.isnan(pairs)]
    return float(pairs.mean()) if len(pairs) else float("nan")


def usual_lists() -> tuple[dict[str, tuple[str, ...]], tuple[str, ...], tuple[str, ...]]:
    """The themes whose words Friedman et al. (2019) print, and the female and male words of this
    book's ten pairs.

    The paper does not print its female and male words.
    """
    themes = dict(load_lexicon("friedman2019").lists)
    del themes["single_word"]
    pairs = [(female.lower(), male.lower()) for female, male in base_pairs()]
    female, male = zip(*pairs)
    return themes, female, male
