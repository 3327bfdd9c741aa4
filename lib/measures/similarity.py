"""Word similarity: how well cosines follow what people say of pairs of words, before and after the vectors are changed."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.embeddings.embedding import Embedding

Array = NDArray[np.floating]


class Judged(NamedTuple):
    """Two words and what people said of their similarity; the scale is the data set's own."""

    first: str
    second: str
    score: float


@dataclass(frozen=True, eq=False)
class HeldPairs:
    """The judged pairs an embedding holds: vectors first and second, both (n, d); scores (n,); kept and missing pairs."""

    first: Array
    second: Array
    scores: Array
    kept: tuple[Judged, ...]
    missing: tuple[Judged, ...]


def read_similarity(path: str | Path) -> list[Judged]:
    """The pairs of a similarity data set: CSV with columns word1, word2, similarity, or three columns parted by tabs.

    Lines that start with # are passed over; tags of word class as in MEN ("sun-n") are taken off where every word has one.
    Raises ValueError naming the line when a row is not two words and a number.
    """
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    if "\t" in "".join(lines[:3]):
        rows = [line.split("\t") for line in lines]
    else:
        table = list(csv.reader(lines))
        places = [
            table[0].index(name) for name in ("word1", "word2", "similarity") if name in table[0]
        ]
        rows = [["#"], *([row[place] for place in places] for row in table[1:] if row)]
    found = [
        _judged(row, number, path)
        for number, row in enumerate(rows, 1)
        if row and row[0] and row[0][0] != "#"
    ]
    if found and all(word[-2:-1] == "-" for pair in found for word in pair[:2]):
        found = [Judged(first[:-2], second[:-2], score) for first, second, score in found]
    return found


def _judged(row: list[str], number: int, path: str | Path) -> Judged:
    try:
        first, second, score = row
        return Judged(first, second, float(score))
    except ValueError:
        raise ValueError(
            f"{path}: expected two words and a number in line {number}, got {row}"
        ) from None


def held_pairs(e: Embedding, pairs: Iterable[Judged]) -> HeldPairs:
    """The judged pairs of which an embedding holds both words, as written or in small letters, with their raw vectors.

    Raises ValueError when it holds fewer than three.
    """
    found, missing = {}, []
    for pair in pairs:
        words = [
            next((form for form in (word, word.lower()) if form in e), None) for word in pair[:2]
        ]
        if None in words:
            missing.append(pair)
        else:
            found[pair] = words
    if len(found) < 3:
        raise ValueError(
            f"{e.name}: expected three pairs or more whose words it holds, got {len(found)}"
        )
    first, second = (e.rows(list(side)).vectors for side in zip(*found.values()))
    return HeldPairs(
        first, second, np.array([pair.score for pair in found]), tuple(found), tuple(missing)
    )


def similarity_correlation(first: ArrayLike, second: ArrayLike, scores: ArrayLike) -> float:
    """Pearson's correlation of the cosines of word pairs with people's scores.

    first, second : (n, d), row j of one beside row j of the other; scores : (n,). Returns a number in [-1, 1].
    Raises ValueError when shapes disagree, a vector has no length, or all cosines or scores are equal.
    Karve, Ungar & Sedoc (2019), Table 8, which prints it times 100.
    """
    return float(_pearson(_cosines(first, second), _scores(scores, first)))


def similarity_change(
    before: HeldPairs,
    after: tuple[ArrayLike, ArrayLike],
    *,
    resamples: int = 1000,
    level: float = 0.95,
    rng=None,
) -> tuple[float, float, float]:
    """What a change of the vectors does to `similarity_correlation`, with an interval over pairs.

    before : the pairs with their vectors as they were; after : first (n, d) and second (n, d) as they are now;
    resamples : bootstrap draws of pairs, each the same before and after. Returns (change, low, high), percentile interval.
    """
    cosines = np.stack([_cosines(before.first, before.second), _cosines(*after)])
    drawn = np.random.default_rng(rng).integers(
        0, len(before.scores), (resamples, len(before.scores))
    )
    draws = [_pearson(side[drawn], before.scores[drawn]) for side in cosines]
    low, high = np.nanquantile(draws[1] - draws[0], [(1 - level) / 2, (1 + level) / 2])
    now = _pearson(cosines, before.scores)
    return float(now[1] - now[0]), float(low), float(high)


def _pearson(x: Array, y: Array) -> Array:
    x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    size = np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (x * y).sum(axis=-1) / size


def _scores(scores: ArrayLike, rows: ArrayLike) -> Array:
    scores = np.asarray(scores, np.float64)
    if scores.shape != (len(rows),) or not np.ptp(scores) > 0:
        raise ValueError(
            f"scores: expected {len(rows)} that are not all equal, got shape {scores.shape}"
        )
    return scores


def _cosines(first: ArrayLike, second: ArrayLike) -> Array:
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError(
            f"expected two arrays (n, d) of one shape, got {first.shape} and {second.shape}"
        )
    sizes = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    if not (sizes > 0).all():
        raise ValueError(
            f"expected vectors with a length, got zeros in pair {int(sizes.argmin())}; leave it out"
        )
    return np.einsum("nd,nd->n", first, second) / sizes
