"""What the chapter `ripa` found: what the paper proves, and what a run on our own vectors must hold."""

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
    assert found.loc["genderedness, change, α by the rule", "high"] < 0
