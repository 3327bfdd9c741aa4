"""The network in the form of the paper: what it can learn, and that a seed fixes it."""

import numpy as np
import pytest

from lib.text_classification.occupations.recurrent import train_network, word_rows


def test_it_reads_the_order_of_words_which_a_mean_cannot():
    rng = np.random.default_rng(0)
    first = rng.random(240) < 0.5
    texts = ["dog bites man" if one else "man bites dog" for one in first]
    rows, vectors = word_rows(texts, ["dog", "bites", "man"]), np.eye(3)
    taught = np.arange(240) < 160
    read = train_network(rows, vectors, first, taught, epochs=10, rng=0)
    assert (read.labels == first)[~taught].mean() > 0.95
    assert read.representation.shape == (240, 48)
    again = train_network(rows, vectors, first, taught, epochs=10, rng=0)
    np.testing.assert_array_equal(again.labels, read.labels)


def test_deleted_words_leave_no_gap():
    rows = word_rows(["a she b", "b"], ["a", "b", "she"], without={"she"})
    assert rows.tolist() == [[0, 1], [1, -1]]


@pytest.mark.parametrize(
    ("labels", "taught", "message"),
    [
        (["a", "b"], [True, True, False], "got 3, 2 and 3"),
        (["a", "a", "b"], [True, True, False], "two classes or more"),
    ],
)
def test_bad_arguments(labels, taught, message):
    with pytest.raises(ValueError, match=message):
        train_network([[0], [0], [-1]], np.eye(2), labels, taught)
