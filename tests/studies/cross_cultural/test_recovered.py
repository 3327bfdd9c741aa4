"""What is recovered of planted associations: directions, random words, verdicts."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.regression import signed_r2
from lib.embeddings import Embedding
from studies.cross_cultural.planted import Plan, plant
from studies.cross_cultural.recovered import (
    against_planted,
    centred,
    in_planted_direction,
    resampled_r2,
    stray_r2,
    verdicts_in_words,
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


def test_resampled_places_scatter_around_the_whole_and_less_where_there_are_more():
    bias = GAPS["wages"] + GAPS["seats"]
    few, many = (resampled_r2(bias, GAPS["wages"], n, rng=0) for n in (10, 200))
    assert few.shape == (400,) and few.std() > 2 * many.std()
    assert many.mean() == pytest.approx(signed_r2(bias, GAPS["wages"]), abs=0.05)


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


def test_centred_vectors_have_no_mean():
    middle = centred(Embedding(["she", "he"], [[3.0, 1.0], [1.0, 0.0]]))
    assert middle["she"].tolist() == [1, 0.5] and middle["he"].tolist() == [-1, -0.5]
