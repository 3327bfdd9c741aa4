"""Files that hold rows of the same vectors are told from those that only have the same words."""

import numpy as np

from lib.embeddings import Embedding
from studies.domains.shared_vectors import FEWEST, same_vectors

WORDS = [f"word{number}" for number in range(FEWEST + 5)]
VECTORS = np.random.default_rng(0).standard_normal((len(WORDS), 4)).astype(np.float32)
WHOLE = Embedding(WORDS, VECTORS)


def test_rows_of_one_file_in_another_order_are_the_same_vectors():
    order = np.random.default_rng(1).permutation(len(WORDS))[:FEWEST]
    part = Embedding([*(WORDS[row] for row in order), "another"], VECTORS[[*order, 0]])
    assert same_vectors(WHOLE, part) and same_vectors(part, WHOLE)


def test_one_word_with_another_vector_is_enough_to_tell_two_files_apart():
    other = VECTORS.copy()
    other[3, 2] += 1e-6
    assert not same_vectors(WHOLE, Embedding(WORDS, other))
