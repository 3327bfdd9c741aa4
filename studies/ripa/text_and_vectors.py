"""How much of a lean stands in the text, how much in vectors trained on it, and how much is noise: Table 2.

Scores of n words with p base pairs, positive female: of a text (n, p) from `counts.genderedness`, NaN where a count is
zero, and of vectors (r, n, p), by `lib.measures.ripa` in each of r trainings on that text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked
from lib.inference.two_way import words_and_pairs_interval

Floats = NDArray[np.float64]
HALVES = ("text a", "text b", "vectors a", "vectors b", "vectors")


def mean_over_pairs(scores: ArrayLike, known: ArrayLike) -> Floats:
    """The mean (..., n) over the pairs that are known, the same for text and vectors; NaN for a word without one."""
    known = unmasked("known", known)
    counted = np.where(known.any(axis=-1), known.sum(axis=-1), np.nan)
    return np.asarray(np.where(known, unmasked("scores", scores), 0).sum(axis=-1) / counted)


def known_cells(text: ArrayLike, **sides: ArrayLike) -> NDArray[np.bool_]:
    """Which cells of a text (n, p) are known; an error, by the name of the side, where another has other words or pairs."""
    cells = real_numbers("text", text)
    shapes = {name: real_numbers(name, side).shape for name, side in sides.items()}
    if cells.ndim != 2 or not cells.size:
        raise ValueError(
            f"text: expected (words, pairs), one or more of each; got shape {cells.shape}"
        )
    for name, shape in shapes.items():
        if shape[-2:] != cells.shape:
            raise ValueError(
                f"{name}: expected the words and pairs of the text, (..., {cells.shape[0]}, {cells.shape[1]}); "
                f"got shape {shape}"
            )
    return ~np.isnan(cells)


def text_beside_vectors(text: ArrayLike, vectors: ArrayLike, words: Sequence[str]) -> pd.DataFrame:
    """Each word with a known pair: text; vectors, low and high, the mean and range over trainings; size, their mean |lean|."""
    known = ~np.isnan(real_numbers("text", text))
    runs = mean_over_pairs(vectors, known)
    columns = {
        "text": mean_over_pairs(text, known),
        "vectors": runs.mean(axis=0),
        "low": runs.min(axis=0),
        "high": runs.max(axis=0),
        "size": np.abs(runs).mean(axis=0),
    }
    return pd.DataFrame(columns, index=list(words)).dropna()


def sizes(text: ArrayLike, vectors: ArrayLike) -> tuple[float, float]:
    """Mean absolute lean of words in the text and in the vectors, over the same pairs: Table 2. NaN where none is known."""
    known = known_cells(text, vectors=vectors)
    held = known.any(axis=1)
    if not held.any():
        return np.nan, np.nan
    in_text, in_vectors = (np.abs(mean_over_pairs(s, known)[..., held]) for s in (text, vectors))
    return float(in_text.mean()), float(in_vectors.mean())


def sizes_with_intervals(
    text: ArrayLike,
    vectors: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Rows text, vectors and change (vectors less text) of `sizes`: value, and low and high over words and pairs."""
    statistics: dict[str, Callable[..., float]] = {
        "text": lambda a, b: sizes(a, b)[0],
        "vectors": lambda a, b: sizes(a, b)[1],
        "change": lambda a, b: sizes(a, b)[1] - sizes(a, b)[0],
    }
    rows = {
        side: (
            statistic(text, vectors),
            *words_and_pairs_interval(statistic, text, vectors, n_resamples=n_resamples, rng=rng),
        )
        for side, statistic in statistics.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["value", "low", "high"])


def scores_of_halves(text: ArrayLike, vectors: Sequence[ArrayLike]) -> pd.DataFrame:
    """The lean of each word in two halves of a text, which share no noise, over the pairs that both know, in columns `HALVES`.

    Takes texts (2, n, p), and the trainings on each half and on the whole, (r_a, n, p), (r_b, n, p) and (r, n, p).
    """
    text = unmasked("text", text)
    known = ~np.isnan(text[0] + text[1])
    means = [unmasked("vectors", runs).mean(axis=0) for runs in vectors]
    columns = np.column_stack([mean_over_pairs(scores, known) for scores in (*text, *means)])
    return pd.DataFrame(columns[known.any(axis=1)], columns=list(HALVES))


def noise_of_halves(halves: pd.DataFrame) -> dict[str, float]:
    """Of `scores_of_halves`: how alike the halves are, their root mean square, and that of what they share (0 if negative)."""
    noise = {"words": float(len(halves))}
    for side in ("text", "vectors"):
        a, b = halves[f"{side} a"].to_numpy(), halves[f"{side} b"].to_numpy()
        noise |= {
            f"{side}: halves correlate": float(np.corrcoef(a, b)[0, 1]),
            f"{side}, RMS": float(np.sqrt((a**2 + b**2).mean() / 2)),
            f"{side}, shared": float(np.sqrt(max((a * b).mean(), 0))),
        }
    return noise
