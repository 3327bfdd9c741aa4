"""Groups of neighbours in place of attribute words: what they are, and that the effect along them is WEAT's."""

import numpy as np
import pytest

from lib.association import weat
from studies.domains.coherent_groups import coherent_axes, effects_along


def test_a_group_is_a_word_with_its_neighbours():
    near = np.repeat(np.eye(6), 3, axis=0) + 0.01 * np.random.default_rng(0).random((18, 6))
    axes = coherent_axes(near, (3, 3), draws=20, rng=0)
    weights = np.sort(np.abs(axes), axis=1)
    apart = np.abs(axes).max(axis=1) > 0.5  # two words of one group cancel out
    assert apart.any() and np.allclose(weights[apart][:, -2:], 1, atol=0.03)


def test_the_effect_along_an_axis_is_that_of_its_words():
    rng = np.random.default_rng(1)
    X, Y, A, B = (rng.standard_normal((n, 9)) for n in (5, 6, 4, 3))
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (A, B)]
    axis = unit[0].mean(axis=0) - unit[1].mean(axis=0)
    assert effects_along([axis], X, Y) == pytest.approx([weat(X, Y, A, B).effect_size])
