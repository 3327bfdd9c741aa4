"""Topics of texts by non-negative matrix factorisation, and how near they are to printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of


@dataclass(frozen=True, eq=False)
class Topics:
    """Topics of n texts over v words.

    Attributes
    ----------
    words : tuple of str
        The v words.
    weights : ndarray of shape (k, v)
        Words in topics, 0 or more.
    documents : ndarray of shape (n, k)
        Topics in texts, 0 or more.
    """

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
    """Topics by non-negative matrix factorisation of the word counts of texts.

    Parameters
    ----------
    texts : sequence of str
        Documents. Words of two letters or more count that occur in two texts or more and in 95 % of
        them at most, in small letters, without English stop words.
    n : int
        Topics asked for, k.
    counts : {"counts", "tf-idf"}
        What is factorised.
    start : {"nndsvd", "random"}
        The first factors; "nndsvd" has no randomness.
    rng : int
        Seed of a random start.

    Returns
    -------
    Topics

    Raises
    ------
    ValueError
        For fewer texts than topics, or another name for `counts` or `start`.

    References
    ----------
    .. [1] Lee & Seung (2001), through scikit-learn.
    .. [2] Kurita et al. (2019), Section 4, do not say which of these choices they made.

    Examples
    --------
    >>> texts = ["cello violin", "violin cello", "goal striker", "striker goal"]
    >>> sorted(sorted(words) for words in find_topics(texts, 2).top(2))
    [['cello', 'violin'], ['goal', 'striker']]
    """
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    vectorizers = {"tf-idf": TfidfVectorizer, "counts": CountVectorizer}
    one_of("counts", counts, vectorizers)
    one_of("start", start, ("nndsvd", "random"))
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

    Parameters
    ----------
    found, printed : sequence of sequence of str
        Words, topic by topic.

    Returns
    -------
    DataFrame
        A row for each printed topic that has a partner: `printed` and `found` (their positions),
        `shared` (how many words) and `share` (of the printed words, in [0, 1]).

    Raises
    ------
    ValueError
        For an empty list.

    References
    ----------
    .. [1] Kuhn (1955), through scipy.optimize.linear_sum_assignment.

    Examples
    --------
    >>> match_topics([("goal", "vote"), ("cello", "opera")], [("cello", "viola")])
       printed  found  shared  share
    0        0      1       1    0.5
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
    """Score of each topic: sum over its top words of weight in the topic times the word's score.

    Parameters
    ----------
    topics : Topics
        k topics.
    scores : mapping of str to float
        The score of every word that is among the top m of some topic.
    m : int
        Top words that count.

    Returns
    -------
    ndarray of shape (k,)
        In the sign of the scores; times `topics.documents` it is the score of each text.

    Raises
    ------
    KeyError
        For a word without a score.

    References
    ----------
    .. [1] Kurita et al. (2019), Section 4.

    Examples
    --------
    >>> topics = Topics(("a", "b"), np.array([[2.0, 1.0]]), np.eye(1))
    >>> topic_scores(topics, {"a": 1.0, "b": -1.0})
    array([1.])
    """
    place = {word: column for column, word in enumerate(topics.words)}
    by_topic = zip(topics.weights, topics.top(m))
    return np.array(
        [sum(row[place[word]] * scores[word] for word in words) for row, words in by_topic]
    )
