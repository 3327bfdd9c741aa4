"""The lean of a sentence's words alone."""

import numpy as np

from lib.embeddings import load_embedding
from studies.stereotypes.words import word_leans


def test_masculine_words_lean_masculine_and_unknown_ones_say_nothing():
    leans = word_leans(
        ["My father, the king.", "My mother, the queen.", "qqxzv"], load_embedding("minilm")
    )
    assert leans[0] > leans[1] and np.isnan(leans[2])
