"""What the chapter `domains` found: the paper's Google News column, and what a run on our own vectors must hold."""

from lib.ledger import report_card
from tests.chapters.runs import run_of


def test_google_news_effects_are_reproduced_and_their_p_lie_within_the_paper_s_draws():
    card = report_card(run_of("sample", "domains")).set_index("claim_id")["verdict"]
    of_google_news = {
        number: card[f"chaloner2019_domains.table2.{number}"] for number in (1, 2, 11, 12, 21, 22)
    }
    assert {number: verdict for number, verdict in of_google_news.items() if number % 10 == 2} == {
        2: "reproduced",
        12: "reproduced",
        22: "reproduced",
    }
    assert set(of_google_news.values()) <= {"reproduced", "within its randomness"}


def test_gap_p_values_of_unequal_sets_are_not_compared():
    card = report_card(run_of("embedded", "domains")).set_index("claim_id")["verdict"]
    assert {card[f"chaloner2019_domains.table2.{number}"] for number in (19, 29, 39, 49)} == {
        "not comparable"
    }


def test_gap_lacks_the_words_that_the_paper_s_gap_lacks():
    found = run_of("embedded", "domains")
    counts = found[
        (found["quantity"] == "words out of vocabulary") & found["settings"].str.contains('"gap"')
    ]
    card = report_card(counts).set_index("claim_id").loc[counts["claim_id"]]
    assert len(card) == 12 and (card["printed"] == card["run"]).all()
