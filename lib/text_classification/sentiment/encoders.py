"""A frozen encoder with a linear head: the mean of a sentence's vectors, and a logistic regression on it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from lib.checks import vectors as checked_vectors
from lib.language_models.batching import batched, encoded
from lib.paths import DATA
from lib.text_classification.sentiment.classifier import checked_sentences

if TYPE_CHECKING:
    from lib.language_models.pretrained import Transformer

SHIPPED = DATA / "models" / "sentiment-head" / "model.safetensors"
# The inverse strength of the penalty on the weights; the vectors have length 1.
C = 10.0


def sentence_vectors(transformer: "Transformer", sentences: Sequence[str]) -> NDArray[np.float32]:
    """One vector for each sentence: the mean over its pieces in the last layer, divided by its length.

    Parameters
    ----------
    transformer : Transformer
        An encoder as `lib.language_models.pretrained.load_transformer` gives it.
    sentences : sequence of str
        n texts.

    Returns
    -------
    ndarray of float32, shape (n, d)

    Raises
    ------
    ValueError
        For no sentence, one that is no text, or one that is too long for the model.

    Examples
    --------
    >>> from lib.language_models.pretrained import load_transformer
    >>> sentence_vectors(load_transformer("minilm", device="cpu"), ["She is a nurse."]).shape
    (1, 384)
    """
    import torch

    rows = encoded(transformer, checked_sentences(sentences))
    found = np.empty((len(rows), transformer.model.config.hidden_size), dtype=np.float32)
    with torch.inference_mode():
        for places, ids, real in batched(transformer, rows):
            states = transformer.model(input_ids=ids, attention_mask=real).last_hidden_state.float()
            mean = (states * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
            found[places] = torch.nn.functional.normalize(mean, dim=1).cpu().numpy()
    return found


@dataclass(frozen=True)
class LinearHead:
    """Weights and a constant: the logit of positive for a vector.

    Attributes
    ----------
    weights : ndarray of float, shape (d,)
    constant : float
    """

    weights: NDArray[np.floating] = field(repr=False)
    constant: float

    def positive(self, vectors: ArrayLike) -> NDArray[np.float64]:
        """Probabilities of positive.

        Parameters
        ----------
        vectors : array_like, shape (n, d)

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            For vectors of another dimension, or with NaN.

        Examples
        --------
        >>> LinearHead(np.array([1.0, -1.0]), 0.0).positive([[2.0, 2.0]])
        array([0.5])
        """
        rows = checked_vectors("vectors", vectors, dimensions=len(self.weights))
        logits = rows.astype(float) @ self.weights.astype(float) + self.constant
        return 1 / (1 + np.exp(-logits))


def fit_head(vectors: ArrayLike, labels: ArrayLike) -> LinearHead:
    """A logistic regression with a quadratic penalty, on one core, so that it is the same on any number of them.

    Parameters
    ----------
    vectors : array_like, shape (n, d)
    labels : array_like, shape (n,)
        1 for positive, 0 for negative; both have to occur.

    Returns
    -------
    LinearHead

    Raises
    ------
    ValueError
        For labels of other kinds, of one class only, or not as many as vectors.

    Examples
    --------
    >>> head = fit_head([[1.0, 0.0], [0.0, 1.0]], [1, 0])
    >>> bool(head.weights[0] > 0 > head.weights[1])
    True
    """
    from sklearn.linear_model import LogisticRegression

    rows, answers = checked_vectors("vectors", vectors), checked_labels(labels)
    if len(rows) != len(answers):
        raise ValueError(
            f"expected a label for each vector, got {len(answers)} labels and {len(rows)} vectors"
        )
    with threadpool_limits(limits=1):
        fitted = LogisticRegression(C=C, max_iter=1000).fit(rows, answers)
    return LinearHead(fitted.coef_[0].astype(np.float32), float(fitted.intercept_[0]))


def checked_labels(labels: ArrayLike) -> NDArray[np.intp]:
    """Labels of which some are 1, positive, and some 0, negative, as integers.

    Parameters
    ----------
    labels : array_like, shape (n,)

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        For other labels, NaN among them, and for one class only.

    Examples
    --------
    >>> checked_labels([1.0, 0.0])
    array([1, 0])
    """
    given = np.asarray(labels)
    classes = sorted(set(given.ravel().tolist()), key=str)
    if given.ndim != 1 or not set(classes) <= {0, 1}:
        raise ValueError(
            f"labels: expected 1 for positive and 0 for negative, one a row; got {classes[:5]} in shape {given.shape}; "
            "leave other rows out"
        )
    if len(classes) < 2:
        raise ValueError(
            f"labels: expected both classes, got {classes or 'none'} alone; give phrases of both"
        )
    return given.astype(np.intp)


def resampled_heads(
    vectors: ArrayLike,
    labels: ArrayLike,
    seeds: int,
    size: int | None = None,
    *,
    rng: np.random.Generator | int | None = None,
) -> list[LinearHead]:
    """Heads that differ only in which rows they learned from.

    Parameters
    ----------
    vectors, labels
        As in `fit_head`.
    seeds : int
        How many heads.
    size : int, optional
        Learn each from so many rows, none twice; by default from n rows drawn with replacement.
    rng : Generator, int or None

    Returns
    -------
    list of LinearHead

    Raises
    ------
    ValueError
        For a size above the number of rows, or as `fit_head`.

    Examples
    --------
    >>> len(resampled_heads(np.eye(4), [0, 1, 0, 1], seeds=2, size=4, rng=0))
    2
    """
    rows, answers = checked_vectors("vectors", vectors), checked_labels(labels)
    if size is not None and not 2 <= size <= len(rows):
        raise ValueError(f"size: expected 2 to {len(rows)} rows, got {size}")
    rng = np.random.default_rng(rng)
    heads = []
    for _ in range(seeds):
        drawn = rng.choice(len(rows), size or len(rows), replace=size is None)
        heads.append(fit_head(rows[drawn], answers[drawn]))
    return heads


@dataclass(frozen=True)
class SentimentClassifier:
    """A frozen encoder with a head, and the same head learned from resampled phrases.

    Attributes
    ----------
    transformer : Transformer
        The encoder, in which nothing was trained.
    head : LinearHead
        Learned from all phrases.
    resampled : tuple of LinearHead
        The spread to set a difference against.
    """

    transformer: "Transformer"
    head: LinearHead
    resampled: tuple[LinearHead, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.transformer.name} with a linear head"

    @property
    def source(self) -> str:
        """The encoder's name and hash, for the ledger."""
        return self.transformer.source

    def __repr__(self) -> str:
        return (
            f"SentimentClassifier({self.transformer.name!r}, {len(self.resampled)} resampled heads)"
        )

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities of positive.

        Parameters
        ----------
        sentences : sequence of str
            n texts.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            For no sentence, one that is no text, or one that is too long for the encoder.

        Examples
        --------
        >>> bad, good = load_head().positive(["A dull, lifeless film.", "A warm and funny film."])
        >>> bool(bad < 0.1 < 0.9 < good)
        True
        """
        return self.head.positive(sentence_vectors(self.transformer, sentences))

    def by_resample(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """The same from each of the resampled heads, shape (resamples, n); the sentences are encoded once."""
        vectors = sentence_vectors(self.transformer, sentences)
        return np.array([head.positive(vectors) for head in self.resampled])


def load_head(*, device: str = "cpu", path: Path = SHIPPED) -> SentimentClassifier:
    """The classifier that ships with the book: all-MiniLM-L6-v2 and a head trained on SST-2's phrases.

    Parameters
    ----------
    device : str
        Where the encoder runs.
    path : Path
        Another file of heads, as `scripts.train.sentiment_head` writes it.

    Returns
    -------
    SentimentClassifier

    Raises
    ------
    ValueError
        For a file that is missing or damaged, or heads of another encoder.

    Examples
    --------
    >>> load_head()
    SentimentClassifier('minilm', 10 resampled heads)
    """
    from lib.language_models.pretrained import load_transformer

    heads, encoder = _read_heads(path)
    transformer = load_transformer("minilm", device=device)
    if encoder != transformer.source:
        raise ValueError(
            f"{path}: its heads read {encoder}, and the encoder here is {transformer.source}; train them again: "
            "python -m scripts.train.sentiment_head"
        )
    return SentimentClassifier(transformer, heads[0], heads[1:])


@cache
def _read_heads(path: Path) -> tuple[tuple[LinearHead, ...], str]:
    """The heads of a file, that of all phrases first, and the encoder they belong to."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            weights, constants = file.get_tensor("weights"), file.get_tensor("constants")
            encoder = json.loads(file.metadata()["settings"])["encoder"]
    except (SafetensorError, OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{path}: missing or damaged ({error}); get it back with git, or train it: "
            "python -m scripts.train.sentiment_head"
        ) from error
    return tuple(map(LinearHead, weights, constants.astype(float).tolist())), encoder
