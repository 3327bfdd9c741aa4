"""GloVe: an objective whose least value is known in closed form."""

import numpy as np
import pytest
from scipy import sparse

from lib.embeddings.glove import Glove, objective, train_glove


def test_the_objective_is_the_weighted_sum_of_squares_of_the_paper():
    rng = np.random.default_rng(0)
    fit = Glove(*(rng.normal(size=shape) for shape in ((4, 2), (4, 2), 4, 4)), ())
    counts = sparse.csr_matrix(rng.integers(0, 3, (4, 4)))
    expected = 0.0
    for i, row in enumerate(counts.toarray()):
        for j, x in enumerate(row):
            if x:
                said = fit.words[i] @ fit.contexts[j] + fit.word_biases[i] + fit.context_biases[j]
                expected += min(1, (x / 100) ** 0.75) * (said - np.log(x)) ** 2
    assert objective(counts, fit) == pytest.approx(expected)


def test_training_reaches_the_least_objective_that_there_is():
    """With every weight 1, biases take row and column means away, and the best products are a truncated SVD of the rest."""
    n, dimensions = 8, 3
    logs = np.random.default_rng(1).normal(size=(n, n))
    centred = (np.eye(n) - 1 / n) @ logs @ (np.eye(n) - 1 / n)
    least = (np.linalg.svd(centred, compute_uv=False)[dimensions:] ** 2).sum()
    counts = sparse.csr_matrix(np.exp(logs))
    fit = train_glove(counts, dimensions, epochs=400, rate=0.5, x_max=1e-9, rng=0)
    assert objective(counts, fit, x_max=1e-9) == pytest.approx(least, rel=1e-4)
    assert fit.objective[-1] == pytest.approx(least, rel=1e-3)
    assert fit.vectors.shape == (n, dimensions)
