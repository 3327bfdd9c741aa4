"""What the chapter `conceptors` found: cells of the paper on its own vectors, and what a run on ours must hold."""

from lib.ledger import report_card
from lib.ledger.claims import load_claims
from tests.chapters.runs import run_of

MATHS = "karve2019_conceptor.table3."


def claims_about(**columns):
    claims = load_claims()
    claims = claims[claims["claim_id"].str.startswith(MATHS)]
    for name, wanted in columns.items():
        claims = claims[claims[name].str.endswith(wanted)]
    return list(claims["claim_id"])


def test_effects_on_the_rows_of_google_news_and_glove_are_reproduced():
    card = report_card(run_of("sample", "conceptors")).set_index("claim_id")["verdict"]
    of_size = [
        dict(metric="weat_effect_size_d", dataset="word2vec", **about)
        for about in (
            {"setting": "subspace=none"},
            {"setting": "subspace=Pronouns", "system": "Mu et al."},
            {"setting": "subspace=Pronouns", "system": "Conceptor Negation"},
        )
    ]
    of_size.append({"metric": "weat_effect_size_d", "dataset": "GloVe", "setting": "subspace=none"})
    cells = [claim for about in of_size for claim in claims_about(**about)]
    assert len(cells) == 4
    assert {claim: card[claim] for claim in cells} == dict.fromkeys(cells, "reproduced")


def test_their_p_values_lie_within_the_paper_s_draws():
    card = report_card(run_of("sample", "conceptors")).set_index("claim_id")["verdict"]
    cells = claims_about(metric="p_value", setting="subspace=none", system="Without Debiasing")
    cells = [
        claim for claim in cells if load_claims().loc[claim, "dataset"] in ("word2vec", "GloVe")
    ]
    assert {card[claim] for claim in cells} <= {"reproduced", "within its randomness"}


def test_nothing_is_called_reproduced_on_vectors_that_are_not_the_paper_s():
    verdicts = set(report_card(run_of("embedded", "conceptors"))["verdict"])
    assert verdicts <= {
        "not run",
        "not comparable",
        "agrees elsewhere",
        "disagrees elsewhere",
        "inconclusive elsewhere",
    }


def test_every_recoverability_stands_beside_that_of_random_pairs():
    found = run_of("embedded", "conceptors")
    found = found[found["quantity"] == "share on the right side"]
    assert len(found) >= 8
    assert (found["low"] < found["high"]).all()


def test_every_treatment_of_every_test_is_also_run_with_its_words_off_the_lists():
    found = run_of("embedded", "conceptors")
    held_out = found[found["quantity"] == "effect size, its words off every list"]
    assert len(held_out) == 3 * 14
    assert held_out["value"].abs().max() < 2
