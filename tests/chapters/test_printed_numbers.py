"""What the runs say of printed numbers: those that come out, those as released, and none answered by other data."""

import numpy as np
import pandas as pd
import pytest

from lib.ledger.claims import load_claims
from lib.ledger.verdicts import AS_RELEASED, OTHER_DATA, SAME_DATA, verdict
from tests.chapters.runs import card_of, rows_of, run_of

# chapter, profile -> the claims that a run on other data than the paper's may answer
RIPA = {"ethayarajh2019_ripa.sec4.1", "ethayarajh2019_ripa.sec4.2"}
BOLD = {"lu2021_bold_and_beyond.sec32.1", "lu2021_bold_and_beyond.sec33.1"}
ANSWERED = {
    ("base_pair_stability", "embedded"): set(),
    ("base_pair_stability_evidence", "embedded"): set(),
    ("biographies", "embedded"): set(),
    ("biographies_evidence", "embedded"): set(),
    ("conceptors", "embedded"): set(),
    ("conceptors", "sample"): set(),
    ("contextual_geometry", "embedded"): set(),
    ("contextual_geometry", "sample"): set(),
    ("contextual_geometry_evidence", "embedded"): set(),
    ("contextual_geometry_evidence", "sample"): set(),
    ("cross_cultural", "embedded"): set(),
    ("cross_cultural", "sample"): set(),
    ("cross_cultural_evidence", "embedded"): set(),
    ("cross_cultural_evidence", "sample"): set(),
    ("domains", "embedded"): set(),
    ("domains", "sample"): set(),
    ("log_probability_bias", "embedded"): set(),
    ("log_probability_bias_evidence", "embedded"): {"kurita2019_arxiv.sec33.1"},
    ("multiclass", "embedded"): BOLD,
    ("multiclass", "sample"): BOLD,
    ("multiclass_evidence", "embedded"): set(),
    ("multiclass_evidence", "sample"): set(),
    ("prefix_injection", "embedded"): set(),
    ("prefix_injection", "sample"): set(),
    ("prefix_injection_evidence", "embedded"): set(),
    ("prefix_injection_evidence", "sample"): set(),
    ("ripa", "embedded"): set(),
    ("ripa", "sample"): set(),
    ("ripa_evidence", "embedded"): RIPA,
    ("ripa_evidence", "sample"): RIPA,
}


@pytest.mark.parametrize(("chapter", "profile"), ANSWERED)
def test_other_data_answer_no_printed_number(chapter, profile):
    found = run_of(profile, chapter)
    assert set(found["claim_id"].fillna("")) - {""} == ANSWERED[chapter, profile]


def verdicts_of(profile, chapter, *claims):
    """The verdicts of a profile's runs on some claims, or on all."""
    found = card_of(profile, chapter)["verdict"]
    return found[list(claims)] if claims else found


def reproduced(chapter, paper):
    """How many results of a paper a run reproduces; a difference without a known reason is an error."""
    card = card_of("sample", chapter)
    cells = card[(card["paper"] == paper) & (card["kind"] == "result")]
    differs = cells[cells["verdict"] == "differs"]
    assert not differs["reason"].str.contains("no reason is known").any()
    return (cells["verdict"] == "reproduced").sum()


def test_most_results_of_four_papers_come_out():
    assert reproduced("taxonomy_evidence", "hitti2019_taxonomy") >= 34
    assert reproduced("pronoun_resolution_evidence", "ionita2019_resolving") >= 75
    assert reproduced("sentiment_evidence", "bhaskaran2019_sentiment") == 32
    assert (
        reproduced("reinflection_evidence", "habash2019_arabic") >= 23 + 6
    )  # BLEU, and scores of the rule


def test_all_of_tables_2_and_3_of_ionita_and_others_and_place_5_of_the_overview_come_out():
    found = verdicts_of("sample", "pronoun_resolution_evidence")
    tables = found[found.index.str.match(r"ionita2019_resolving\.table[23]\.")]
    assert len(tables) == 72 and set(tables) == {"reproduced"}
    assert found["gap_shared_task.table2.14"] == "reproduced"


def test_of_bhaskaran_and_bhallamudi_one_number_is_as_released_and_one_has_no_result():
    paper = "bhaskaran2019_sentiment"
    found = verdicts_of("sample", "sentiment_evidence", f"{paper}.table1.3", f"{paper}.table1.5")
    assert found.tolist() == ["as released", "no result"]


def test_the_notebook_holds_the_printed_kappas_and_public_rows_the_cosines():
    card_of("sample", "base_pair_stability")
    card = card_of("sample", "base_pair_stability_evidence")
    card = card[(card["paper"] == "zhang2020_base_pairs") & (card["kind"] == "result")]
    tables = card[card["location"].isin([f"Table {number}" for number in range(1, 7)])]
    assert set(tables["verdict"]) == {"as released"} and len(tables) == 243
    for number in (6, 8, 9, 10, 12, 17):  # two cosines, and counts of the analogy test set
        assert card.loc[f"zhang2020_base_pairs.sec7.{number}", "verdict"] == "reproduced"
    assert set(card["verdict"]) == {"as released", "reproduced", "no result"}


def test_surgeon_has_the_stored_scores():
    found = rows_of(
        "sample", "base_pair_stability_evidence", "score of a word, also in the stored outputs"
    )
    assert len(found) == 3 and np.allclose(found["value"], found["stored"], rtol=0, atol=1e-7)


KARVE = "karve2019_conceptor"


def test_effects_on_the_rows_of_google_news_and_glove_are_reproduced():
    claims = load_claims()
    claims = claims[claims["claim_id"].str.startswith(f"{KARVE}.table3.")]
    of_size = claims[claims["metric"] == "weat_effect_size_d"]
    plain = of_size[of_size["setting"].str.endswith("subspace=none")]
    pronouns = of_size[of_size["setting"].str.endswith("subspace=Pronouns")]
    pronouns = pronouns[pronouns["system"].isin(["Mu et al.", "Conceptor Negation"])]
    cells = [
        *plain.loc[plain["dataset"].isin(["word2vec", "GloVe"]), "claim_id"],
        *pronouns.loc[pronouns["dataset"] == "word2vec", "claim_id"],
    ]
    assert len(cells) == 4
    assert set(verdicts_of("sample", "conceptors_evidence", *cells)) == {"reproduced"}


@pytest.mark.parametrize(
    ("chapter", "as_released", "differs"),
    [("conceptors_evidence", 261, 3), ("conceptors_in_context_evidence", 116, 8)],
)
def test_every_printed_cell_of_the_spreadsheet_is_set_beside_its_claim(
    chapter, as_released, differs
):
    found = run_of("sample", chapter)
    released = found[found["settings"].str.contains('"procedure": "as released"')]
    verdicts = [verdict(row["claim_id"], row).verdict for row in released.to_dict("records")]
    assert len(released) == released["claim_id"].nunique() == as_released + differs
    assert verdicts.count("as released") == as_released and verdicts.count("differs") == differs
    card = card_of("sample", chapter).loc[released["claim_id"]]
    causes = card.loc[card["verdict"] == "differs", "reason"]
    assert len(causes) == differs and causes.str.contains("the released number").all()


def test_conceptors_on_other_vectors_answer_for_the_side_of_an_untreated_effect_alone():
    card = card_of("embedded", "conceptors_evidence")
    verdicts = set(card.loc[card["paper"] == KARVE, "verdict"])
    assert verdicts.isdisjoint({*SAME_DATA, AS_RELEASED})
    for profile in ("embedded", "sample"):
        found = run_of(profile, "conceptors_evidence")
        others = found["data"].str.match("minilm|glove_twitter") & found["claim_id"].ne("")
        answered = load_claims().loc[found["claim_id"][others]]
        assert len(answered) >= 4
        assert set(answered["metric"]) == {"weat_effect_size_d"}
        assert set(answered["system"]) == {"Without Debiasing"}
        context = run_of(profile, "conceptors_in_context_evidence")
        answering = context.loc[context["claim_id"].ne(""), "settings"]
        assert answering.str.contains('"procedure": "as released"').all()  # of BERT, as stored


CHALONER = "chaloner2019_domains.table2."


def test_google_news_effects_are_reproduced_and_all_others_of_table_2_are_as_released():
    found = verdicts_of("sample", "domains_evidence")
    table = found[found.index.str.startswith(CHALONER)]
    computed = {number: table.pop(f"{CHALONER}{number}") for number in (1, 2, 11, 12, 21, 22)}
    assert {computed[number] for number in (2, 12, 22)} == {"reproduced"}
    assert set(computed.values()) <= {"reproduced", "within its randomness"}
    assert set(table) == {"as released"}


def test_gap_p_values_of_unequal_sets_are_not_compared():
    found = verdicts_of(
        "embedded", "domains_evidence", *(f"{CHALONER}{n}" for n in (19, 29, 39, 49))
    )
    assert set(found).isdisjoint({*SAME_DATA, *OTHER_DATA})


def test_gap_lacks_the_words_that_the_paper_s_gap_lacks():
    found = run_of("embedded", "domains_evidence")
    of_gap = found["settings"].str.contains('"gap"')
    claims = found.loc[of_gap & (found["quantity"] == "words out of vocabulary"), "claim_id"]
    card = card_of("embedded", "domains_evidence").loc[claims]
    assert len(card) == 12 and set(card["verdict"]) == {"reproduced"}
    assert set(card["basis"]) == {"recomputed"}


def test_the_size_of_the_test_of_friends_is_reproduced():
    cells = [f"font2019_equalizing.table2.{number}" for number in (10, 11, 12)]
    assert set(verdicts_of("sample", "equalizing_evidence", *cells)) == {"reproduced"}


def test_stored_outputs_settle_table_three_of_kurita_and_others_cell_by_cell():
    story, evidence = (
        card_of("sample", f"log_probability_bias{page}") for page in ("", "_evidence")
    )
    own = [f"kurita2019_arxiv.table3.{number}" for number in (3, 6, 9, 12, 15)]
    card = pd.concat([story.loc[own], evidence.drop(own)])
    cells = card.loc[[f"kurita2019_arxiv.table3.{number}" for number in range(1, 16)]]
    places = cells.reset_index().groupby("verdict").indices
    assert {name: (rows + 1).tolist() for name, rows in places.items()} == {
        "reproduced": [6, 9, 12, 15],  # log probability bias, rows pooled over templates
        "as released": [1, 7, 8, 10, 11, 13],
        "differs": [2, 3, 4, 5, 14],  # another run, flowers, the two cells that are swapped
    }
    causes = cells.loc[cells["verdict"] == "differs", "reason"]
    assert not causes.str.contains("no reason is known").any()


def test_every_cell_of_the_table_of_translators_is_reproduced_but_google_s_average():
    table = "cho2019_tgbi.table1."
    printed = load_claims()["value"]
    cells = [claim for claim in printed.index if claim.startswith(table)]
    found = verdicts_of("sample", "translation_index_evidence", *cells)
    assert len(found) == 66 and found.pop(f"{table}64") == "differs"
    assert set(found) == {"reproduced", "holds"}
    assert set(printed[found.index[found == "holds"]]) == {"0.0000"}


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_numbers_of_our_spanish_sets_and_translators_answer_no_claim(profile):
    found = run_of(profile, "translation_index")
    spanish = found[found["quantity"].isin(["index", "score of a set", "share of outputs"])]
    assert len(spanish) == 1 + 7 + 21 and (spanish["claim_id"] == "").all()
    claims = load_claims()
    of_paper = claims["paper"] == "moryossef2019_mt_injection"
    results = claims.loc[of_paper & (claims["kind"] == "result"), "claim_id"]
    card = card_of(profile, "prefix_injection_evidence").loc[results]
    assert set(card["verdict"]) <= {"no result", "adds up", "not contradicted"}
    assert set(card["reach"]) == {"never", "public"}


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_single_words_give_the_effect_size_and_p_that_ripa_s_paper_proves(profile):
    assert set(verdicts_of(profile, "ripa_evidence", *RIPA)) == {"reproduced"}
