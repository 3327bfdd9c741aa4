"""Topics of a collection of texts by non-negative matrix factorisation, and how near they are to printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Topics:
    """words : (v,) the vocabulary; weights : (k, v), words in topics; documents : (n, k), topics in texts."""

    words: tuple[str, ...]
    weights: NDArray[np.floating] = field(repr=False)
    documents: NDArray[np.floating] = field(repr=False)

    def top(self, m: int) -> list[tuple[str, ...]]:
        """The m words of largest weight in each topic, largest first."""
        order = np.argsort(-self.weights, axis=1, kind="stable")[:, :m]
        return [tuple(self.words[column] for column in row) for row in order]


def find_topics(
    texts: Sequence[str],
    n: int = 20,
    *,
    counts: str = "counts",
    start: str = "nndsvd",
    rng: int = 0,
) -> Topics:
    """Topics by non-negative matrix factorisation of the word counts of texts, without English stop words.

    texts : documents; n : topics asked for; counts : "counts" of words, or "tf-idf"; start : "nndsvd", which has no
    randomness, or "random"; rng : seed of a random start. Words occur in two texts or more and in 95 % of them at most; two
    letters or more, small letters. Raises ValueError for fewer texts than topics, or another name for counts or start.
    Lee & Seung (2001), through scikit-learn; Kurita et al. (2019), Section 4, do not say which of these choices they made.
    """
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    vectorizers = {"tf-idf": TfidfVectorizer, "counts": CountVectorizer}
    for name, value, legal in (
        ("counts", counts, tuple(vectorizers)),
        ("start", start, ("nndsvd", "random")),
    ):
        if value not in legal:
            raise ValueError(
                f"{name}: expected one of {', '.join(map(repr, legal))}, got {value!r}"
            )
    if not 1 <= n <= len(texts):
        raise ValueError(
            f"n: expected 1 to {len(texts)} topics, one for each text at most, got {n!r}"
        )
    vectorizer = vectorizers[counts](stop_words="english", max_df=0.95, min_df=2)
    table = vectorizer.fit_transform(texts)
    model = NMF(n, init=start, random_state=rng, max_iter=500, tol=1e-3)
    documents = model.fit_transform(table)
    return Topics(tuple(vectorizer.get_feature_names_out()), model.components_, documents)


def match_topics(found: Sequence[Sequence[str]], printed: Sequence[Sequence[str]]) -> pd.DataFrame:
    """The one-to-one assignment of topics to printed ones that shares most words.

    found, printed : lists of words. Returns a row for each printed topic that has a partner: printed, found (their
    positions), shared (how many words), share (of the printed words).
    Raises ValueError for an empty list. Kuhn (1955), through scipy.optimize.linear_sum_assignment.
    """
    from scipy.optimize import linear_sum_assignment

    if not found or not printed or not all(map(len, printed)):
        raise ValueError(
            f"expected lists of words, got {len(found)} topics found and {len(printed)} printed"
        )
    shared = np.array([[len(set(words) & set(other)) for other in found] for words in printed])
    rows, columns = linear_sum_assignment(-shared)
    return pd.DataFrame(
        {
            "printed": rows,
            "found": columns,
            "shared": shared[rows, columns],
            "share": shared[rows, columns] / [len(set(printed[row])) for row in rows],
        }
    )


def topic_scores(topics: Topics, scores: Mapping[str, float], m: int = 15) -> NDArray[np.float64]:
    """Sum over the m top words of each topic of the word's weight in the topic times its score: (k,).

    scores : of every word that is among the top m of some topic. Raises KeyError for a word without one.
    Kurita et al. (2019), Section 4; times `topics.documents` it is the score of each text.
    """
    place = {word: column for column, word in enumerate(topics.words)}
    by_topic = zip(topics.weights, topics.top(m))
    return np.array(
        [sum(row[place[word]] * scores[word] for word in words) for row, words in by_topic]
    )
