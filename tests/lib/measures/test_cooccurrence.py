"""Counts of a corpus: a small one by hand, and the double loop."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.measures.cooccurrence import cooccurrences

TEXTS = st.lists(st.lists(st.integers(0, 4), max_size=12), min_size=1, max_size=6)


def counted_by_hand(texts, size, window):
    counts = np.zeros((size, size), int)
    for text in texts:
        for i, word in enumerate(text):
            for j, other in enumerate(text):
                counts[word, other] += 0 < abs(i - j) <= window
    return counts


@settings(max_examples=80)
@given(TEXTS, st.integers(1, 4), st.integers(1, 30))
def test_counts_equal_the_double_loop_whatever_the_block(texts, window, block):
    found = cooccurrences(texts, size=5, window=window, block=block).toarray()
    assert (found == counted_by_hand(texts, 5, window)).all()
    assert (found == found.T).all()


def test_weights_fall_with_distance_and_stop_at_the_window_and_at_the_end_of_a_text():
    found = cooccurrences([[0, 1, 2, 0], [2, 1]], 3, window=2, weighted=True).toarray()
    assert np.allclose(found, [[0, 1 + 1 / 2, 1 + 1 / 2], [3 / 2, 0, 2], [3 / 2, 2, 0]])


def test_bad_input_says_what_was_expected(refuses):
    refuses(lambda: cooccurrences([[0, 7]], size=3), ["from 0 to 2", "got 0 to 7"])
