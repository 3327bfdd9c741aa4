"""Occupations from texts: the mean of a text's word vectors, and multinomial logistic regression.

The mean vector is also the last representation before the logits, which a probe may be asked for gender.
A text is counted once, (n, V); other vectors for the same words are one matrix product.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lib.checks import vectors as checked_vectors

TOKEN = r"[a-z]+"
LOOSENESS = 1.0  # C of the regression: set once on plain vectors, the same for every variant
ITERATIONS = 1000

Floats = NDArray[np.floating]


def word_counts(texts: Iterable[str], words: Sequence[str]) -> sparse.csr_matrix:
    """How often each word is in each text, in small letters; other words are not counted.

    Parameters
    ----------
    texts : iterable of str
        Read once, one at a time.
    words : sequence of str
        V words, each once.

    Returns
    -------
    csr_matrix of int, shape (n, V)

    Raises
    ------
    ValueError
        For no texts, a single string, or no words.

    Examples
    --------
    >>> word_counts(["She nursed, she said."], ["she", "said", "he"]).toarray().tolist()
    [[2, 1, 0]]
    """
    from sklearn.feature_extraction.text import CountVectorizer

    if isinstance(texts, str):
        raise ValueError("texts: expected a list of texts, got a single string; put it in a list")
    vectorizer = CountVectorizer(vocabulary=list(words), token_pattern=TOKEN, dtype=np.int32)
    counts = vectorizer.transform(texts)
    if not counts.shape[0]:
        raise ValueError("texts: expected one text or more, got none")
    return counts


def words_in(texts: Iterable[str], known: Iterable[str]) -> list[str]:
    """The known words that some texts hold, in the order in which they are known.

    Examples
    --------
    >>> words_in(["She is a nurse."], ["nurse", "he", "she"])
    ['nurse', 'she']
    """
    known = list(known)
    held = word_counts(texts, known).sum(axis=0).A1 > 0
    return [word for word, here in zip(known, held) if here]


def mean_vectors(counts: sparse.csr_matrix, vectors: ArrayLike) -> Floats:
    """The mean vector of each text over its counted words; zeros where it has none.

    Parameters
    ----------
    counts : csr_matrix of shape (n, V)
        As from `word_counts`.
    vectors : array_like of shape (V, d)
        A vector a word.

    Returns
    -------
    ndarray of shape (n, d)

    Raises
    ------
    ValueError
        Where there are not as many vectors as words.

    Examples
    --------
    >>> mean_vectors(word_counts(["a b b", "c"], ["a", "b"]), [[3.0, 0.0], [0.0, 3.0]]).tolist()
    [[1.0, 2.0], [0.0, 0.0]]
    """
    table = checked_vectors("vectors", vectors)
    if len(table) != counts.shape[1]:
        raise ValueError(
            f"vectors: expected {counts.shape[1]}, one for each counted word, got {len(table)}"
        )
    totals = np.asarray(counts.sum(axis=1), float)
    return np.asarray(counts @ table) / np.maximum(totals, 1)


def without(counts: sparse.csr_matrix, words: Sequence[str], deleted: Collection[str]):
    """Counts as if some words had been deleted from every text: scrubbing.

    Examples
    --------
    >>> without(word_counts(["she sings"], ["she", "sings"]), ["she", "sings"], {"she"}).toarray()
    array([[0, 1]], dtype=int32)
    """
    kept = np.array([word not in deleted for word in words], np.int32)
    return sparse.csr_matrix(counts @ sparse.diags(kept, dtype=np.int32))


def fit(features: ArrayLike, labels: ArrayLike) -> Any:
    """A multinomial logistic regression, in one thread and the same on every run.

    Parameters
    ----------
    features : array_like of shape (n, d)
        Mean vectors. They are centred and brought to one common scale, which keeps their shape.
    labels : array_like of shape (n,)
        Two classes or more.

    Returns
    -------
    Pipeline
        Of scikit-learn, with `predict`.

    Raises
    ------
    ValueError
        For labels of one class only.

    Examples
    --------
    >>> fit([[0.0, 1.0], [1.0, 0.0]], ["dj", "poet"]).predict([[0.1, 0.7]]).tolist()
    ['dj']
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer
    from threadpoolctl import threadpool_limits

    features, labels = checked_vectors("features", features), np.asarray(labels)
    if len(np.unique(labels)) < 2:
        raise ValueError(
            f"labels: expected two classes or more, got {str(labels[0])!r} alone; nothing can be learnt"
        )
    centre = features.mean(axis=0)
    scale = np.sqrt(features.var(axis=0).mean()) or 1.0
    with threadpool_limits(1):
        pipeline = make_pipeline(
            FunctionTransformer(_scaled, kw_args={"centre": centre, "scale": scale}),
            LogisticRegression(C=LOOSENESS, max_iter=ITERATIONS),
        )
        return pipeline.fit(features, labels)


def _scaled(features: ArrayLike, centre: Floats, scale: float) -> Floats:
    return (np.asarray(features) - centre) / scale
