"""GloVe on our text: what is shipped, and that leans and log ratios of counts differ by biases alone where nothing is lost."""

import numpy as np
import pytest

from lib.lexicons import base_pairs
from studies.ripa.trained_glove import GLOVE, GloveTrainings, read_glove


def exact(n=6, c=4, seed=0):
    """Counts that word vectors, context vectors and biases reproduce without error."""
    rng = np.random.default_rng(seed)
    vectors, contexts = rng.standard_normal((1, n, 3)), rng.standard_normal((1, c, 3))
    word_biases, biases = rng.standard_normal((2, n))
    counts = np.exp(vectors[0] @ contexts[0].T + word_biases[:, None] + biases[:c])
    names = tuple(f"w{place}" for place in range(n))
    return GloveTrainings(names, names[:c], counts, counts.sum(1), vectors, contexts, biases[None])


def test_without_error_leans_are_log_ratios_less_the_biases_of_the_pair():
    glove, pairs = exact(), [("w0", "w1"), ("w3", "w2")]
    products, ratios = glove.leans(["w5", "w4"], pairs)
    of_pairs = glove.biases[0, [0, 3]] - glove.biases[0, [1, 2]]
    assert products.shape == (1, 2, 2)
    assert products[0] == pytest.approx(ratios - of_pairs)


def test_what_is_shipped_is_small_and_holds_the_base_pairs():
    assert sum(path.stat().st_size for path in GLOVE.iterdir()) < 1e6
    glove = read_glove()
    assert {word for pair in base_pairs("ethayarajh2019") for word in pair} <= set(glove.columns)
    assert set(glove.columns) <= set(glove.words)
    shapes = {len(glove.vectors), len(glove.contexts), len(glove.biases)}
    assert len(shapes) == 1 and np.isfinite(glove.vectors).all()
    assert glove.counts.shape == (len(glove.words), len(glove.columns))
    assert (glove.totals > 0).all()
