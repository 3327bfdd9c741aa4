"""What the procedure finds in planted text and in noise: directions, controls, and tests that are too sure."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.planted import Plan, plant
from lib.cultures.regression import noise_null, signed_r2
from lib.cultures.trials import (
    against_planted,
    alarm_rates,
    cells_beyond,
    in_planted_direction,
    mean_word_correlation,
    neighbour_alarms,
    noise_limits,
    noise_sizes,
    percent_with_interval,
    resampled_r2,
    stray_r2,
    verdicts_in_words,
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


def test_limits_of_noise_are_its_quantiles_and_lie_inside_their_intervals():
    found = noise_limits(30, [4, 10], [0.0, 0.4], simulations=200, rng=1)
    null = noise_null(30, 10, share=1, correlation=0.4, simulations=200, rng=1)
    assert found.loc[(10, 0.4), "limit"] == null.quantiles(0.95)["r2"][0]
    assert (found["low"] <= found["limit"]).all() and (found["limit"] <= found["high"]).all()


@pytest.mark.parametrize("correlation", [-0.1, 1.0, 2])
def test_words_cannot_correlate_by_less_than_nothing_or_wholly(correlation):
    with pytest.raises(ValueError, match="correlation: expected 0 or more and below 1"):
        noise_limits(30, [4], [correlation], simulations=10)


def test_printed_cells_are_counted_against_every_limit_whatever_their_sign():
    limits = pd.DataFrame({"limit": [0.2, 0.5], "low": [0.1, 0.4], "high": [0.3, 0.6]}, [4, 40])
    found = cells_beyond([[0.15, -0.25], [0.45, -0.7]], limits)
    assert found.to_dict("list") == {"value": [3, 1], "low": [2, 1], "high": [4, 2]}


def test_a_planted_association_is_found_missed_or_reversed():
    places = [f"p{number:03d}" for number in range(150)]
    gaps = pd.DataFrame({"wages": np.random.default_rng(1).standard_normal(150)}, places)
    follow, plan = {"threat": "-wages"}, Plan(tokens=24, types=50)
    text = plant(gaps, THEMES, follow, *PEOPLE, plan, rng=0)
    odds, gap = text.log_odds["threat"], gaps["wages"]
    ways = {
        "as planted": odds,
        "wrong sign": -odds,
        "too small": odds + 2 * np.random.default_rng(3).standard_normal(150),
        "too large": -gap,
    }
    for verdict, lean in ways.items():
        leans = pd.DataFrame({"threat": lean})
        found = against_planted(leans, text, gaps, follow, resamples=300, rng=0).loc["threat"]
        assert found["verdict"] == verdict
        assert found["planted"] == pytest.approx(abs(text.planted_r2["threat"]))
        assert found["value"] == pytest.approx(-signed_r2(lean, gap))
        assert found["low"] <= found["value"] <= found["high"]
    assert verdicts_in_words(pd.DataFrame([found])).startswith("too large: threat (1.00 of ")


def test_words_of_a_theme_are_as_alike_as_their_mean_correlation():
    biases = pd.DataFrame(RNG.standard_normal((30, 3)), columns=list("abc"))
    by_hand = np.mean([biases[x].corr(biases[y]) for x, y in ("ab", "ac", "bc")])
    assert mean_word_correlation(biases) == pytest.approx(by_hand)
    assert np.isnan(mean_word_correlation(biases[["a"]]))
    assert np.isnan(mean_word_correlation(biases, fewest=31))


def test_shares_of_alarms_come_with_exact_intervals():
    found = alarm_rates({"some": [True] * 3 + [False] * 17, "none": []})
    assert found.loc["some", ["low", "high"]].tolist() == pytest.approx([0.0321, 0.3789], abs=1e-4)
    assert found.loc["none", "n"] == 0 and np.isnan(found.loc["none", "value"])
    assert percent_with_interval(found)["some"] == "15% (3% to 38%)"


def test_neighbours_that_are_alike_raise_alarms_unless_permuted_inside():
    groups = pd.Series(np.repeat(list("abcd"), 6), PLACES)
    shared = np.repeat(np.random.default_rng(1).standard_normal(4), 6)
    gaps = pd.DataFrame({"wages": shared + 0.1 * GAPS["wages"]}, PLACES)
    found = neighbour_alarms(gaps, groups, draws=200, rng=0).loc["wages", "value"]
    assert found["permuted among all"] > 0.3 > 0.15 > found["permuted inside divisions"]


def test_words_that_move_together_fool_the_t_test_at_the_floor_of_the_paper():
    apart, together = (
        word_alarms(shared, draws=60, words=600, rng=0)["value"] for shared in (0, 0.3)
    )
    assert together["t-test, p ≤ 0.05"] > 0.35 > 0.2 > apart["t-test, p ≤ 0.05"]
    assert together["gaps permuted, p ≤ 0.05"] < 0.25
