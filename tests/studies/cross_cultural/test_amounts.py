"""How much text a place takes: text as thin as its plan, leans that follow what was planted or nothing, and trainings that are kept."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib.cultures.tasks import Training
from studies.cross_cultural.amounts import (
    DENSE,
    TEXTS,
    THIN,
    collections,
    rates_of_plan,
    real_rates,
    recovery,
)
from studies.cross_cultural.planted import plant

PLACES = [f"p{number:02d}" for number in range(12)]
GAPS = pd.DataFrame({"wages": np.random.default_rng(1).standard_normal(12)}, PLACES)
THEMES = {"threat": ("danger", "threat"), "calm": ("peace", "quiet")}
PEOPLE = ("she", "her", "woman"), ("he", "his", "man")
LISTS = {
    "themes": THEMES,
    "follows": {"threat": "-wages"},
    "female": PEOPLE[0],
    "male": PEOPLE[1],
    "controls": {"r-1": ("w00010", "w00011")},
}


@pytest.mark.parametrize("plan", TEXTS.values(), ids=TEXTS)
def test_planted_text_is_as_thin_as_its_plan(plan):
    text = plant(GAPS[:1], THEMES, {}, *PEOPLE, replace(plan, tokens=240_000), rng=0)
    lines = map(" ".join, text.texts(PLACES[0]))
    people = [*PEOPLE[0], *PEOPLE[1]]
    found = real_rates(lines, [word for words in THEMES.values() for word in words], people)
    for what, rate in rates_of_plan(plan).items():
        assert found[what] == pytest.approx(rate, rel=0.12)


def test_a_theme_word_counts_as_beside_somebody_within_ten_words():
    near, far = "danger " + "so " * 9 + "she", "danger " + "so " * 10 + "she"
    assert real_rates([near], ["danger"], ["she"])["share of theme words beside one"] == 1
    assert real_rates([far], ["danger"], ["she"])["share of theme words beside one"] == 0


def table(way):
    """Leans of 40 places that are what `way` makes of the planted ones."""
    rng, sets = np.random.default_rng(0), [*THEMES, "r-1"]
    places = pd.MultiIndex.from_product([range(40), sets], names=["place", "set"])
    planted = pd.Series(rng.standard_normal(len(places)), places)
    planted[places.get_level_values("set") == "r-1"] = np.nan
    lean = way(planted.fillna(0), rng)
    columns = {"planted": planted, "counted": planted, "vectors": lean, "centred": np.nan}
    return pd.DataFrame(columns)


def test_what_was_planted_is_found_and_noise_is_not():
    found = recovery({(100, 0): table(lambda planted, rng: planted + 1)}, list(THEMES), ["r-1"])
    row = found.loc[100, "vectors"]
    assert row["value"] == pytest.approx(1) and row["p"] == row["least p"] < 0.001
    assert row["low"] <= row["value"] and row["null low"] < 0 < row["null high"] < 0.3
    assert (
        np.isnan(found.loc[100, "centred"]["value"]) and found.loc[100, "centred"]["measured"] == 0
    )
    noise = {
        (100, n): table(lambda planted, rng: rng.standard_normal(len(planted))) for n in (0, 1)
    }
    row = recovery(noise, list(THEMES), ["r-1"], rng=0).loc[100, "vectors"]
    assert abs(row["value"]) < 0.35 and row["low"] < row["value"] < row["high"]
    assert row["plantings"] == 2 and row["places"] == 40


def test_each_place_is_kept_and_a_stopped_training_goes_on(monkeypatch, tmp_path):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    how = Training(dimensions=4, epochs=1)
    plan = replace(DENSE, types=50)
    (made,) = collections(GAPS, {1200: 3}, 1, LISTS, plan=plan, training=how).values()
    first = made.read([1])[0]
    leans = made.leans()
    assert len(list((tmp_path / "kept" / ".amounts").iterdir())) == 3
    assert np.array_equal(leans.loc[made.gaps.index[1]].to_numpy(), first, equal_nan=True)
    monkeypatch.setattr("studies.cross_cultural.amounts.train", None)
    (again,) = collections(GAPS, {1200: 3}, 1, LISTS, plan=plan, training=how).values()
    assert again.leans().sort_index().equals(leans.sort_index())
    assert THIN.themed < DENSE.themed
