"""What the chapter calibration finds, in the recorded grid and in the text of its own run."""

import json

import pandas as pd
import pytest

from studies.calibration.grid import read_grid
from tests.chapters.runs import run_of


@pytest.fixture(scope="module")
def rows():
    found = run_of("embedded", "calibration")
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]], index=found.index)
    return found.join(settings).set_index("quantity")


def test_a_new_text_lies_where_the_recorded_ones_do(rows):
    assert rows.loc["marks beyond 95 % of new texts", "value"] < 0.3
    assert rows.loc["largest deviation of a new text from the grid", "value"] < 5


def test_longer_training_gives_glove_the_order_back():
    order = read_grid().query("statistic == 'rank correlation' and space == 'GloVe'")
    order = order[order["measure"] == "direct bias"].set_index("condition")["mean"]
    assert order["long_training"] > order["plain"] + 0.1


def test_a_classifier_that_cannot_see_people_raises_fewer_alarms(rows):
    alarms = rows.loc["TPR gap: false alarms"].set_index("classifier")
    assert alarms.loc["blind", "low"] <= 0.05 < alarms.loc["sees", "low"]


def test_a_unit_of_log_odds_is_worth_half_where_half_of_the_tokens_mean_something_else(rows):
    worth = rows.loc["slope over that in the plain text"].set_index(["measure", "condition"])
    assert 0.3 < worth.loc[("share translated", "two_senses"), "value"] < 0.7


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
    assert coverage.loc["tgbi_even", "high"] < 0.95 < coverage.loc["tgbi_40", "high"]
