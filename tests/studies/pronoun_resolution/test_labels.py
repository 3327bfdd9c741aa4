"""Labels before and after a correction: what moved, what the old ones score, how far three teams agree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from lib.datasets.gap import CLASSES, read_gap
from lib.datasets.gap_corrections import corrected_answers
from studies.pronoun_resolution.labels import (
    agreement_on_changes,
    moves,
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


def test_kappa_of_two_teams_is_that_of_scikit_learn_and_lies_in_its_interval():
    rng = np.random.default_rng(0)
    first = rng.random(200) < 0.3
    changed = pd.DataFrame({"a": first, "b": first ^ (rng.random(200) < 0.1)})
    row = agreement_on_changes(changed, n_resamples=200, rng=0).loc["a and b"]
    assert row["value"] == pytest.approx(cohen_kappa_score(changed["a"], changed["b"]))
    assert row["low"] < row["value"] < row["high"]


@pytest.mark.sample(*FILES)
def test_the_estimate_of_human_performance_comes_out_as_printed():
    passages = read_gap("gap_test")
    female = passages["gender"] == "female"
    scores = score_of_labels(passages["answer"], corrected_answers("attree"), female)
    assert (100 * scores).round(1).tolist()[:3] == [97.2, 96.1, 96.6]
    assert round(scores["ratio"], 2) == 0.99
