"""Random words beside the themes of many cultures: what any word leans there, whatever it means.

Vectors that were trained too little all point almost the same way. The female and the male mean differ along that way by
chance, and the difference is added to the lean of *every* word of a place: themes that share no word then rise and fall
together. Random words do so as well, and tell.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.cultures.biases import CultureBiases, mean_word_correlation, word_biases
from lib.cultures.regression import theme_bias
from lib.embeddings import Embedding
from lib.inference.bootstrap import bca_interval
from lib.inference.random_words import random_words

FEWEST_CULTURES = 10  # below, a correlation over them says nothing
MOSTLY_SHARED = 0.5**0.5  # correlation from which random words have half of a theme's variance
READINGS = {
    "beyond": "its words move together from place to place, more than random words do",
    "no more": "its words move together no more than random words do",
    "as random words": "it moves as random words do: what it shows is training, not the theme",
    "not tried": f"fewer than {FEWEST_CULTURES} places, two words, or too few random words",
}


@dataclass(frozen=True, eq=False)
class Controls:
    """What random words say of the leans of some themes.

    Attributes
    ----------
    leans : DataFrame
        A row for each culture and theme: low and high, the 95 % interval of the lean over its words (NaN for fewer than
        three); random, the mean lean of random sets of as many words there, and random low and random high, between
        which 95 % of them lie.
    themes : DataFrame
        A row for each theme: words, agreement (mean correlation over places of two of its words, less what random words
        do), random agreement (its 95 % point in random sets), p (share of random sets that agree as much), r with random words (of the theme's lean
        with the mean of random words, over places), and reading, one of `READINGS`.
    between_themes : float
        Mean correlation of two themes over places; NaN for one theme or few places.
    draws : int
        Random sets for each theme; 0 where the places share too few words.
    random : dict of str to (draws, cultures) array
        Theme -> the leans of its random sets.
    """

    leans: pd.DataFrame = field(repr=False)
    themes: pd.DataFrame
    between_themes: float
    draws: int
    random: Mapping[str, NDArray[np.floating]] = field(repr=False)

    @property
    def warning(self) -> str:
        """What a reader must know before any lean is read, nothing where all is well."""
        alike = self.themes["reading"] == "as random words"
        if not alike.any():
            return ""
        r = self.themes["r with random words"][alike]
        together = ""
        if len(self.themes) > 1:
            together = f" Two themes correlate by {self.between_themes:.2f} in the mean."
        return (
            f"Over the places, {', '.join(self.themes.index[alike])} rise and fall with random words (r of {r.min():.2f} to "
            f"{r.max():.2f}).{together} Such leans tell how vectors were trained, not what is said: give more text, "
            "more --epochs or fewer --dimensions."
        )


def control(
    embeddings: Mapping[str, Embedding],
    biases: CultureBiases,
    female: Sequence[str],
    male: Sequence[str],
    *,
    draws: int = 200,
    resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Controls:
    """Set random words of like frequency beside each theme, in all cultures the same.

    Parameters
    ----------
    embeddings : dict of str to Embedding
        Code of the culture -> its vectors, the most frequent word first.
    biases : CultureBiases
        The leans of the themes there.
    female, male : sequence of str
        The lists that the leans were measured with.
    draws : int
        Random sets for each theme.
    resamples : int
        Of the words of a theme, for the interval of its lean.
    rng : Generator or int, optional
        Of words and resamples.

    Returns
    -------
    Controls

    References
    ----------
    Friedman et al. (2019) keep four sets of random words beside their themes, as `chapters/cross_cultural` does.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> words = ["she", "he", "nurse", "nanny", *(f"w{number}" for number in range(80))]
    >>> places = [f"p{number:02d}" for number in range(12)]
    >>> spaces = {place: Embedding(words, rng.normal(size=(84, 4)), ranked=True) for place in places}
    >>> biases = word_biases(spaces, {"care": ["nurse", "nanny"]}, ["she"], ["he"])
    >>> control(spaces, biases, ["she"], ["he"], rng=0).themes["reading"].tolist()
    ['no more']
    """
    generator = np.random.default_rng(rng)
    sets, table = _random_sets(embeddings, biases, female, male, draws, generator)
    centre = table.mean(axis=1)
    leans, themes, bands = {}, {}, {}
    for theme in biases.themes:
        own = biases.theme(theme)
        drawn = [table[list(words)] for words in sets.get(theme, ())]
        random = np.array([theme_bias(words) for words in drawn])
        bands[theme] = random.reshape(len(drawn), len(own))
        leans[theme] = _ends(own, bands[theme], resamples, generator)
        themes[theme] = _agreement(own, drawn, centre)
    rows = pd.concat(leans, names=["theme", "culture"]).swaplevel()
    between = biases.means().corr(min_periods=FEWEST_CULTURES).to_numpy()
    pairs = between[np.triu_indices(len(between), 1)]
    pairs = pairs[~np.isnan(pairs)]
    return Controls(
        rows,
        pd.DataFrame.from_dict(themes, orient="index"),
        float(pairs.mean()) if len(pairs) else np.nan,
        draws if sets else 0,
        bands,
    )


def _random_sets(
    embeddings: Mapping[str, Embedding],
    biases: CultureBiases,
    female: Sequence[str],
    male: Sequence[str],
    draws: int,
    rng: np.random.Generator,
) -> tuple[dict[str, list[tuple[str, ...]]], pd.DataFrame]:
    """For each theme some sets of random words, and the leans of all of these; nothing where the
    places share too few words.
    """
    vocabulary = shared_words(embeddings, {*female, *male})
    place = {word: row for row, word in enumerate(vocabulary)}
    positions = [place.get(word, -1) for words in biases.themes.values() for word in words]
    try:
        drawn = random_words(positions, len(vocabulary), draws, rng=rng)
    except ValueError:
        return {}, pd.DataFrame(index=biases.words.index, dtype=float)
    words, sets, start = np.array(vocabulary, dtype=object)[drawn], {}, 0
    for theme, listed in biases.themes.items():
        sets[theme] = [tuple(row) for row in words[:, start : start + len(listed)]]
        start += len(listed)
    every = {"random": sorted(set(words.ravel()))}
    return sets, word_biases(embeddings, every, female, male, measure=biases.measure).words


def shared_words(embeddings: Mapping[str, Embedding], without: set[str]) -> list[str]:
    """The words that half of the places have or more, the most frequent first, no token."""
    places, ranks = Counter(), Counter()
    for embedding in embeddings.values():
        for rank, word in enumerate(embedding.words):
            places[word] += 1
            ranks[word] += rank / len(embedding)
    shared = [
        word
        for word, count in places.items()
        if 2 * count >= len(embeddings) and word not in without and word[:1] != "<"
    ]
    return sorted(shared, key=lambda word: (ranks[word] / places[word], word))


def _ends(
    own: pd.DataFrame, bands: NDArray[np.floating], resamples: int, rng: np.random.Generator
) -> pd.DataFrame:
    """The interval of a theme's lean over its words, and the band of random sets, by culture."""
    rows = []
    for leans in own.to_numpy():
        leans, ends = leans[~np.isnan(leans)], (np.nan, np.nan)
        if len(leans) > 2 and np.ptp(leans) > 0:
            ends = bca_interval(
                lambda drawn, leans=leans: leans[drawn].mean(axis=-1),
                [len(leans)],
                n_resamples=resamples,
                rng=rng,
            )
        rows.append(ends)
    table = pd.DataFrame(rows, own.index, ["low", "high"])
    table[["random", "random low", "random high"]] = np.nan
    known = ~np.isnan(bands).all(axis=0) if len(bands) else np.zeros(len(own), bool)
    if known.any():
        low, high = np.nanquantile(bands[:, known], [0.025, 0.975], axis=0)
        middle = np.nanmean(bands[:, known], axis=0)
        table.loc[known, ["random", "random low", "random high"]] = np.array([middle, low, high]).T
    return table


def _agreement(
    own: pd.DataFrame, drawn: Sequence[pd.DataFrame], centre: pd.Series
) -> dict[str, object]:
    """Whether the words of a theme move together over places, beside random sets."""
    mean = pd.Series(theme_bias(own), own.index)
    r = mean.corr(centre, min_periods=FEWEST_CULTURES) if len(drawn) else np.nan
    agreement, limit, p = np.nan, np.nan, np.nan
    if not np.isnan(r):
        agreement = mean_word_correlation(own.sub(centre, axis=0), FEWEST_CULTURES)
        random = [mean_word_correlation(w.sub(centre, axis=0), FEWEST_CULTURES) for w in drawn]
        random = [value for value in random if not np.isnan(value)]
        if random and not np.isnan(agreement):
            limit = float(np.quantile(random, 0.95))
            p = (1 + sum(value >= agreement for value in random)) / (1 + len(random))
    reading = "not tried"
    if r >= MOSTLY_SHARED:
        reading = "as random words"
    elif not np.isnan(p):
        reading = "beyond" if agreement > limit else "no more"
    return {
        "words": own.notna().any().sum(),
        "agreement": agreement,
        "random agreement": limit,
        "p": p,
        "r with random words": r,
        "reading": reading,
    }
