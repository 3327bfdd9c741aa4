"""Norms of words."""

import pytest

from lib.datasets.norms import warriner_norms


@pytest.mark.sample("warriner_vad")
def test_the_norms_are_whole_and_on_their_scale():
    norms = warriner_norms()
    assert norms.shape == (13_915, 3) and norms.index.is_unique
    assert norms.min().min() >= 1 and norms.max().max() <= 9
    assert norms.loc["happy", "valence"] > 8 > 3 > norms.loc["murder", "valence"]
