"""What the chapter `domains` found: the paper's Google News column, its released numbers, and our own vectors."""

import pytest

from lib.ledger import report_card
from lib.ledger.verdicts import OTHER_DATA, SAME_DATA
from tests.chapters.runs import run_of

PAPER = "chaloner2019_domains"


def verdicts_of(profile):
    return report_card(run_of(profile, "domains")).set_index("claim_id")["verdict"]


def test_google_news_effects_are_reproduced_and_their_p_lie_within_the_paper_s_draws():
    card = verdicts_of("sample")
    of_google_news = {number: card[f"{PAPER}.table2.{number}"] for number in (1, 2, 11, 12, 21, 22)}
    assert {number: verdict for number, verdict in of_google_news.items() if number % 10 == 2} == {
        2: "reproduced",
        12: "reproduced",
        22: "reproduced",
    }
    assert set(of_google_news.values()) <= {"reproduced", "within its randomness"}


def test_every_other_number_of_table_2_is_as_released():
    card = verdicts_of("sample")
    table = card[card.index.str.startswith(f"{PAPER}.table2.")]
    computed = table.index.str.fullmatch(r".*\.(1|2|11|12|21|22)")
    assert set(table[~computed]) == {"as released"}


def test_gap_p_values_of_unequal_sets_are_not_compared():
    card = verdicts_of("embedded")
    found = {card[f"{PAPER}.table2.{number}"] for number in (19, 29, 39, 49)}
    assert found.isdisjoint({*SAME_DATA, *OTHER_DATA})


def test_gap_lacks_the_words_that_the_paper_s_gap_lacks():
    found = run_of("embedded", "domains")
    counts = found[
        (found["quantity"] == "words out of vocabulary") & found["settings"].str.contains('"gap"')
    ]
    card = report_card(counts).set_index("claim_id").loc[counts["claim_id"]]
    assert len(card) == 12 and set(card["verdict"]) == {"reproduced"}
    assert set(card["basis"]) == {"recomputed"}


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_random_attributes_are_the_harder_null(profile):
    found = run_of(profile, "domains")
    beyond = {
        kind: (found.loc[found["quantity"] == f"random {kind} sets as far from 0", "value"] < 0.05)
        for kind in ("target", "attribute")
    }
    assert len(beyond["target"]) == len(beyond["attribute"]) > 30
    assert beyond["attribute"].sum() < beyond["target"].sum() / 2
