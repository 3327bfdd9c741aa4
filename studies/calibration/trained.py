"""What learns from planted text: vectors, and a masked head."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax

from lib.embeddings.glove import train_glove
from lib.embeddings.training import train_vectors
from lib.threads import one_thread
from studies.calibration.corpus import PlantedCorpus

Floats = NDArray[np.float32]
HIDDEN = 0.15  # share of the other words of a sentence that the masked head does not see
BATCH = 256
RATE = 0.01  # of Adam
X_MAX = 10.0  # count from which a pair weighs 1 in GloVe: planted texts are short


def skip_gram(
    corpus: PlantedCorpus, dimensions: int = 50, *, epochs: int = 10, seed: int = 0
) -> Floats:
    """Skip-gram vectors with negative sampling, by gensim: (words, dimensions) in the order of `corpus.words`, NaN for a word that does not occur."""
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
    """GloVe vectors, word plus context, where words of a sentence count by one over their distance: (words, dimensions) in the order of
    `corpus.words`, NaN for a word that does not occur."""
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
    """A masked model without order: the mean vector of the words around a mask, and a softmax."""

    # (words + 1, d), of the words around; the last is the mask's own
    inputs: Floats = field(repr=False)
    outputs: Floats = field(repr=False)  # (words, d), of the word that is masked
    bias: Floats = field(repr=False)  # (words,)

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
    """Train a masked head on the text, with another word masked in each pass; in half of the sentences the person is what is masked."""
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
