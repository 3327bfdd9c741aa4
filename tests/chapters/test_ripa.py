"""What the chapter `ripa` found: what the paper proves, and what a run on our own vectors must hold."""

import json

import pandas as pd
import pytest

from lib.ledger import report_card
from tests.chapters.runs import run_of


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_single_words_give_the_effect_size_and_p_that_the_paper_proves(profile):
    card = report_card(run_of(profile, "ripa")).set_index("claim_id")["verdict"]
    assert card["ethayarajh2019_ripa.sec4.1"] == card["ethayarajh2019_ripa.sec4.2"] == "reproduced"


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_theorem_holds_with_its_conditions_and_not_without(profile):
    found = run_of(profile, "ripa")
    found = found[found["quantity"] == "share of the bias left after projection"]
    left = dict(zip(found["settings"], found["value"].astype(float)))
    proved = next(value for name, value in left.items() if "all conditions hold" in name)
    assert proved < 1e-12 and len(left) == 4
    assert all(value > 0.01 for value in left.values() if value != proved)


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_own_vectors_and_groups_answer_no_number_of_the_paper(profile):
    answered = set(run_of(profile, "ripa")["claim_id"]) - {""}
    assert answered == {"ethayarajh2019_ripa.sec4.1", "ethayarajh2019_ripa.sec4.2"}


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_rule_for_alpha_turns_the_change_of_appropriate_words(profile):
    found = run_of(profile, "ripa")
    found = found[found["settings"].str.contains('"gender-appropriate"')].set_index("quantity")
    assert found.loc["genderedness, change", "low"] > 0
    assert found.loc["genderedness, change, α by the rule", "value"] < 0


def by_group_and_rule(profile, number):
    """A number of the comparison without constants, group by rule for zeros."""
    found = run_of(profile, "ripa")
    found = found[found["quantity"] == f"vectors over text, no constant{number}"]
    about = pd.DataFrame(list(found["settings"].map(json.loads)), index=found.index)
    table = found[["value"]].astype(float).join(about)
    return table.pivot(index="group", columns="zeros", values="value")


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_without_constants_appropriate_words_are_weaker_and_no_group_is_stronger(profile):
    sizes = by_group_and_rule(profile, "")
    larger = sizes > by_group_and_rule(profile, ": null high")
    smaller = sizes < by_group_and_rule(profile, ": null low")
    assert sizes.shape == (5, 3) and not larger.all(axis=1).any()
    assert smaller.index[smaller.all(axis=1)].tolist() == ["appropriate"]


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_all_rules_at_once_see_half_as_much_again_in_appropriate_words_alone(profile):
    joint = by_group_and_rule(profile, ": joint power")["drop"]
    assert (joint <= by_group_and_rule(profile, ": power").min(axis=1)).all()
    assert joint["appropriate"] > 0.8 > joint.drop("appropriate").max()
    assert (by_group_and_rule(profile, ": joint power below")["drop"] > 0.5).all()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_offset_of_a_pair_makes_other_groups_look_amplified(profile):
    what = ", offsets left in"
    raw, copy = by_group_and_rule(profile, what), by_group_and_rule(profile, f"{what}: copy")
    others = ["neutral", "occupations", "everyday nouns"]
    assert (raw["half"] > 1.1 * copy["half"])[others].all()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_random_pairs_order_occupations_about_as_well_as_the_base_pairs(profile):
    found = run_of(profile, "ripa").set_index("quantity")
    null = found.loc["rank correlation with women's share: random pairs, one training"]
    ours = found[found["settings"].str.contains("one training")]
    rho = float(ours.loc["rank correlation with women's share", "value"])
    assert float(null["low"]) < 0 < rho < float(null["high"]) + 0.1


def test_the_published_list_holds_what_it_should_and_godfather():
    found = run_of("sample", "ripa")
    found = found[found["quantity"] == "words on the published list of gender-specific words"]
    held = {
        json.loads(row.settings)["words"]: (int(float(row.value)), int(row.n))
        for row in found.itertuples()
    }
    assert held["the equalize pairs"] == (103, 104)
    assert held["the stereotyped pairs of SemBias"] == (1, 40)
    assert held["equalize pairs, both words"] == (51, 52)
    assert held["godfather, list it was grown from"] == (1, 1)
    assert held["godfather"] == held["wolf_cub"] == held["Au_Lait"] == (1, 1)


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_taking_frequency_off_brings_glove_nearer_to_its_text(profile):
    found = run_of(profile, "ripa")
    near = found[found["quantity"] == "GloVe and its text, equation 6: correlation"]
    near = {json.loads(row.settings)["taken"]: float(row.value) for row in near.itertuples()}
    assert near["biases as learned"] > near["nothing"] < near["log counts, as conjectured"]
    gains = run_of(profile, "ripa")
    what = "GloVe and its text, equation 6: difference of correlations"
    gains = gains[gains["quantity"] == what].set_index("settings")
    nothing = gains.index.str.contains("against nothing")
    assert (gains.loc[nothing, "low"].astype(float) > 0).all() and nothing.sum() == 2
    between = gains[~nothing].astype({"low": float, "high": float})
    assert (between["low"] < 0).all() and (between["high"] > 0).all()
