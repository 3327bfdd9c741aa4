"""Labels before and after a correction: what moved, what the old ones score, how far three teams agree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from lib.datasets.gap import CLASSES, read_gap
from lib.datasets.gap_corrections import TEAMS, corrected_answers
from studies.pronoun_resolution.labels import (
    agreement_on_changes,
    changes_by_gender,
    moves,
    overlap,
    score_of_labels,
)

PAIRS = st.lists(
    st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES), st.booleans()),
    min_size=1,
    max_size=30,
)
LISTS = {"attree": "attree_corrections_test", "ionita": "ionita_gap_corrections"}
FILES = ("gap_test", *LISTS.values(), "liu_gap_test_validation_corrected")


@given(PAIRS)
def test_what_moves_out_and_comes_in_leads_from_before_to_after(rows):
    before, after, _ = zip(*rows)
    table = moves(before, after)
    assert (table["before"] - table["moved out"] + table["added"] == table["after"]).all()
    assert table["moved out"].sum() == table["added"].sum()
    assert moves(after, before)["moved out"].equals(table["added"].rename("moved out"))


@given(PAIRS)
def test_labels_that_did_not_change_score_one_wherever_a_name_is_meant(rows):
    answers, _, female = zip(*rows)
    scores = score_of_labels(answers, answers, female).dropna()
    assert (scores == 1).all()


def test_the_overlap_counts_each_changed_passage_once():
    changed = pd.DataFrame(
        {"a": [1, 1, 1, 0, 0], "b": [1, 1, 0, 0, 1], "c": [1, 0, 0, 0, 1]}, dtype=bool
    )
    counts = overlap(changed)["value"]
    assert counts[counts > 0].to_dict() == {"a, b, c": 1, "a, b": 1, "b, c": 1, "a": 1}
    assert counts.sum() == changed.any(axis=1).sum()


def test_kappa_of_two_teams_is_that_of_scikit_learn_and_lies_in_its_interval():
    rng = np.random.default_rng(0)
    first = rng.random(200) < 0.3
    changed = pd.DataFrame({"a": first, "b": first ^ (rng.random(200) < 0.1)})
    row = agreement_on_changes(changed, n_resamples=200, rng=0).loc["a and b"]
    assert row["value"] == pytest.approx(cohen_kappa_score(changed["a"], changed["b"]))
    assert row["low"] < row["value"] < row["high"]


def test_without_a_difference_between_genders_nothing_is_found_and_with_a_plain_one_it_is():
    female = np.repeat([True, False], 100)
    even, odd = np.tile([True, False], 100), female.copy()
    found = changes_by_gender(pd.DataFrame({"even": even, "odd": odd}), female)
    assert found.loc["even", ["feminine", "masculine", "value", "p"]].tolist() == [
        50,
        50,
        0,
        1,
    ]
    assert found.loc["odd", "low"] > 0.9 and found.loc["odd", "p"] < 1e-50


@pytest.mark.sample(*FILES)
def test_the_estimate_of_human_performance_comes_out_as_printed():
    passages = read_gap("gap_test")
    female = passages["gender"] == "female"
    scores = score_of_labels(passages["answer"], corrected_answers("attree"), female)
    assert (100 * scores).round(1).tolist()[:3] == [97.2, 96.1, 96.6]
    assert round(scores["ratio"], 2) == 0.99


@pytest.mark.sample(*FILES)
def test_thirty_five_labels_of_gap_test_are_wrong_to_all_three_teams():
    original = read_gap("gap_test").set_index("ID")["answer"]
    changed = pd.DataFrame({team: corrected_answers(team) != original for team in TEAMS})
    assert overlap(changed)["value"].iloc[0] == 35
