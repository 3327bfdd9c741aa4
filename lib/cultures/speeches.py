"""How words lean in speeches by place, without any training: by their vectors in context on one
axis.

A speech is far too short to train vectors on. An encoder that is the same for all places reads each
word in its sentence, and the vectors are projected on one female–male axis, built from the female
and male words of all speeches together.

    speeches = read_speeches("governors_2019")
    projected = project_speeches(ContextEncoder(), speeches["text"], themes, female, male, rng=0)
    projected.biases(themes["criminal"])        # places × words
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from lib.language_models.encoder import ContextEncoder, whole_word

LONGEST = 60  # words of a sentence; a longer one is cut
FEWEST = 5  # places that a word, or occurrences that a place, must have


def sentences_of(text: str, longest: int = LONGEST) -> list[str]:
    """The sentences of a text, one of more than `longest` words cut into pieces.

    Examples
    --------
    >>> sentences_of("We met. All agreed that it was late", longest=4)
    ['We met.', 'All agreed that it', 'was late']
    """
    whole = (sentence.split() for sentence in re.split(r"(?<=[.!?])\s+|\n+", text))
    return [
        " ".join(words[start : start + longest])
        for words in whole
        for start in range(0, len(words), longest)
    ]


@dataclass(frozen=True, eq=False)
class SpeechBiases:
    """Words of speeches on a female–male axis.

    Attributes
    ----------
    occurrences : DataFrame
        `place`, `word`, `projection` (positive leans female), `near` (1 where the sentence also holds a female
        word and no male one, -1 the other way round, 0 otherwise).
    places : tuple of str
        Codes in order.
    axis : (int, int)
        Occurrences of female and of male words it stands on.
    """

    occurrences: pd.DataFrame = field(repr=False)
    places: tuple[str, ...] = field(repr=False)
    axis: tuple[int, int]

    def deviations(self, words: Sequence[str]) -> pd.DataFrame:
        """Occurrences of some words with the word's mean over all places taken off, as `bias`;
        positive leans female.

        So places that prefer another word of a theme do not differ by that alone.
        """
        rows = self.occurrences[self.occurrences["word"].isin(words)]
        means = rows.groupby("word")["projection"].transform("mean")
        return rows.assign(bias=rows["projection"] - means)

    def biases(self, words: Sequence[str], fewest: int = FEWEST) -> pd.DataFrame:
        """Mean deviation of each word in each place, places × words.

        NaN where it is not said; words said in fewer than `fewest` places are left out.
        """
        table = self.deviations(words).pivot_table(
            index="place", columns="word", values="bias", aggfunc="mean"
        )
        table = table.reindex(self.places)
        said = table.notna().sum() >= fewest
        return table[[word for word in words if word in table and said[word]]]

    def intervals(
        self,
        words: Sequence[str],
        resamples: int = 1000,
        *,
        fewest: int = FEWEST,
        rng: np.random.Generator | int | None = None,
    ) -> pd.DataFrame:
        """Mean deviation over all occurrences in each place that has `fewest` or more.

        Returns
        -------
        DataFrame
            `value`, `low`, `high`, `n` by place: a percentile bootstrap of 95 % over the occurrences of the
            place. That says how much of a place's value is the luck of what was said, nothing about other
            speeches or speakers.
        """
        rng, rows = np.random.default_rng(rng), {}
        for place, values in self.deviations(words).groupby("place")["bias"]:
            n = len(values)
            if n >= fewest:
                means = values.to_numpy()[rng.integers(n, size=(resamples, n))].mean(axis=1)
                rows[place] = values.mean(), *np.quantile(means, [0.025, 0.975]), n
        table = pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high", "n"])
        return table.reindex([place for place in self.places if place in table.index])

    def halves(
        self,
        words: Sequence[str],
        repetitions: int = 50,
        rng: np.random.Generator | int | None = None,
    ) -> float:
        """Correlation over places between two random halves of each place's occurrences, mean of
        the repetitions.
        """
        rng, rows = np.random.default_rng(rng), self.deviations(words)
        correlations = []
        for _ in range(repetitions):
            order = rows.assign(half=rng.permutation(len(rows))).sort_values("half")
            half = order.groupby("place").cumcount() % 2
            both = order.groupby(["place", half])["bias"].mean().unstack().dropna()
            correlations.append(both[0].corr(both[1]) if len(both) > 2 else np.nan)
        return float(np.mean(correlations))

    def coverage(
        self, words: Sequence[str], rng: np.random.Generator | int | None = None
    ) -> dict[str, float]:
        """How well a theme is covered, and whether it leans where it should.

        Returns
        -------
        dict of str to float
            Occurrences, places, `halves`, and how much further female its words lean in a sentence with female
            words than in one with male words, in standard deviations (NaN where there are none of one kind).
        """
        rows = self.deviations(words)
        near = rows[rows["near"] != 0].groupby("near")["bias"].mean()
        apart = near.get(1, np.nan) - near.get(-1, np.nan)
        return {
            "occurrences": len(rows),
            "places": rows["place"].nunique(),
            "halves correlate": self.halves(words, rng=rng),
            "beside female less beside male words, SD": apart / rows["bias"].std(),
        }


def widely_said(texts: Iterable[str], words: Iterable[str], fewest: int = 10) -> list[str]:
    """The words that stand in at least so many of the texts, in their order.

    Examples
    --------
    >>> widely_said(["A good year.", "Good roads."], ["good", "bad"], fewest=2)
    ['good']
    """
    said = Counter(word for text in texts for word in set(re.findall(r"\w+", text.lower())))
    return [word for word in words if said[word] >= fewest]


def project_speeches(
    encoder: ContextEncoder,
    texts: Mapping[str, str],
    themes: Mapping[str, Sequence[str]],
    female: Sequence[str],
    male: Sequence[str],
    *,
    most: int = 10,
    rng: np.random.Generator | int | None = None,
) -> SpeechBiases:
    """Project every theme word where it occurs on the female–male axis of all the texts together.

    The axis goes from the mean of the male words to that of the female ones (each word the mean of its
    occurrences, pooled over places) and has length 1; words that do not occur are left out.

    Parameters
    ----------
    encoder : ContextEncoder
        Reads the sentences.
    texts : dict of str to str
        Place -> text.
    themes : dict of str to sequence of str
        Name -> words.
    female, male : sequence of str
        Words of the two poles.
    most : int
        Sentences read of a word in a place, drawn at random.
    rng : Generator or int, optional
        Of that draw.

    Raises
    ------
    ValueError
        When no female or no male word occurs.

    References
    ----------
    Friedman et al. (2019), equation 1, with vectors in context instead of trained ones.
    """
    rng, sentences, places = np.random.default_rng(rng), [], []
    theme_words = [word for words in themes.values() for word in words]
    all_words = list(dict.fromkeys([*female, *male, *theme_words]))
    for place, text in texts.items():
        kept = _sample(sentences_of(text), all_words, most, rng)
        sentences += kept
        places += [place] * len(kept)
    seen = encoder.occurrences(sentences, all_words)
    words = np.array(seen.words)
    axis = np.subtract(*(_mean_of_words(seen.vectors, words, side) for side in (female, male)))
    near = np.array([_side(sentence, female, male) for sentence in sentences])[seen.sentences]
    table = pd.DataFrame(
        {
            "place": np.array(places)[seen.sentences],
            "word": words,
            "near": near,
            "projection": seen.vectors @ (axis / np.linalg.norm(axis)),
        }
    )
    of_themes = table[table["word"].isin(theme_words)].reset_index(drop=True)
    counts = tuple(int(np.isin(words, list(side)).sum()) for side in (female, male))
    return SpeechBiases(of_themes, tuple(texts.keys()), counts)


def _sample(
    sentences: Sequence[str], words: Sequence[str], most: int, rng: np.random.Generator
) -> list[str]:
    """Sentences with up to `most` of each word, in their order."""
    pattern, holding = whole_word(words), defaultdict(list)
    for number, sentence in enumerate(sentences):
        for word in {match.group().casefold() for match in pattern.finditer(sentence)}:
            holding[word].append(number)
    kept = {number for word in sorted(holding) for number in rng.permutation(holding[word])[:most]}
    return [sentences[number] for number in sorted(kept)]


def _mean_of_words(vectors: np.ndarray, words: np.ndarray, side: Sequence[str]) -> np.ndarray:
    means = [vectors[words == word].mean(axis=0) for word in side if (words == word).any()]
    if not means:
        raise ValueError(
            f"expected texts with one of the words {', '.join(side)}, got none; give other words"
        )
    return np.mean(means, axis=0)


def _side(sentence: str, female: Sequence[str], male: Sequence[str]) -> int:
    said = set(re.findall(r"\w+", sentence.casefold()))
    return int(bool(said & set(female))) - int(bool(said & set(male)))
