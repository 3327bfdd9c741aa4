"""The network in the form of the paper: what it can learn."""

import numpy as np

from studies.biographies.recurrent import train_network, word_rows


def test_it_reads_the_order_of_words_which_a_mean_cannot():
    rng = np.random.default_rng(0)
    first = rng.random(240) < 0.5
    texts = ["dog bites man" if one else "man bites dog" for one in first]
    rows, vectors = word_rows(texts, ["dog", "bites", "man"]), np.eye(3)
    taught = np.arange(240) < 160
    read = train_network(rows, vectors, first, taught, epochs=10, rng=0)
    assert (read.labels == first)[~taught].mean() > 0.95
    assert read.representation.shape == (240, 48)
