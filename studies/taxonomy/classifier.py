"""A classifier of candidates on a frozen encoder, learnt from the crowd and tested on the book that it has not seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from lib.kept import kept
from lib.language_models.batching import batched
from lib.language_models.pretrained import load_transformer

Floats = NDArray[np.float64]
PENALTIES = {"encoder": 0.01, "words": 1.0}  # inverse strength, set before any test


def sentence_vectors(
    sentences: Sequence[str], encoder: str = "minilm", *, device: str = "cpu"
) -> NDArray[np.float32]:
    """The mean (n, d) of an encoder's last states over the pieces of each sentence, cut where too long; kept in the book's cache."""
    import torch

    transformer = load_transformer(encoder, device=device)

    def compute() -> NDArray[np.float32]:
        rows = transformer.tokenizer(
            list(sentences), truncation=True, max_length=transformer.longest, verbose=False
        )["input_ids"]
        vectors = np.empty((len(rows), transformer.model.config.hidden_size), np.float32)
        with threadpool_limits(1), torch.inference_mode():
            for indices, ids, real in batched(transformer, rows):
                hidden = transformer.model(input_ids=ids, attention_mask=real).last_hidden_state
                weights = real[:, :, None].float()
                means = (hidden.float() * weights).sum(1) / weights.sum(1)
                vectors[indices] = means.cpu().numpy()
        return vectors

    return kept("sentences", "\n".join([transformer.source, *sentences]), compute)


def without_each_book(
    features: ArrayLike | Sequence[str],
    labels: ArrayLike,
    books: ArrayLike,
) -> Floats:
    """How likely each sentence is a generalisation (n,), from 0 to 1, by a classifier that has not seen its book.

    `features` are vectors (n, d) for a classifier on an encoder, or the sentences for one on words and pairs of words.
    """
    true, held_in = np.asarray(labels, bool), np.asarray(books)
    rows = np.asarray(features, object if isinstance(features[0], str) else float)
    if not len(rows) == len(true) == len(held_in):
        raise ValueError(
            f"expected a label and a book for each of {len(rows)} sentences, got {len(true)} and {len(held_in)}"
        )
    if len(set(held_in)) < 2:
        raise ValueError("expected two books or more: one is tested, the others are learnt from")
    said = np.empty(len(rows))
    for book in dict.fromkeys(held_in.tolist()):
        test = held_in == book
        if len(set(true[~test])) < 2:
            raise ValueError(f"expected both labels in the books other than {book!r}, got one")
        said[test] = _learn(rows[~test], true[~test], rows[test])
    return said


def majority(labels: ArrayLike, books: ArrayLike) -> NDArray[np.bool_]:
    """For each sentence what most sentences of the other books are."""
    true, held_in = np.asarray(labels, bool), np.asarray(books)
    most = {book: true[held_in != book].mean() >= 0.5 for book in dict.fromkeys(held_in.tolist())}
    return np.array([most[book] for book in held_in.tolist()])


def shuffled_accuracies(
    vectors: ArrayLike,
    labels: ArrayLike,
    books: ArrayLike,
    *,
    n_resamples: int = 100,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """The accuracies (n_resamples,) that the same classifier reaches on labels that say nothing: shuffled within each book."""
    generator = np.random.default_rng(rng)
    true, held_in = np.asarray(labels, bool), np.asarray(books)
    reached = []
    for _ in range(n_resamples):
        mixed = true.copy()
        for book in dict.fromkeys(held_in.tolist()):
            mixed[held_in == book] = generator.permutation(true[held_in == book])
        said = without_each_book(vectors, mixed, held_in) > 0.5
        reached.append((said == mixed).mean())
    return np.array(reached)


def across_batches(vectors: ArrayLike, labels: ArrayLike, first: ArrayLike) -> Floats:
    """How likely each sentence of a second batch is a generalisation, from 0 to 1, learnt from the `first` batch (n, of bool)."""
    rows, learnt = np.asarray(vectors, float), np.asarray(first, bool)
    return _learn(rows[learnt], np.asarray(labels, bool)[learnt], rows[~learnt])


def _learn(rows: NDArray[Any], labels: NDArray[np.bool_], new: NDArray[Any]) -> Floats:
    """What a logistic regression says of new rows; nothing in it is random, and one thread gives one sum."""
    of_words = rows.dtype == object
    if of_words:
        features = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    else:
        features = StandardScaler()
    strength = PENALTIES["words" if of_words else "encoder"]
    model = make_pipeline(features, LogisticRegression(C=strength, max_iter=2000))
    with threadpool_limits(1):
        return model.fit(rows, labels).predict_proba(new)[:, 1]
