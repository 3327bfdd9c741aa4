"""How often a design finds what there is."""

import numpy as np
import pytest

from lib.inference.correlation import power
from studies.predictive_validity.power import share_found, smallest_found


def test_the_smallest_correlation_found_has_the_power_asked_for():
    for n in (7, 30):
        assert power(smallest_found(n), n) == pytest.approx(0.8, abs=0.002)


def test_a_treatment_without_effect_is_found_at_the_level():
    rng = np.random.default_rng(0)
    scores = np.arange(4.0) + np.zeros((200, 1))
    gaps = np.repeat(rng.standard_normal((200, 1)), 4, axis=1)
    assert share_found(scores, gaps, points=20, rng=0) == pytest.approx(0.05, abs=0.02)
