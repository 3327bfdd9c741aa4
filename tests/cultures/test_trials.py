"""What the procedure finds in planted text and in noise: directions, controls, and tests that are too sure."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.planted import Plan, plant
from lib.cultures.regression import detectable_r2, noise_null, signed_r2
from lib.cultures.trials import (
    beyond_noise,
    in_planted_direction,
    neighbour_alarms,
    noise_sizes,
    resampled_r2,
    stray_r2,
    word_alarms,
)

RNG = np.random.default_rng(0)
PLACES = [f"p{number:02d}" for number in range(24)]
GAPS = pd.DataFrame(RNG.standard_normal((24, 2)), PLACES, ["wages", "seats"])
THEMES = {"threat": ("danger", "threat"), "calm": ("peace", "quiet")}
PEOPLE = ("she", "her"), ("he", "his")
TEXT = plant(GAPS, THEMES, {"threat": "-wages"}, *PEOPLE, Plan(tokens=1200, types=50), rng=0)


def test_a_theme_that_goes_as_planted_is_positive_whatever_the_sign():
    follow = {"threat": "-wages", "calm": "seats"}
    planted = pd.Series({"threat": -0.8, "calm": 0.5})
    means = pd.DataFrame({"threat": -GAPS["wages"], "calm": -GAPS["seats"]})
    found = in_planted_direction(means, GAPS, follow, planted)
    assert found.to_dict() == pytest.approx({"threat": 1, "calm": -1})


def test_random_words_are_set_against_every_theme_by_every_measure():
    leans = {"a": TEXT.log_odds.assign(noise=GAPS["seats"]), "b": TEXT.log_odds * 0 + 1}
    leans["b"]["noise"] = TEXT.log_odds["calm"]
    found = stray_r2(leans, TEXT, ["noise"], PEOPLE)
    assert found["measure"].tolist() == ["a", "a", "b", "b"]
    assert found["R²"].tolist()[-1] == pytest.approx(1)
    assert found.loc[0, "R²"] == signed_r2(GAPS["seats"], TEXT.log_odds["threat"])
    assert found.loc[0, "r with frequency"] == GAPS["seats"].corr(TEXT.log_ratio_of_people(2, 2))


def test_sizes_in_noise_are_the_quantiles_of_the_null():
    found = noise_sizes([(20, 1, 0.0), (20, 0.2, 0.5)], words=5, simulations=50, rng=1)
    null = noise_null(20, 5, share=0.2, correlation=0.5, simulations=50, rng=1)
    assert found.loc[(20, 0.2, 0.5), "held_out, 95 %"] == null.quantiles(0.95)["held_out"][0]
    assert found.loc[(20, 1, 0.0), [c for c in found if "held" in c]].isna().all()


def test_resampled_places_scatter_around_the_whole_and_less_where_there_are_more():
    bias = GAPS["wages"] + GAPS["seats"]
    few, many = (resampled_r2(bias, GAPS["wages"], n, rng=0) for n in (10, 200))
    assert few.shape == (400,) and few.std() > 2 * many.std()
    assert many.mean() == pytest.approx(signed_r2(bias, GAPS["wages"]), abs=0.05)


def test_cells_of_a_table_are_counted_against_noise_and_against_its_controls():
    printed = pd.DataFrame({"threat": [0.5, -0.3], "calm": [0.02, 0.15], "r-1": [0.1, -0.01]})
    found = beyond_noise(printed, ["r-1"], {"r2, 95 %": 0.09, "r2, 99 %": 0.2}, 51)
    assert found == {
        "cells": 4,
        "random cells": 2,
        "largest random": 0.1,
        "beyond 95 % of noise": 0.75,
        "beyond 99 % of noise": 0.5,
        "random beyond 95 %": 0.5,
        "beyond largest random": 0.75,
        "beyond detectable R²": 0.75,
    }
    assert 0.1 < detectable_r2(51) < 0.15


def test_neighbours_that_are_alike_raise_alarms_unless_permuted_inside():
    groups = pd.Series(np.repeat(list("abcd"), 6), PLACES)
    shared = np.repeat(np.random.default_rng(1).standard_normal(4), 6)
    gaps = pd.DataFrame({"wages": shared + 0.1 * GAPS["wages"]}, PLACES)
    found = neighbour_alarms(gaps, groups, draws=30, rng=0).loc["wages"]
    assert found["permuted among all"] > 0.3 > 0.2 > found["permuted inside divisions"]


def test_words_that_move_together_fool_the_t_test():
    apart, together = (word_alarms(shared, draws=20, words=80, rng=0) for shared in (0, 0.5))
    assert together["t-test, p ≤ 0.05"] > 0.35 > 0.25 > apart["t-test, p ≤ 0.05"]
    assert together["gaps permuted, p ≤ 0.05"] < 0.3
