"""What the chapter `ripa` found: what the paper proves, and what a run on our own vectors must hold."""

import json

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


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_without_constants_no_group_stands_out_by_every_rule_for_zeros(profile):
    found = run_of(profile, "ripa")
    sizes, tops = (
        found[found["quantity"] == quantity].set_index("settings")["value"].astype(float)
        for quantity in (
            "vectors over text, no constant",
            "vectors over text, no constant: null high",
        )
    )
    larger = (sizes > tops).groupby(lambda text: json.loads(text)["group"]).sum()
    assert len(sizes) == 15 and (larger < 3).all()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_test_without_constants_would_have_seen_half_as_much_again(profile):
    found = run_of(profile, "ripa")
    power = found[found["quantity"] == "vectors over text, no constant: power"]
    power = power.set_index("settings")["value"].astype(float)
    seen = {json.loads(text)["group"]: value for text, value in power.items() if "drop" in text}
    assert seen["appropriate"] > 0.9 and seen["neutral"] > 0.9


def test_the_published_list_holds_what_it_should_and_godfather():
    found = run_of("sample", "ripa")
    found = found[found["quantity"] == "words on the published list of gender-specific words"]
    held = {
        json.loads(row.settings)["words"]: (int(float(row.value)), int(row.n))
        for row in found.itertuples()
    }
    assert held["the equalize pairs"] == (103, 104)
    assert held["the stereotyped pairs of SemBias"] == (1, 40)
    assert held["godfather"] == held["wolf_cub"] == held["Au_Lait"] == (1, 1)


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_taking_frequency_off_brings_glove_nearer_to_its_text(profile):
    found = run_of(profile, "ripa")
    near = found[found["quantity"] == "GloVe and its text, equation 6: correlation"]
    near = {json.loads(row.settings)["taken"]: float(row.value) for row in near.itertuples()}
    assert near["biases as learned"] > near["nothing"] < near["log counts, as conjectured"]
