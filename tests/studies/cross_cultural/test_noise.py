"""What the procedure finds in noise, and tests that are too sure."""

import numpy as np
import pandas as pd

from studies.cross_cultural.noise import (
    neighbour_alarms,
    word_alarms,
)


def test_neighbours_that_are_alike_raise_alarms_unless_permuted_inside():
    groups = pd.Series(np.repeat(list("abcd"), 6))
    shared = np.repeat(np.random.default_rng(1).standard_normal(4), 6)
    gaps = pd.DataFrame({"wages": shared + 0.1 * np.random.default_rng(0).standard_normal(24)})
    found = neighbour_alarms(gaps, groups, draws=200, rng=0).loc["wages", "value"]
    assert found["permuted among all"] > 0.3 > 0.15 > found["permuted inside divisions"]


def test_words_that_move_together_fool_the_t_test_at_the_floor_of_the_paper():
    apart, together = (
        word_alarms(shared, draws=60, words=600, rng=0)["value"] for shared in (0, 0.3)
    )
    assert together["t-test, p ≤ 0.05"] > 0.35 > 0.2 > apart["t-test, p ≤ 0.05"]
    assert together["gaps permuted, p ≤ 0.05"] < 0.25
