"""Analogies: closed forms, the textbook analogy, and those along other axes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.embeddings import load_embedding
from studies.base_pair_stability import analogies


def test_minilm_says_apples():
    e = load_embedding("minilm")
    rows = [e.words.index(word) for word in ("man", "woman", "apple")]
    found = analogies.solve_analogies(*e.vectors[rows], e.vectors, [rows])
    assert e.words[found[0]] == "apples"


@settings(max_examples=30)
@given(st.integers(0, 9999))
def test_the_answer_has_the_largest_cosine_of_all_allowed_words(seed):
    rng = np.random.default_rng(seed)
    words = rng.standard_normal((30, 5))
    unit = words / np.linalg.norm(words, axis=1, keepdims=True)
    a, b, x = rng.integers(0, 30, 3)
    cosines = unit @ (unit[x] - unit[a] + unit[b])
    cosines[[a, b, x]] = -np.inf
    assert (
        analogies.solve_analogies(words[a], words[b], words[x], words, [[a, b, x]])[0]
        == cosines.argmax()
    )
