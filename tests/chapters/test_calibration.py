"""What the chapter calibration finds, in the recorded grid and in the text of its own run."""

import json

import pandas as pd
import pytest

from tests.chapters.runs import run_of


@pytest.fixture(scope="module")
def rows():
    found = run_of("embedded", "calibration")
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]], index=found.index)
    return found.join(settings).set_index("quantity")


def test_the_run_of_today_is_one_of_the_recorded_texts(rows):
    assert rows.loc["largest deviation of this run from the grid", "value"] < 4


def test_the_planted_shares_are_the_expected_ones(rows):
    assert rows.loc["planted shares beyond 1.96 standard errors", "value"] <= 0.2


def test_lists_dealt_at_random_raise_no_more_false_alarms_than_five_percent(rows):
    alarms = rows.loc["false alarms at 5 %"]
    random_lists = alarms[alarms["question"] == "nothing there"]
    assert len(random_lists) > 20 and (random_lists["low"] <= 0.05).all()


def test_a_strong_plant_is_seen_and_a_ratio_of_errors_does_not_see_it(rows):
    slope = rows.loc["slope over planted strength"].set_index("measure")
    assert slope.loc["WEAT", "low"] > 0 > slope.loc["GAP ratio, handicap", "high"]
    assert abs(slope.loc["GAP ratio", "value"]) < 0.02


def test_another_seed_keeps_the_order_that_the_text_gives(rows):
    same = rows.loc["rank correlation of two trainings"].set_index(["space", "measure"])["value"]
    assert set(same.index.get_level_values("space")) == {"skip-gram", "GloVe", "masked head"}
    assert same["skip-gram", "direct bias"] > 0.8 and same.between(-1, 1).all()


def test_exact_and_t_intervals_cover_and_cells_drawn_alone_do_not(rows):
    coverage = rows.loc["coverage of 95 % intervals"].set_index("kind")
    assert coverage.loc["exact_share", "high"] >= 0.95
    assert coverage.loc["seeds_3", "low"] <= 0.95 <= coverage.loc["seeds_3", "high"]
    assert coverage.loc["cells_alone", "high"] < 0.8
