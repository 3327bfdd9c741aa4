"""The training of GloVe for the chapter `ripa`: what it keeps of a matrix, and that it can be had again."""

import numpy as np
from scipy import sparse

from scripts.train import glove


def test_one_training_keeps_the_rows_and_columns_asked_for(monkeypatch):
    monkeypatch.setattr(glove, "SETTINGS", dict(dimensions=4, epochs=2, x_max=10.0))
    counts = sparse.csr_matrix(np.random.default_rng(0).integers(0, 9, (12, 12)).astype(np.float32))
    kept = glove.trained(counts, [3, 1, 5], [5, 1], seed=1)
    assert kept["words_1"].shape == (3, 4) and kept["contexts_1"].shape == (2, 4)
    assert kept["biases_1"].shape == (3,) and len(kept["objective_1"]) == 2
    again = glove.trained(counts, [3, 1, 5], [5, 1], seed=1)
    assert all(np.array_equal(kept[name], again[name]) for name in kept)
