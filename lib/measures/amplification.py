"""How much of a lean stands in the text, how much in vectors trained on it, and how much is noise.

Scores of n words with p base pairs, positive female: of a text (n, p) from
`lib.measures.cooccurrence.genderedness`, NaN where a count is zero, and of vectors (r, n, p), by
`lib.measures.ripa` in each of r trainings on that text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unmasked
from lib.inference.two_way import two_way_interval

Floats = NDArray[np.float64]

HALVES = ("text a", "text b", "vectors a", "vectors b", "vectors")


def mean_over_pairs(scores: ArrayLike, known: ArrayLike) -> Floats:
    """The mean over the pairs that are known, so that text and vectors are averaged over the same.

    Parameters
    ----------
    scores : array_like, shape (..., n, p)
        Of words with pairs.
    known : array_like of bool, shape (n, p)
        Which of them count.

    Returns
    -------
    numpy.ndarray, shape (..., n)
        NaN for a word without any known pair.

    Examples
    --------
    >>> mean_over_pairs([[0.4, np.nan], [0.2, 0.4]], [[True, False], [True, True]])
    array([0.4, 0.3])
    """
    known = unmasked("known", known)
    counted = np.where(known.any(axis=-1), known.sum(axis=-1), np.nan)
    return np.asarray(np.where(known, unmasked("scores", scores), 0).sum(axis=-1) / counted)


def known_cells(text: ArrayLike, **sides: ArrayLike) -> NDArray[np.bool_]:
    """Which cells of a text are known, after a look at whether other sides have the same words and pairs.

    Parameters
    ----------
    text : array_like, shape (n, p)
        NaN where not known.
    **sides : array_like, shape (..., n, p)
        By what a message calls them.

    Returns
    -------
    numpy.ndarray of bool, shape (n, p)

    Raises
    ------
    ValueError
        Without a word or a pair, for a side of other words or pairs, or for what is no real number.

    Examples
    --------
    >>> known_cells([[0.5, np.nan]], vectors=[[[0.1, 0.2]]])
    array([[ True, False]])
    """
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
    """The lean of each word in the text and in the vectors, over the same pairs.

    Parameters
    ----------
    text : array_like, shape (n, p)
        NaN where not known.
    vectors : array_like, shape (r, n, p)
        Of r trainings.
    words : sequence of str
        The n words.

    Returns
    -------
    DataFrame
        A row for each word with a known pair: text; vectors, their mean over the trainings; low and
        high, the least and the most of them; size, the mean of their absolute values.

    Examples
    --------
    >>> text_beside_vectors([[0.2]], [[[0.3]], [[-0.1]]], ["nurse"]).round(2).to_dict("records")
    [{'text': 0.2, 'vectors': 0.1, 'low': -0.1, 'high': 0.3, 'size': 0.2}]
    """
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
    """Mean absolute lean of words in the text and in the vectors, over the same pairs.

    Parameters
    ----------
    text : array_like, shape (n, p)
        NaN where not known.
    vectors : array_like, shape (r, n, p)
        Of r trainings; absolute values are taken in each.

    Returns
    -------
    tuple of float
        Text, vectors; NaN where no word has a known pair.

    Raises
    ------
    ValueError
        For sides of other words or pairs, or none.

    References
    ----------
    Ethayarajh, Duvenaud & Hirst (2019), Table 2.

    Examples
    --------
    >>> sizes([[0.5], [-1.0]], [[[0.5], [0.25]], [[-0.5], [0.25]]])
    (0.75, 0.375)
    """
    known = known_cells(text, vectors=vectors)
    held = known.any(axis=1)
    if not held.any():
        return np.nan, np.nan
    in_text, in_vectors = (np.abs(mean_over_pairs(s, known)[..., held]) for s in (text, vectors))
    return float(in_text.mean()), float(in_vectors.mean())


def words_and_pairs_interval(
    statistic: Callable[..., float],
    *sides: ArrayLike,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Percentile interval of a statistic of several matrices of one list of words and of pairs.

    Words and pairs are drawn anew, the same ones on all sides.

    Parameters
    ----------
    statistic : callable
        From as many arrays (..., n, p) as there are sides to a number.
    *sides : array_like, shape (..., n, p)
        Such as the text and the trainings; NaN may stand where something is not known.
    n_resamples : int
        Bootstrap draws.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    tuple of float
        Low and high end of 95 %, NaN where words or pairs are too few to resample.

    Raises
    ------
    ValueError
        Where the sides have not the same words and pairs.

    Examples
    --------
    >>> text = np.random.default_rng(0).standard_normal((40, 6))
    >>> low, high = words_and_pairs_interval(lambda a, b: sizes(a, [b])[1], text, 2 * text, rng=0)
    >>> bool(low < sizes(text, [2 * text])[1] < high)
    True
    """
    arrays = [unmasked("sides", side) for side in sides]
    shapes = {array.shape[-2:] for array in arrays}
    if len(shapes) != 1:
        raise ValueError(f"expected sides of one shape (..., words, pairs), got {sorted(shapes)}")
    n, p = shapes.pop()
    if n < 3 or p < 2:
        return np.nan, np.nan
    cells = np.arange(n * p, dtype=float).reshape(n, p)

    def of_cells(drawn: Floats) -> float:
        rows, columns = np.divmod(drawn.astype(np.intp), p)
        rows, columns = rows[:, :1], columns[:1]
        return statistic(*(array[..., rows, columns] for array in arrays))

    return two_way_interval(of_cells, cells, n_resamples=n_resamples, rng=rng)


def sizes_with_intervals(
    text: ArrayLike,
    vectors: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Mean absolute leans in text and vectors and their difference, with intervals over words and pairs.

    Parameters
    ----------
    text : array_like, shape (n, p)
        NaN where not known.
    vectors : array_like, shape (r, n, p)
        Of r trainings.
    n_resamples, rng
        As in `words_and_pairs_interval`.

    Returns
    -------
    DataFrame
        Rows text, vectors and change (vectors less text); columns value, low, high.

    Notes
    -----
    Pairs drawn anew are fewer different pairs, over which noise averages out less, so where leans
    are mostly noise the interval of a mean absolute value lies too high.

    Examples
    --------
    >>> text = np.random.default_rng(0).standard_normal((40, 6))
    >>> found = sizes_with_intervals(text, [2 * text], n_resamples=50, rng=0)
    >>> bool(np.isclose(found.loc["vectors", "value"], 2 * found.loc["text", "value"]))
    True
    """
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
    """The lean of each word in two halves of a text, which share no noise, over the same pairs.

    Parameters
    ----------
    text : array_like, shape (2, n, p)
        Of the halves a and b; NaN where not known.
    vectors : sequence of array_like, shapes (r_a, n, p), (r_b, n, p) and (r, n, p)
        Of the trainings on each half and on the whole.

    Returns
    -------
    DataFrame
        Columns text a, text b, vectors a, vectors b, vectors; a row for each word with a pair that
        is known in both halves.

    Examples
    --------
    >>> scores_of_halves([[[0.2]], [[0.4]]], [[[[0.3]]], [[[0.1]]], [[[0.5]], [[0.7]]]]).round(2)
       text a  text b  vectors a  vectors b  vectors
    0     0.2     0.4        0.3        0.1      0.6
    """
    text = unmasked("text", text)
    known = ~np.isnan(text[0] + text[1])
    means = [unmasked("vectors", runs).mean(axis=0) for runs in vectors]
    columns = np.column_stack([mean_over_pairs(scores, known) for scores in (*text, *means)])
    return pd.DataFrame(columns[known.any(axis=1)], columns=list(HALVES))


def noise_of_halves(halves: pd.DataFrame) -> dict[str, float]:
    """How alike two halves are, and root mean squares with noise and without.

    Parameters
    ----------
    halves : DataFrame
        From `scores_of_halves`.

    Returns
    -------
    dict
        For text and for vectors the correlation of the halves, their root mean square, and that of
        what they share: the root of their mean product, 0 where that is negative.

    Examples
    --------
    >>> scores = [[1, 1, 2, 1, 1], [-1, -1, -1, 1, 1], [3, 1, 0, 0, 1]]
    >>> halves = pd.DataFrame(scores, columns=HALVES, dtype=float)
    >>> noise = noise_of_halves(halves)
    >>> round(noise["text: halves correlate"], 2), round(noise["text, shared"], 2)
    (0.87, 1.29)
    """
    noise = {"words": float(len(halves))}
    for side in ("text", "vectors"):
        a, b = halves[f"{side} a"].to_numpy(), halves[f"{side} b"].to_numpy()
        noise |= {
            f"{side}: halves correlate": float(np.corrcoef(a, b)[0, 1]),
            f"{side}, RMS": float(np.sqrt((a**2 + b**2).mean() / 2)),
            f"{side}, shared": float(np.sqrt(max((a * b).mean(), 0))),
        }
    return noise
