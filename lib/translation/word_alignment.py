"""Which word of a translation stands for which of its source, learned from the pairs themselves.

IBM model 1 with a preference for the diagonal, as in fast_align (Dyer, Chahuneau & Smith 2013),
without its fitted tension.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

TENSION, UNALIGNED = 4.0, 0.08  # fast_align's starting values
SMOOTHING = 0.01


def align_words(
    sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]], iterations: int = 5
) -> list[NDArray[np.float64]]:
    """How probably each target word translates each source word: a (source, target) array for each sentence, in [0, 1], whose
    columns sum to at most 1, the rest being that the word translates none. By expectation maximisation, deterministic; Brown
    et al. (1993), model 1, and Dyer, Chahuneau & Smith (2013).
    """
    if len(sources) != len(targets):
        raise ValueError(
            f"expected a translation for each source, got {len(targets)} for {len(sources)}"
        )
    pairs = list(zip(sources, targets))
    english: dict[str, int] = {}
    foreign: dict[str, int] = {}
    rows, places, words, prior, start = [], [], [], [], 0
    for source, target in pairs:
        n, m = len(source), len(target)
        i, j = np.tile(np.arange(n), m), np.repeat(np.arange(m), n)
        known = np.array(
            [english.setdefault(word, len(english)) for word in source], dtype=np.int64
        )
        other = np.array(
            [foreign.setdefault(word, len(foreign)) for word in target], dtype=np.int64
        )
        rows.append(start + j)
        places.append(i)
        words.append(known[i] << 32 | other[j])
        prior.append(np.exp(-TENSION * np.abs((i + 1) / max(n, 1) - (j + 1) / max(m, 1))))
        start += m
    if not sum(map(len, rows)):
        return [np.zeros((len(source), len(target))) for source, target in pairs]
    rows, places, words, prior = map(np.concatenate, (rows, places, words, prior))
    prior *= (1 - UNALIGNED) / np.bincount(rows, prior, start)[rows]
    kinds, pair = np.unique(words, return_inverse=True)
    owner = kinds >> 32
    chance, none = np.full(len(kinds), 1 / len(foreign)), UNALIGNED / len(foreign)
    for step in range(iterations + 1):
        weight = prior * chance[pair]
        total = np.bincount(rows, weight, start) + none
        weight /= total[rows]
        if step < iterations:
            counts = np.bincount(pair, weight, len(kinds)) + SMOOTHING
            chance = counts / np.bincount(owner, counts)[owner]
    sizes = [len(source) * len(target) for source, target in pairs]
    parts = np.split(weight, np.cumsum(sizes)[:-1])
    return [
        part.reshape(len(target), len(source)).T for part, (source, target) in zip(parts, pairs)
    ]
