"""Word similarity: pairs that people have judged, how well cosines follow them, and what a change of the vectors leaves of both."""

from __future__ import annotations

import csv
import io
from collections.abc import Container
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, real_numbers, unit_rows, vectors
from lib.sources import fetch

Array = NDArray[np.floating]
SETS = {  # name in Karve, Ungar & Sedoc (2019), Table 8 -> registry key
    "RG65": "vecto_rg_65",
    "WS": "bench_wordsim353",
    "RW": "vecto_rw",
    "MEN": "vecto_men",
    "MTurk": "vecto_mturk_287",
    "SimLex": "bench_simlex_999",
    "SimVerb": "vecto_simverb_3500",
}


def read_similarity(name: str) -> pd.DataFrame:
    """The pairs of one of `SETS`, each once: `first`, `second`, and `score` on the set's own scale, higher for more alike.

    MEN's tags of word class ("sun-n") are taken off.
    """
    one_of("similarity set", name, SETS)
    path = fetch(SETS[name])
    text = path.read_text(encoding="utf-8-sig")
    columns = ["first", "second", "score"]
    if "\t" in text:
        pairs = pd.read_csv(
            io.StringIO(text), sep="\t", names=columns, quoting=csv.QUOTE_NONE, dtype=str
        )
        pairs = pairs[~pairs["first"].str.startswith("#")]
    else:
        pairs = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
        pairs = pairs[["word1", "word2", "similarity"]].set_axis(columns, axis="columns")
        pairs.index += 1  # the first line names the columns
    pairs["score"] = pd.to_numeric(pairs["score"], errors="coerce")
    flawed = pairs[pairs.isna().any(axis="columns")]
    if len(flawed):
        raise ValueError(
            f"{path}: expected two words and a number in line {flawed.index[0] + 1}, "
            f"got {flawed.iloc[0].tolist()}"
        )
    words = pairs[["first", "second"]]
    if words.apply(lambda column: column.str.fullmatch(r".+-[a-z]")).all(axis=None):
        pairs[["first", "second"]] = words.apply(lambda column: column.str[:-2])
    return pairs.drop_duplicates(ignore_index=True)


def held_pairs(pairs: pd.DataFrame, vocabulary: Container[str]) -> pd.DataFrame:
    """The judged pairs of which a vocabulary holds both words, each word as it is held there: as written or in small letters."""

    def held_form(word: str) -> str | None:
        return next((form for form in (word, word.lower()) if form in vocabulary), None)

    forms = pairs.assign(first=pairs["first"].map(held_form), second=pairs["second"].map(held_form))
    return forms.dropna(subset=["first", "second"])


class Preserved(NamedTuple):
    """Pearson's correlation of the cosines of random pairs before and after, and the share of nearest neighbours that stay."""

    cosines: float
    neighbours: float


def similarity_correlation(first: ArrayLike, second: ArrayLike, scores: ArrayLike) -> float:
    """Pearson's correlation of the cosines of word pairs (n, d) with people's scores: Karve, Ungar and Sedoc (2019), Table 8, there times 100."""
    cosines = _cosines(first, second)
    return float(_pearson(cosines, _scores(scores, len(cosines))))


def similarity_change(
    before: tuple[ArrayLike, ArrayLike],
    after: tuple[ArrayLike, ArrayLike],
    scores: ArrayLike,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float, float]:
    """What a change of the vectors does to `similarity_correlation`, positive where it grows, with the ends of a percentile interval over pairs."""
    cosines = np.stack([_cosines(*before), _cosines(*after)])
    judged = _scores(scores, cosines.shape[1])
    pairs = np.random.default_rng(rng).integers(0, len(judged), (resamples, len(judged)))
    draws = [_pearson(values[pairs], judged[pairs]) for values in cosines]
    low, high = np.nanquantile(draws[1] - draws[0], [(1 - level) / 2, (1 + level) / 2])
    correlations = _pearson(cosines, judged)
    return float(correlations[1] - correlations[0]), float(low), float(high)


def preserved_similarity(
    before: ArrayLike,
    after: ArrayLike,
    *,
    pairs: int = 5000,
    words: int = 300,
    k: int = 10,
    rng: np.random.Generator | int | None = None,
) -> Preserved:
    """How much of the cosines of random pairs, and of the k neighbours of random words, a change of a vocabulary (n, d) preserves."""
    states = unit_rows("before", before), unit_rows("after", after)
    generator, n = np.random.default_rng(rng), len(states[0])
    i, j = generator.integers(0, n, (2, pairs))
    i, j = i[i != j], j[i != j]
    cosines = [np.einsum("pd,pd->p", unit[i], unit[j]) for unit in states]
    chosen = generator.choice(n, min(words, n), replace=False)
    nearest = [np.argsort(-(unit[chosen] @ unit.T), axis=1)[:, 1 : k + 1] for unit in states]
    shares = [len(np.intersect1d(*rows)) / k for rows in zip(*nearest, strict=True)]
    return Preserved(float(np.corrcoef(*cosines)[0, 1]), float(np.mean(shares)))


def _pearson(x: Array, y: Array) -> Array:
    """Correlations along the last axis; NaN where one side does not vary."""
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    size = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((x * y).sum(axis=-1) / size)


def _scores(scores: ArrayLike, n: int) -> Array:
    values = real_numbers("scores", scores)
    if values.shape != (n,) or not np.ptp(values) > 0:
        raise ValueError(
            f"scores: expected {n} that are not all equal, got shape {values.shape}; "
            "give one for each pair"
        )
    return values


def _cosines(first: ArrayLike, second: ArrayLike) -> Array:
    """Cosine of each pair of rows, of three pairs or more."""
    a, b = (
        vectors(name, real_numbers(name, rows), at_least=3)
        for name, rows in (("first", first), ("second", second))
    )
    if a.shape != b.shape:
        raise ValueError(f"expected two arrays (n, d) of one shape, got {a.shape} and {b.shape}")
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    if not (sizes > 0).all():
        raise ValueError(
            f"expected vectors with a length, got zeros in pair {int(sizes.argmin())}; leave it out"
        )
    return np.asarray(np.einsum("nd,nd->n", a, b) / sizes)
