"""Static vectors trained on texts by gensim, in one thread: the same texts and seed give the same
vectors.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

BUCKETS = 200_000  # for fastText's pieces of words; its own 2 million take gigabytes


@dataclass(frozen=True, eq=False)
class TrainedVectors:
    """What a training made.

    Attributes
    ----------
    words : tuple of str
        The vocabulary, the most frequent word first.
    vectors, contexts : (n, d) arrays of float32
        The words' vectors, and those with which they are multiplied to predict a neighbour.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float32] = field(repr=False)
    contexts: NDArray[np.float32] = field(repr=False)


def train_vectors(
    texts: Iterable[Sequence[str]],
    *,
    subwords: bool = False,
    min_count: int = 5,
    epochs: int = 5,
    **options,
) -> TrainedVectors:
    """Train skip-gram or CBOW vectors with negative sampling.

    Parameters
    ----------
    texts : iterable of sequences of str
        Texts as words, gone through `epochs` + 1 times; no window reaches from one to the next.
    subwords : bool
        Whether a word's vector is a sum over its pieces (fastText, with 200,000 buckets) or its own
        (word2vec).
    min_count : int
        Least occurrences of a word.
    epochs : int
        Passes over the texts.
    **options
        As `gensim.models.Word2Vec` names them: `sg`, `vector_size`, `window`, `negative`, `seed`, …

    Raises
    ------
    ValueError
        Where no word occurs often enough.

    References
    ----------
    Mikolov, Sutskever, Chen, Corrado and Dean (2013); Bojanowski, Grave, Joulin and Mikolov (2017).

    Examples
    --------
    >>> texts = [["she", "is", "here"], ["he", "is", "there"]] * 10
    >>> trained = train_vectors(texts, sg=1, vector_size=4, seed=0)
    >>> trained.words[0], trained.vectors.shape
    ('is', (5, 4))
    """
    from gensim.models import FastText, Word2Vec

    options = {"min_count": min_count, "workers": 1} | options
    model = FastText(**{"bucket": BUCKETS} | options) if subwords else Word2Vec(**options)
    logger = logging.getLogger("gensim")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        model.build_vocab(texts)
        if not len(model.wv):
            raise ValueError(
                f"expected words that occur {min_count} times or more, got none; "
                "give more text, or lower the least count"
            )
        model.train(texts, total_examples=model.corpus_count, epochs=epochs)
    finally:
        logger.setLevel(level)
    return TrainedVectors(tuple(model.wv.index_to_key), model.wv.vectors, model.syn1neg)
