"""How words lean in speeches by place, without any training: by their vectors in context on one axis.

A speech is far too short to train vectors on. An encoder that is the same for all places reads each word in its sentence, and the
vectors are projected on one female–male axis, built from the female and male words of all speeches together.
"""

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.datasets.statistics import statistics_table
from lib.language_models.encoder import ContextEncoder, whole_word
from lib.sources import fetch

COLLECTIONS = ("governors_2019", "general_debate_2017")

LONGEST = 60  # words of a sentence; a longer one is cut
FEWEST = 5  # places that a word, or occurrences that a place, must have


def read_speeches(name: str) -> pd.DataFrame:
    """Speeches by the code of their place: `name`, `group`, `tokens` (number of words) and `text`.

    "governors_2019" are State of the State addresses of 50 governors (group: census region and the governor's party),
    "general_debate_2017" is the General Debate of the United Nations (group: region of the world; speakers of no country of ISO
    3166-1 are left out).
    """
    one_of("name", name, COLLECTIONS)
    table = _governors() if name == "governors_2019" else _general_debate()
    tokens = [len(re.findall(r"\w+", text)) for text in table["text"]]
    return table.assign(tokens=tokens)[["name", "group", "tokens", "text"]]


def _governors() -> pd.DataFrame:
    states = statistics_table("us_states")
    index = pd.read_csv(fetch("sots_index"), dtype=str, keep_default_na=False)
    code_of = {name: code for code, name in states["name"].items()}
    codes = pd.Index(index["state"].map(code_of), name="code")
    keys = "sots_" + index["state"].str.lower().str.replace(" ", "")
    texts = [fetch(key).read_text(encoding="utf-8") for key in keys]
    groups = states.loc[codes, "region"].to_numpy() + ", " + index["party"].to_numpy()
    return pd.DataFrame({"name": index["state"].to_numpy(), "group": groups, "text": texts}, codes)


def _general_debate() -> pd.DataFrame:
    import rdata

    def corpus(texts, attributes):
        return pd.DataFrame(
            {"text": texts, "code": attributes["docvars"]["country_iso"].to_numpy()}
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes that rdata does not know and we do not need
        classes = {**rdata.conversion.DEFAULT_CLASS_MAP, "corpus": corpus}
        path = fetch("un_general_debate_2017")
        (table,) = rdata.read_rda(path, default_encoding="utf8", constructor_dict=classes).values()
    countries = statistics_table("countries")[["name", "region"]]
    speeches = table.set_index("code").join(countries, how="inner").sort_index()
    return speeches.rename(columns={"region": "group"})


def sentences_of(text: str, longest: int = LONGEST) -> list[str]:
    """The sentences of a text, one of more than `longest` words cut into pieces."""
    whole = (sentence.split() for sentence in re.split(r"(?<=[.!?])\s+|\n+", text))
    return [
        " ".join(words[start : start + longest])
        for words in whole
        for start in range(0, len(words), longest)
    ]


@dataclass(frozen=True, eq=False)
class SpeechBiases:
    """Words of speeches on a female–male axis."""

    # place, word, projection (positive leans female), near (1: a female word and no male one in the sentence, -1: the other way round)
    occurrences: pd.DataFrame = field(repr=False)
    places: tuple[str, ...] = field(repr=False)  # codes in order
    axis: tuple[int, int]  # occurrences of female and of male words it stands on

    def deviations(self, words: Sequence[str]) -> pd.DataFrame:
        """Occurrences of some words with the word's mean over all places taken off, as `bias`; positive leans female.

        So places that prefer another word of a theme do not differ by that alone.
        """
        rows = self.occurrences[self.occurrences["word"].isin(words)]
        means = rows.groupby("word")["projection"].transform("mean")
        return rows.assign(bias=rows["projection"] - means)

    def biases(self, words: Sequence[str], fewest: int = FEWEST) -> pd.DataFrame:
        """Mean deviation of each word in each place, places × words: NaN where it is not said, without words said in fewer than `fewest` places."""
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
        """Mean deviation over all occurrences in each place that has `fewest` or more: `value`, `low`, `high`, `n`.

        The percentile bootstrap of 95 % over the occurrences of a place says how much of its value is the luck of what was said,
        nothing about other speeches or speakers.
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
        """Correlation over places between two random halves of each place's occurrences, mean of the repetitions."""
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
        """How well a theme is covered, and whether it leans where it should: its words further female in a sentence with female words than
        in one with male words, in standard deviations (NaN where there are none of one kind)."""
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
    """The words that stand in at least so many of the texts, in their order."""
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

    As Friedman et al. (2019), equation 1, with vectors in context. The axis goes from the mean of the male words to that of the
    female ones (each word the mean of its occurrences, pooled over places) and has length 1; words that do not occur are left out.
    At most `most` sentences are read of a word in a place, drawn at random.
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
