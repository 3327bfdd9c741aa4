"""GloVe: an objective whose least value is known in closed form."""

import numpy as np
import pytest
from scipy import sparse

from lib.embeddings.glove import Glove, objective, train_glove, weights
from lib.measures.cooccurrence import cooccurrences


def test_small_counts_weigh_less_and_large_ones_one():
    assert np.allclose(weights([100, 1000, 100 / 16]), [1, 1, 1 / 8])


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


@pytest.mark.parametrize("dimensions", [0, 1, 3])
def test_training_reaches_the_least_objective_that_there_is(dimensions):
    """With every weight 1, biases take row and column means away, and the best products are a truncated SVD of the rest."""
    n = 8
    logs = np.random.default_rng(1).normal(size=(n, n))
    centred = (np.eye(n) - 1 / n) @ logs @ (np.eye(n) - 1 / n)
    least = (np.linalg.svd(centred, compute_uv=False)[dimensions:] ** 2).sum()
    counts = sparse.csr_matrix(np.exp(logs))
    fit = train_glove(counts, dimensions, epochs=400, rate=0.5, x_max=1e-9, rng=0)
    assert objective(counts, fit, x_max=1e-9) == pytest.approx(least, rel=1e-4)
    assert fit.objective[-1] == pytest.approx(least, rel=1e-3)
    assert fit.vectors.shape == (n, dimensions)


def test_the_same_seed_gives_the_same_vectors():
    counts = cooccurrences([np.random.default_rng(0).integers(9, size=200)], 9, 3, weighted=True)
    one, again, other = (train_glove(counts, 4, epochs=3, rng=seed).vectors for seed in (0, 0, 1))
    assert np.array_equal(one, again) and not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("counts", "fragments"),
    [
        (sparse.csr_matrix((3, 3)), ["counts above 0", "0 of them"]),
        (sparse.csr_matrix([[0.0, -1.0], [1.0, 0.0]]), ["counts above 0", "-1"]),
    ],
)
def test_counts_that_have_no_logarithm_are_refused(counts, fragments, refuses):
    refuses(lambda: train_glove(counts, 2), fragments)


def test_importing_loads_no_torch(loaded_by):
    assert loaded_by("lib.embeddings.glove", ("torch", "gensim")) == []
