"""GloVe: word vectors whose products fit the logarithms of weighted co-occurrence counts
(Pennington et al., 2014).

J = sum over counted pairs of f(X_ij) (w_i . c_j + b_i + d_j - ln X_ij)^2, with f(x) = min(1, (x /
x_max)^0.75).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from lib.threads import one_thread

Array = NDArray[np.floating]
POWER = 0.75


@dataclass(frozen=True, eq=False)
class Glove:
    """A fit of n words in d dimensions.

    Attributes
    ----------
    words, contexts : ndarray of shape (n, d)
        Word and context vectors.
    word_biases, context_biases : ndarray of shape (n,)
        Their biases.
    objective : tuple of float
        The objective as summed during each epoch.
    """

    words: Array
    contexts: Array
    word_biases: Array
    context_biases: Array
    objective: tuple[float, ...]

    @property
    def vectors(self) -> Array:
        """Word plus context vectors (n, d), which the authors publish."""
        return self.words + self.contexts


def weights(counts: ArrayLike, x_max: float = 100.0) -> Array:
    """How much each count weighs in the objective, f(X), in [0, 1].

    Examples
    --------
    >>> weights([100, 1000, 6.25])
    array([1.   , 1.   , 0.125])
    """
    return np.minimum(1.0, (np.asarray(counts, float) / x_max) ** POWER)


def objective(counts: sparse.spmatrix, fit: Glove, x_max: float = 100.0) -> float:
    """J of a fit on a matrix of counts, computed directly in double precision."""
    pairs = sparse.coo_matrix(counts)
    rows, columns = pairs.row, pairs.col
    product = np.einsum(
        "nd,nd->n", fit.words[rows].astype(float), fit.contexts[columns].astype(float)
    )
    error = (
        product
        + fit.word_biases[rows]
        + fit.context_biases[columns]
        - np.log(pairs.data.astype(float))
    )
    return float(weights(pairs.data, x_max) @ error**2)


def train_glove(
    counts: sparse.spmatrix,
    dimensions: int = 200,
    *,
    epochs: int = 25,
    rate: float = 0.05,
    x_max: float = 100.0,
    batch: int = 2**14,
    rng: np.random.Generator | int | None = None,
) -> Glove:
    """Fit vectors to counts by AdaGrad on batches of pairs in a random order, in one thread.

    Parameters
    ----------
    counts : sparse matrix of shape (n, n)
        Weighted co-occurrence counts, no negative number.
    dimensions : int
        d, the length of the vectors.
    epochs : int
        Passes over all pairs.
    rate : float
        Of learning.
    x_max : float
        Count from which a pair weighs 1 (the authors' 100 is for billions of words).
    batch : int
        Pairs in a step.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    Glove

    Raises
    ------
    ValueError
        For an empty matrix or negative counts.

    References
    ----------
    .. [1] Pennington, Socher & Manning (2014), equation 8; AdaGrad on batches where they take
       single pairs.
    """
    import torch

    pairs = sparse.coo_matrix(counts)
    if not pairs.nnz or pairs.data.min() <= 0:
        raise ValueError(
            f"counts: expected a matrix with some counts above 0, got {pairs.nnz} of them"
            + (f", the least {pairs.data.min():g}" if pairs.nnz else "")
        )
    rng = np.random.default_rng(rng)
    widths = (dimensions, dimensions, 1, 1)
    start = [
        (rng.uniform(-0.5, 0.5, (pairs.shape[0], width)) / max(1, dimensions)).astype(np.float32)
        for width in widths
    ]
    tables = [
        torch.nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=False, sparse=True)
        for table in start
    ]
    optimizer = torch.optim.Adagrad(
        [table.weight for table in tables], lr=rate, initial_accumulator_value=1.0
    )
    data = [
        torch.from_numpy(values)
        for values in (
            pairs.row.astype(np.int64),
            pairs.col.astype(np.int64),
            *(
                values.astype(np.float32)
                for values in (np.log(pairs.data), weights(pairs.data, x_max))
            ),
        )
    ]
    with one_thread(), torch.sparse.check_sparse_tensor_invariants(False):
        totals = tuple(
            _epoch(
                tables, optimizer, data, torch.from_numpy(rng.permutation(pairs.nnz)).split(batch)
            )
            for _ in range(epochs)
        )
    words, contexts, of_words, of_contexts = (table.weight.detach().numpy() for table in tables)
    return Glove(words, contexts, of_words[:, 0], of_contexts[:, 0], totals)


def _epoch(tables, optimizer, data, batches) -> float:
    """One pass over all pairs; the objective summed along the way."""
    words, contexts, of_words, of_contexts = tables
    total = 0.0
    for chosen in batches:
        i, j, logs, weight = (values[chosen] for values in data)
        error = (words(i) * contexts(j)).sum(1) + (of_words(i) + of_contexts(j))[:, 0] - logs
        loss = (weight * error**2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
