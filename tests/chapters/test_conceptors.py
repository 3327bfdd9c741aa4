"""What the chapters `conceptors` and `conceptors_in_context` found: cells of the paper on its own vectors, and what a run on ours must hold."""

import pytest

from lib.ledger import report_card
from lib.ledger.claims import load_claims
from lib.ledger.verdicts import AS_RELEASED, SAME_DATA, verdict
from tests.chapters.runs import run_of

MATHS = "karve2019_conceptor.table3."
STATIC, STATIC_DIFFERS = 261, 3  # cells of the spreadsheet that the print follows, and others
CONTEXT, CONTEXT_DIFFERS = 116, 8


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
    assert {card[claim] for claim in cells} <= {"reproduced", "holds", "within its randomness"}


def test_nothing_is_called_reproduced_on_vectors_that_are_not_the_paper_s():
    card = report_card(run_of("embedded", "conceptors"))
    assert not {*SAME_DATA, AS_RELEASED} & set(card["verdict"])


def test_other_vectors_answer_for_the_side_of_an_untreated_effect_alone():
    for profile in ("embedded", "sample"):
        found = run_of(profile, "conceptors")
        others = found["data"].str.match("minilm|glove_twitter") & found["claim_id"].ne("")
        answered = load_claims().loc[found["claim_id"][others]]
        assert len(answered) >= 4
        assert set(answered["metric"]) == {"weat_effect_size_d"}
        assert set(answered["system"]) == {"Without Debiasing"}


@pytest.mark.parametrize(
    ("chapter", "as_released", "differs"),
    [("conceptors", STATIC, STATIC_DIFFERS), ("conceptors_in_context", CONTEXT, CONTEXT_DIFFERS)],
)
def test_every_printed_cell_of_the_spreadsheet_is_set_beside_its_claim(
    chapter, as_released, differs
):
    found = run_of("sample", chapter)
    released = found[found["settings"].str.contains('"procedure": "as released"')]
    verdicts = [verdict(row["claim_id"], row).verdict for row in released.to_dict("records")]
    assert len(released) == released["claim_id"].nunique() == as_released + differs
    assert {name: verdicts.count(name) for name in set(verdicts)} == {
        "as released": as_released,
        "differs": differs,
    }


@pytest.mark.parametrize(
    ("chapter", "count"),
    [("conceptors", STATIC_DIFFERS), ("conceptors_in_context", CONTEXT_DIFFERS)],
)
def test_a_number_that_differs_from_the_spreadsheet_has_a_cause_on_the_card(chapter, count):
    card = report_card(run_of("sample", chapter))
    differs = card[(card["paper"] == "karve2019_conceptor") & (card["verdict"] == "differs")]
    assert len(differs) == count and set(differs["basis"]) == {"as released"}
    assert differs["reason"].str.contains("the released number").all()


def test_n_counts_the_target_words_of_both_lists():
    found = run_of("sample", "conceptors")
    career = found["settings"].str.contains("(Career, Family)", regex=False)
    twitter = found["data"].str.startswith("glove_twitter")  # lacks one of the sixteen words
    assert set(found["n"][career & twitter & found["quantity"].eq("effect size")]) == {15}


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


RANDOM = "effect size after conceptors of random words"


def test_random_lists_stand_beside_the_list_in_every_space_that_has_words_for_them():
    found = run_of("sample", "conceptors")
    found = found[found["quantity"] == RANDOM]
    spaces = {source.partition("@")[0] for source in found["data"]}
    assert len(spaces) == 3 and (found["low"] <= found["value"]).all()


@pytest.mark.parametrize(
    ("chapter", "quantity"),
    [
        ("conceptors", RANDOM),
        ("conceptors_in_context", "effect size in context after conceptors of random words"),
    ],
)
def test_there_are_random_lists_enough_for_one_adjusted_p_to_be_small(chapter, quantity):
    found = run_of("sample", chapter)
    found = found[found["quantity"] == quantity]
    assert len(found) and (len(found) / (found["n"] + 1) < 0.05).all()


def test_the_paper_s_setting_and_lengths_are_both_recorded_for_the_conceptor():
    found = run_of("embedded", "conceptors")
    lengths = found[found["quantity"] == "effect size, aperture in lengths"]
    gender = ~found["settings"].str.contains('"subspace": "names"')  # those are of another test
    negated = found["settings"].str.contains("Negation")
    given = found[(found["quantity"] == "effect size") & negated & gender]
    assert len(lengths) == len(given) == 3 * 5


def test_deleting_the_words_of_gender_closes_the_gap_of_the_task_and_the_conceptor_does_not():
    found = run_of("embedded", "conceptors")
    found = found[found["quantity"] == "task: occupations named"]
    gaps = found[found["settings"].str.contains("beyond a fair one")]
    gap = {
        name: gaps["value"][gaps["settings"].str.contains(name, regex=False)].iloc[0]
        for name in ("as trained", "words deleted", "conceptor of pronouns, 13 lengths")
    }
    assert gap["words deleted"] < gap["conceptor of pronouns, 13 lengths"]
    assert abs(gap["words deleted"]) < gap["as trained"] / 2


def test_the_shares_of_four_words_add_up_and_have_intervals():
    found = run_of("embedded", "conceptors_in_context")
    shares = found[found["quantity"] == "share of the differences of four words"]
    assert len(shares) == 9
    assert shares["value"].sum() == pytest.approx(3)
    assert (shares["low"] <= shares["value"]).all() and (shares["value"] <= shares["high"]).all()


def test_no_number_of_bert_is_judged_on_another_model():
    for profile in ("embedded", "sample"):
        found = run_of(profile, "conceptors_in_context")
        answering = found[found["claim_id"].ne("")]
        assert answering["settings"].str.contains('"procedure": "as released"').all()
