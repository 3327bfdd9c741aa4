"""What the procedure finds in noise, and tests that are too sure."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.regression import noise_null
from studies.cross_cultural.noise import (
    alarm_rates,
    cells_beyond,
    neighbour_alarms,
    noise_limits,
    noise_sizes,
    percent_with_interval,
    word_alarms,
)


def test_sizes_in_noise_are_the_quantiles_of_the_null():
    found = noise_sizes([(20, 1, 0.0), (20, 0.2, 0.5)], words=5, simulations=50, rng=1)
    null = noise_null(20, 5, share=0.2, correlation=0.5, simulations=50, rng=1)
    assert found.loc[(20, 0.2, 0.5), "held_out, 95 %"] == null.quantiles(0.95)["held_out"][0]
    assert found.loc[(20, 1, 0.0), [c for c in found if "held" in c]].isna().all()


def test_limits_of_noise_are_its_quantiles_and_lie_inside_their_intervals():
    found = noise_limits(30, [4, 10], [0.0, 0.4], simulations=200, rng=1)
    null = noise_null(30, 10, share=1, correlation=0.4, simulations=200, rng=1)
    assert found.loc[(10, 0.4), "limit"] == null.quantiles(0.95)["r2"][0]
    assert (found["low"] <= found["limit"]).all() and (found["limit"] <= found["high"]).all()


def test_printed_cells_are_counted_against_every_limit_whatever_their_sign():
    limits = pd.DataFrame({"limit": [0.2, 0.5], "low": [0.1, 0.4], "high": [0.3, 0.6]}, [4, 40])
    found = cells_beyond([[0.15, -0.25], [0.45, -0.7]], limits)
    assert found.to_dict("list") == {"value": [3, 1], "low": [2, 1], "high": [4, 2]}


def test_shares_of_alarms_come_with_exact_intervals():
    found = alarm_rates({"some": [True] * 3 + [False] * 17, "none": []})
    assert found.loc["some", ["low", "high"]].tolist() == pytest.approx([0.0321, 0.3789], abs=1e-4)
    assert found.loc["none", "n"] == 0 and np.isnan(found.loc["none", "value"])
    assert percent_with_interval(found)["some"] == "15% (3% to 38%)"


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
