"""WEAT with single words: the closed form against the test itself."""

import numpy as np
import pytest

from lib.association import weat
from studies.ripa.single_word_weat import single_word_statistics


def test_single_words_are_tested_with_every_pair_of_attribute_words():
    rng = np.random.default_rng(4)
    X, Y, A, B = (rng.standard_normal((n, 5)) for n in (1, 1, 3, 2))
    found = single_word_statistics(X[0], Y[0], A, B)
    assert found.shape == (3, 2)
    for i, j in np.ndindex(found.shape):
        assert found[i, j] == pytest.approx(weat(X, Y, A[i : i + 1], B[j : j + 1]).statistic)
