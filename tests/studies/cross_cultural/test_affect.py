"""Norms of words by the sign of their correlation with a gap."""

import numpy as np
import pandas as pd
import pytest

from studies.cross_cultural.affect import (
    contrast_affect,
    warriner_norms,
)

RNG = np.random.default_rng(0)
WORDS = (
    [f"low{n}" for n in range(30)]
    + [f"high{n}" for n in range(30)]
    + [f"none{n}" for n in range(30)]
    + ["unrated"]
)
SIGNS = np.repeat([1, -1, 0, 1], [30, 30, 30, 1])
NORMS = pd.DataFrame(
    {
        "valence": 5 + SIGNS[:90] + 0.5 * RNG.standard_normal(90),
        "dominance": 5 + RNG.standard_normal(90),
    },
    index=WORDS[:90],
)


def test_words_that_share_one_signal_fool_the_t_test_and_not_the_permuted_gap():
    """All words of a kind move together over cultures, for a reason that has nothing to do with the gap."""
    t, permuted = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shared = rng.standard_normal(40)
        biases = pd.DataFrame(
            shared[:, None] * SIGNS[:60] + 0.3 * rng.standard_normal((40, 60)), columns=WORDS[:60]
        )
        found = contrast_affect(
            biases, rng.standard_normal(40), NORMS[["valence"]], floor=0.01, resamples=60, rng=seed
        )
        t.append(found.t_p["valence"])
        permuted.append(found.p_value["valence"])
    assert np.nanmean(np.array(t) < 0.05) > 0.5
    assert np.nanmean(np.array(permuted) < 0.05) < 0.2


@pytest.mark.sample("warriner_vad")
def test_the_norms_are_whole_and_on_their_scale():
    norms = warriner_norms()
    assert norms.shape == (13_915, 3) and norms.index.is_unique
    assert norms.min().min() >= 1 and norms.max().max() <= 9
    assert norms.loc["happy", "valence"] > 8 > 3 > norms.loc["murder", "valence"]
