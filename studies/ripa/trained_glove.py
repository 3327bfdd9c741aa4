"""GloVe trained for this book on the text of `scripts.train.sgns`, with its biases and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.paths import DATA

GLOVE = DATA / "models" / "glove"


@dataclass(frozen=True, eq=False)
class GloveTrainings:
    """One text and GloVe fitted to it with r seeds: n rows, and the c words of base pairs that have context vectors here.

    Weighted counts (a word d places away counts 1/d) of the rows beside the columns (n, c) and beside anything (n,); word
    vectors (r, n, d), context vectors of the columns (r, c, d), and the learned biases of the rows as contexts (r, n).
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
        """Inner products with the difference of two contexts (r, n, p), and log ratios of counts (n, p), NaN where one is zero.

        Positive leans female. Without error they differ by the biases of the pair alone.
        """
        rows = self.rows(words)
        female, male = ([self.columns.index(word) for word in side] for side in zip(*pairs))
        contrast = self.contexts[:, female] - self.contexts[:, male]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.log(self.counts[rows][:, female]) - np.log(self.counts[rows][:, male])
        ratios = np.where(np.isfinite(ratios), ratios, np.nan)
        return np.einsum("rnd,rpd->rnp", self.vectors[:, rows], contrast), ratios


def read_glove() -> GloveTrainings:
    """What `scripts.train.glove` wrote."""
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
