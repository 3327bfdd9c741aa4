"""What is recovered of planted associations: directions, random words, verdicts."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.regression import signed_r2
from studies.cross_cultural.planted import Plan, plant
from studies.cross_cultural.recovered import (
    against_planted,
    verdicts_in_words,
)

THEMES = {"threat": ("danger", "threat"), "calm": ("peace", "quiet")}
PEOPLE = ("she", "her"), ("he", "his")


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
