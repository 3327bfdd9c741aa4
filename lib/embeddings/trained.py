"""Vectors trained for this book (data/models): a space for each domain, and one text many times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.embeddings.embedding import Embedding
from lib.embeddings.load import load_embedding
from lib.paths import DATA

SGNS = DATA / "models" / "sgns"


@dataclass(frozen=True)
class Trainings:
    """One text and vectors trained on it, on the whole and on two halves, with several seeds.

    Attributes
    ----------
    space, contexts : Embedding
        Word and context vectors of the first training on the whole.
    runs : dict of str to ndarray
        Word vectors (901, d) of every training: "whole_0", "a_0", "b_0", …, and "whole_usual", with
        the usual settings of word2vec.
    rows : dict of str to int
        The words that are compared, and their rows in `runs`.
    frequency : dict of str to int
        How often each word of `space` occurs.
    neutral : list of str
        A random draw from words that occur often.
    corpus : dict
        What the text is made of, and the settings of training.
    """

    space: Embedding
    contexts: Embedding
    runs: dict[str, NDArray[np.float32]]
    rows: dict[str, int]
    frequency: dict[str, int]
    neutral: list[str]
    corpus: dict[str, Any]

    def vectors(self, words: Sequence[str], run: str) -> NDArray[np.float32]:
        """The (n, d) vectors of words in one training; zeros for a word that is not in its half."""
        return self.runs[run][[self.rows[word] for word in words]]

    def repeats(self, part: str) -> list[str]:
        """The trainings on "whole", "a" or "b" that differ in nothing but the seed."""
        return sorted(
            name for name in self.runs if name.startswith(f"{part}_") and name[-1].isdigit()
        )


def read_trainings() -> Trainings:
    """What `scripts.train.sgns` wrote: vectors of one text, trained again and again.

    Examples
    --------
    >>> trainings = read_trainings()
    >>> trainings.repeats("a")
    ['a_0', 'a_1', 'a_2']
    """
    space = load_embedding(SGNS / "vectors.npz")
    space.name, space.source = "sgns", space.source.replace("vectors.npz", "sgns")
    with np.load(SGNS / "vectors.npz", allow_pickle=False) as arrays:
        rows = {word: row for row, word in enumerate(arrays["few"].tolist())}
        runs = {
            name: arrays[name].astype(np.float32)
            for name in arrays.files
            if name.rpartition("_")[0] in ("whole", "a", "b")
        }
        contexts = Embedding(
            arrays["words"].tolist(), arrays["contexts"].astype(np.float32), name="contexts"
        )
    with np.load(SGNS / "counts.npz", allow_pickle=False) as arrays:
        neutral = arrays["neutral"].tolist()
        frequency = dict(zip(arrays["words"].tolist(), arrays["frequency"].tolist()))
    corpus = json.loads((SGNS / "corpora.json").read_text(encoding="utf-8"))
    return Trainings(space, contexts, runs, rows, frequency, neutral, corpus)


def load_space(name: str) -> Embedding:
    """The vectors of a domain of this book by its name, or whatever else `load_embedding` knows.

    Parameters
    ----------
    name : str
        "gap", "news", "film", "medical", "social" or "brown"; a registry key, a file or a store.

    Returns
    -------
    Embedding

    Examples
    --------
    >>> load_space("brown").ranked
    True
    """
    domain = DATA / "models" / "domains" / f"{name}.npz"
    return load_embedding(domain, ranked=True) if domain.is_file() else load_embedding(name)
