"""What learns from planted text: vectors, a masked head, and the counts of a translator."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax

from lib.calibration.corpus import PlantedCorpus
from lib.embeddings.glove import train_glove
from lib.embeddings.training import train_vectors
from lib.threads import one_thread

Floats = NDArray[np.float32]
HIDDEN = 0.15  # share of the other words of a sentence that the masked head does not see
BATCH = 256
RATE = 0.01  # of Adam
X_MAX = 10.0  # count from which a pair weighs 1 in GloVe: planted texts are short


def skip_gram(
    corpus: PlantedCorpus, dimensions: int = 50, *, epochs: int = 10, seed: int = 0
) -> Floats:
    """Skip-gram vectors with negative sampling, by gensim.

    Parameters
    ----------
    corpus : PlantedCorpus
    dimensions : int
        d.
    epochs : int
        Passes over the text.
    seed : int
        Of the training.

    Returns
    -------
    ndarray of shape (words, d)
        In the order of `corpus.words`; NaN for a word that does not occur.

    Examples
    --------
    >>> from lib.calibration import Plan, plant
    >>> corpus = plant([1.0, -1.0], Plan(sentences=200, types=20), rng=0)
    >>> skip_gram(corpus, 4, epochs=1).shape
    (34, 4)
    """
    trained = train_vectors(
        corpus.texts(),
        min_count=1,
        epochs=epochs,
        sg=1,
        vector_size=dimensions,
        window=corpus.plan.length,
        sample=0,
        seed=seed,
    )
    vectors = np.full((len(corpus.words), dimensions), np.nan, np.float32)
    place = {word: row for row, word in enumerate(corpus.words)}
    vectors[[place[word] for word in trained.words]] = trained.vectors
    return vectors


def glove(
    corpus: PlantedCorpus,
    dimensions: int = 50,
    *,
    epochs: int = 25,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """GloVe vectors: words of a sentence count by one over their distance.

    Parameters
    ----------
    corpus : PlantedCorpus
    dimensions : int
        d.
    epochs : int
        Passes over the counts.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    ndarray of shape (words, d)
        In the order of `corpus.words`: word plus context vectors; NaN for a word that does not occur.

    Examples
    --------
    >>> from lib.calibration import Plan, plant
    >>> corpus = plant([1.0, -1.0], Plan(sentences=200, types=20), rng=0)
    >>> glove(corpus, 4, epochs=1, rng=0).shape
    (34, 4)
    """
    numbers, size = corpus.numbers, len(corpus.words)
    counts = sparse.csr_matrix((size, size))
    for distance in range(1, numbers.shape[1]):
        left, right = numbers[:, :-distance].ravel(), numbers[:, distance:].ravel()
        near = np.full(len(left), 1 / distance)
        counts = counts + sparse.csr_matrix((near, (left, right)), (size, size))
    both = (counts + counts.T).tocsr()
    fit = train_glove(both, dimensions, epochs=epochs, x_max=X_MAX, batch=2**12, rng=rng)
    vectors = fit.words + fit.contexts
    vectors[np.bincount(numbers.ravel(), minlength=size) == 0] = np.nan
    return np.asarray(vectors, np.float32)


@dataclass(frozen=True, eq=False)
class MaskedHead:
    """A masked model without order: the mean vector of the words around a mask, and a softmax.

    Attributes
    ----------
    inputs : (words + 1, d) array
        Vectors of the words around; the last is the mask's own.
    outputs, bias : (words, d) and (words,) array
        Of the word that is masked.
    """

    inputs: Floats = field(repr=False)
    outputs: Floats = field(repr=False)
    bias: Floats = field(repr=False)

    def sentence_vectors(self, sentences: NDArray[np.integer]) -> Floats:
        """(n, d): mean vectors of sentences (n, k) of word numbers; `len(bias)` is the mask."""
        return np.asarray(self.inputs[sentences].mean(axis=1))

    def log_probabilities(self, sentences: NDArray[np.integer]) -> Floats:
        """(n, words): of each word at the masked place, given the words around it (n, k)."""
        scores = self.sentence_vectors(sentences) @ self.outputs.T + self.bias
        return np.asarray(log_softmax(scores, axis=1))


@one_thread()
def masked_head(
    corpus: PlantedCorpus,
    dimensions: int = 50,
    *,
    epochs: int = 10,
    rng: np.random.Generator | int | None = None,
) -> MaskedHead:
    """Train a masked head on the text; in half of the sentences the person is what is masked.

    Parameters
    ----------
    corpus : PlantedCorpus
    dimensions : int
        d.
    epochs : int
        Passes over the sentences, with another word masked in each.
    rng : Generator or int, optional
        Random numbers or a seed.

    Examples
    --------
    >>> from lib.calibration import Plan, plant
    >>> corpus = plant([1.0, -1.0], Plan(sentences=200, types=20), rng=0)
    >>> head = masked_head(corpus, 4, epochs=1, rng=0)
    >>> float(np.exp(head.log_probabilities(np.array([[34, 12]]))).sum().round(3))
    1.0
    """
    import torch

    rng = np.random.default_rng(rng)
    numbers, mask = corpus.numbers.astype(np.int64), len(corpus.words)
    rows, length = numbers.shape
    people = (numbers < 2 * corpus.plan.pairs).argmax(axis=1)
    start = rng.normal(0, dimensions**-0.5, (2, mask + 1, dimensions)).astype(np.float32)
    inputs, outputs = (torch.tensor(table, requires_grad=True) for table in start)
    bias = torch.zeros(mask + 1, requires_grad=True)
    optimizer = torch.optim.Adam([inputs, outputs, bias], lr=RATE)
    for _ in range(epochs):
        masked = np.where(rng.random(rows) < 0.5, people, rng.integers(length, size=rows))
        seen = np.where(rng.random(numbers.shape) < HIDDEN, mask, numbers)
        seen[np.arange(rows), masked] = mask
        answers = numbers[np.arange(rows), masked]
        for batch in np.array_split(rng.permutation(rows), max(1, rows // BATCH)):
            context = inputs[torch.from_numpy(seen[batch])].mean(dim=1)
            scores = context @ outputs[:mask].T + bias[:mask]
            loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(answers[batch]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    tables = (inputs.detach(), outputs.detach()[:mask], bias.detach()[:mask])
    return MaskedHead(*(table.numpy() for table in tables))
