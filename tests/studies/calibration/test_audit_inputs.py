"""Audits of made inputs: the record keeps 5 %, one fair input of each cheap form gets no finding, one strongly planted is found."""

import numpy as np
import pandas as pd
import pytest

from scripts.sweeps import own_audits
from studies.calibration.audit_inputs import FORMS, audited, made_messages, space
from studies.calibration.audit_marks import power_kept, read_marks, said_power, summed, tried

CHEAP = [name for name, form in FORMS.items() if form.kind != "messages"]
MARKS = read_marks()
SEED = 4  # one of nineteen in twenty


def test_the_record_has_every_form_and_size():
    assert [*MARKS["form"].unique()] == [*FORMS]
    for name, rows in MARKS.groupby("form"):
        form = FORMS[name]
        assert sorted(rows["planted"]) == [0.0, *form.sizes] and {*rows["kind"]} == {form.kind}
        fair = rows["planted"] == 0
        assert (rows.loc[fair, "n"] >= 100).all() and (rows.loc[~fair, "n"] >= 10).all()
        assert {*rows.loc[fair, "about"]} == {form.fair}


def test_no_form_of_fair_input_has_findings_beyond_five_in_a_hundred():
    fair = MARKS[MARKS["planted"] == 0]
    assert (fair["low"] <= 0.05).all(), fair[["form", "finding", "n"]]
    assert fair["finding"].sum() <= 0.05 * fair["n"].sum()


def test_more_that_is_planted_is_said_more_often_and_much_of_it_mostly():
    for form, rows in MARKS[MARKS["planted"] > 0].groupby("form"):
        by_size = rows.sort_values("planted")["value"]
        assert by_size.iloc[-1] >= 0.75 and by_size.iloc[-1] > by_size.iloc[0], form


@pytest.mark.parametrize("name", CHEAP)
def test_a_fair_input_has_no_finding_and_a_strongly_planted_one_is_found(name):
    assert audited(name, 0, SEED).claims == ()
    if FORMS[name].sizes:
        said = audited(name, FORMS[name].sizes[-1], SEED)
        assert said.claims and said.found and said.alone


def test_the_same_numbers_give_the_same_input():
    one, two = (space([1.0, 0.0], np.random.default_rng(3), others=20) for _ in range(2))
    assert [*one.words] == [*two.words] and (one.vectors == two.vectors).all()
    assert made_messages(3, 0.5, 1) == made_messages(3, 0.5, 1) != made_messages(3, 0.5, 2)
    assert audited("twins", 0.02, 5) == audited("twins", 0.02, 5) != audited("twins", 0.02, 6)


def test_runs_go_on_where_they_stopped_and_are_summed_up(tmp_path):
    own_audits.run("sentences in a model", tmp_path, 2, 1)
    (path,) = tmp_path.iterdir()
    whole = path.read_text()
    path.write_text(whole[:-20])  # stopped in the middle of a line
    own_audits.run("sentences in a model", tmp_path, 2, 1)
    runs = own_audits.read_runs(path)
    assert len(runs) == 6 and not runs.duplicated(["size", "seed"]).any()
    table = summed(own_audits.gathered(tmp_path)).set_index("planted")
    assert table["n"].tolist() == [2, 1, 1, 1, 1] and np.isnan(table.loc[0, "stated"])
    assert table.loc[0.2, "found"] == 1 and "pairs 1" in table.loc[0.2, "claims"]


def test_stated_power_is_set_beside_what_the_test_alone_finds():
    assert said_power(2.0, 2.0) == pytest.approx(0.8, abs=1e-3)
    rows = pd.DataFrame({"alone": [80, 20, 5], "n": 100, "stated": [0.82, 0.8, np.nan]})
    assert power_kept(rows)["kept"].tolist() == [True, False]


def test_a_line_says_what_was_tried():
    fair = MARKS[(MARKS["kind"] == "messages") & (MARKS["planted"] == 0)].iloc[0]
    assert f"{fair['finding']} of {fair['n']}" in tried("messages")
    with pytest.raises(ValueError, match="kind of audit"):
        tried("nothing")
