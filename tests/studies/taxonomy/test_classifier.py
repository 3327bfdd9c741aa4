"""A classifier that is tested on the book that it has not seen."""

import numpy as np

from studies.taxonomy import classifier

BOOKS = np.repeat(list("abc"), 20)
LABELS = np.tile([True, False], 30)


def test_a_signal_that_all_books_share_is_found():
    vectors = np.where(LABELS, 1.0, -1.0)[:, None] + np.zeros((60, 3))
    assert ((classifier.without_each_book(vectors, LABELS, BOOKS) > 0.5) == LABELS).all()


def test_what_marks_one_book_alone_helps_nobody():
    vectors = np.zeros((60, 3))
    vectors[np.arange(60), np.repeat([0, 1, 2], 20)] = np.where(LABELS, 1.0, -1.0)
    said = classifier.without_each_book(vectors, LABELS, BOOKS)
    assert np.allclose(said, said[0])
