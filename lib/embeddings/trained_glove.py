"""GloVe trained for this book on the text of `scripts.sgns`, with its biases and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.paths import DATA

GLOVE = DATA / "models" / "glove"


@dataclass(frozen=True, eq=False)
class GloveTrainings:
    """One text, its weighted counts, and GloVe fitted to them with several seeds.

    Attributes
    ----------
    words : tuple of str
        The n rows.
    columns : tuple of str
        The c words of base pairs that have context vectors here.
    counts : ndarray of shape (n, c)
        Weighted counts (a word d places away counts 1/d) of the rows beside the columns.
    totals : ndarray of shape (n,)
        Weighted counts of each row beside anything.
    vectors : ndarray of shape (r, n, d)
        Word vectors of r trainings.
    contexts : ndarray of shape (r, c, d)
        Context vectors of the columns.
    biases : ndarray of shape (r, n)
        Learned biases of the rows as contexts.
    """

    words: tuple[str, ...]
    columns: tuple[str, ...]
    counts: NDArray[np.float64]
    totals: NDArray[np.float64]
    vectors: NDArray[np.float64]
    contexts: NDArray[np.float64]
    biases: NDArray[np.float64]

    def rows(self, words: Sequence[str]) -> list[int]:
        """The rows of words, in their order."""
        place = {word: row for row, word in enumerate(self.words)}
        return [place[word] for word in words]

    def leans(
        self, words: Sequence[str], pairs: Sequence[tuple[str, str]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Inner products with the difference of two contexts, and log ratios of counts.

        Parameters
        ----------
        words : sequence of str
            n words.
        pairs : sequence of (str, str)
            p pairs of columns, female word first.

        Returns
        -------
        tuple of ndarray
            (r, n, p) of the trainings and (n, p) of the text, NaN where a count is zero; positive
            leans female. Without error they differ by the biases of the pair alone.
        """
        rows = self.rows(words)
        female, male = ([self.columns.index(word) for word in side] for side in zip(*pairs))
        contrast = self.contexts[:, female] - self.contexts[:, male]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.log(self.counts[rows][:, female]) - np.log(self.counts[rows][:, male])
        ratios = np.where(np.isfinite(ratios), ratios, np.nan)
        return np.einsum("rnd,rpd->rnp", self.vectors[:, rows], contrast), ratios


def read_glove() -> GloveTrainings:
    """What `scripts.glove` wrote.

    Examples
    --------
    >>> glove = read_glove()
    >>> glove.vectors.shape[1] == len(glove.words), glove.columns[:2]
    (True, ('woman', 'man'))
    """
    with np.load(GLOVE / "glove.npz", allow_pickle=False) as arrays:
        seeds = sorted(name[6:] for name in arrays.files if name.startswith("words_"))

        def of_each(name: str) -> NDArray[np.float64]:
            return np.array([arrays[f"{name}_{seed}"] for seed in seeds], dtype=np.float64)

        return GloveTrainings(
            tuple(arrays["words"].tolist()),
            tuple(arrays["columns"].tolist()),
            arrays["counts"].astype(np.float64),
            arrays["totals"].astype(np.float64),
            of_each("words"),
            of_each("contexts"),
            of_each("biases"),
        )
