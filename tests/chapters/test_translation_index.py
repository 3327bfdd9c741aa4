"""What the chapter `translation_index` found: the printed table, what was planted; any translator can take its place."""

import json

import pandas as pd
import pytest

from lib.ledger import Ledger, report_card
from lib.ledger.claims import load_claims
from studies.translation_index.cho2019 import SETS, SYSTEMS
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells

PAPER = "cho2019_tgbi"
TABLE = f"{PAPER}.table1."


def test_every_cell_of_the_table_is_reproduced_but_google_s_average():
    card = report_card(run_of("sample", "translation_index")).set_index("claim_id")["verdict"]
    cells = [claim for claim in load_claims()["claim_id"] if claim.startswith(TABLE)]
    verdicts = {claim: card[claim] for claim in cells}
    assert len(cells) == 66 and verdicts.pop(f"{TABLE}64") == "differs"
    assert set(verdicts.values()) == {"reproduced", "holds"}
    printed = load_claims()["value"]
    assert {printed[claim] for claim in verdicts if verdicts[claim] == "holds"} == {"0.0000"}


def test_sizes_of_sets_and_bounds_of_the_score_are_reproduced():
    card = report_card(run_of("sample", "translation_index")).set_index("claim_id")
    claims = load_claims()
    counted = claims[(claims["paper"] == PAPER) & (claims["metric"] == "sentences")]
    bounds = claims[(claims["paper"] == PAPER) & (claims["location"] == "Section 3.2")]
    assert len(counted) == 8 and len(bounds) == 2
    for ids in (counted.index, bounds.index, [f"{PAPER}.appendixa.1"]):
        assert set(card.loc[ids, "verdict"]) == {"reproduced"}


def test_each_cell_names_the_files_of_its_own_system_and_set_and_a_procedure():
    table = load_claims()
    table = table[table["claim_id"].str.startswith(TABLE)]
    sets = {**SETS, "mean of the seven sets": None}
    for claim in table.itertuples():
        system = next(key for key, name in SYSTEMS.items() if name == claim.system)
        name = claim.setting.partition(";")[0].partition("=")[2]
        ends = [sets[name][1]] if sets[name] else [end for _, end in SETS.values()]
        assert claim.data.split("|") == [f"tgbi_total_{system}_{end}" for end in ends]
        assert claim.procedure


@pytest.mark.parametrize("key", ["tgbi_total_google_job", "tgbi_total_kakao_inf"])
def test_a_score_made_from_the_outputs_of_another_system_or_set_is_refused(key, refuses):
    ledger = Ledger("translation_index", "sample")
    about = dict(system="Kakao Translator", sentence_set="occupation", data=key)
    about["procedure"] = "score of a set, feminine words first"
    refuses(
        lambda: ledger.record("score", 0.1241, claim=f"{TABLE}61", **about),
        [f"{TABLE}61", "tgbi_total_kakao_job", key],
    )


def test_intervals_over_sentences_are_too_narrow():
    found = run_of("sample", "translation_index")
    width = found[found["quantity"] == "width of the interval"].assign(
        system=lambda rows: rows["settings"].map(lambda text: json.loads(text)["system"]),
        drawn=lambda rows: rows["settings"].map(lambda text: json.loads(text)["drawn"]),
    )
    width = width.pivot_table(index="system", columns="drawn", values="value")
    assert len(width) == 3 and (width["items"] / width["sentences"]).between(1.5, 2.1).all()


def of_quantity(found, quantity):
    """The results of a quantity, their settings as columns."""
    rows = found[found["quantity"] == quantity].reset_index(drop=True)
    return rows.join(pd.DataFrame(rows["settings"].map(json.loads).tolist()))


def test_the_three_systems_differ_beyond_chance():
    found = run_of("sample", "translation_index")
    assert len(gaps := of_quantity(found, "difference of the index")) == 3
    assert ((gaps["low"] > 0) | (gaps["high"] < 0)).all()
    assert (of_quantity(found, "p of the difference, corrected")["value"] < 0.01).all()


@pytest.mark.parametrize(("profile", "translators"), [("embedded", 5), ("sample", 8)])
def test_intervals_over_words_are_right_more_often_than_over_sentences(profile, translators):
    found = run_of(profile, "translation_index")
    rows = of_quantity(found, "intervals that have the true index in them")
    shares = rows.pivot_table(index="translator", columns="drawn", values="value")
    assert len(shares) == translators and (shares["items"] > shares["sentences"]).all()
    ordinary = shares.drop(["half she, half he", "he, hardly ever neutral"])
    assert ordinary["items"].between(0.88, 0.99).all() and (ordinary["sentences"] < 0.85).all()


def test_the_language_and_errors_decide_the_index_of_2025():
    found = run_of("sample", "translation_index")
    rows = of_quantity(found, "index of labelled translations")
    index = rows.set_index(["errors", "language", "system"])["value"]
    assert len(index) == 32 and (index["left out"] < index["neutral"]).all()
    assert (index.unstack("language").idxmax(axis=1) == "Dutch").all()
    counted = index["neutral"].unstack("system").drop("Dutch")
    assert (counted.idxmax(axis=1) == "EuroLLM-9B").all()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_planted_translators_are_found_and_useless_ones_score_well(profile):
    found = run_of(profile, "translation_index")
    planted = found[found["quantity"] == "index of a planted translator"]
    truth = planted["settings"].map(lambda text: json.loads(text)["truth"])
    assert len(planted) == 4 and (planted["value"] - truth).abs().max() < 0.03
    useless = found[found["quantity"] == "index of a useless translator"]
    useless = dict(
        zip(useless["settings"].map(lambda text: json.loads(text)["translator"]), useless["value"])
    )
    assert (
        useless["says nothing"] == useless["copies what it is asked"] == 1
        and useless["always he"] == 0
    )
    assert useless["she of these words, he of those"] == pytest.approx(
        useless["tosses a coin"], abs=0.01
    )


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_no_number_of_the_spanish_set_answers_a_claim(profile):
    found = run_of(profile, "translation_index")
    spanish = found[found["quantity"].isin(["index", "score of a set", "share of outputs"])]
    assert len(spanish) == 1 + 7 + 21 and (spanish["claim_id"] == "").all()
    assert spanish["value"].between(0, 1).all()


@pytest.mark.slow
def test_the_chapter_runs_with_any_translator_s_folder(tmp_path):
    from tests.support.tiny_models import build_translator

    few = dict(translator=str(build_translator("marian", tmp_path / "tiny")), beams=1, draws=50)
    run = run_cells("translation_index", **few)
    assert "tiny" in run.text and "not for Naver Papago" in run.text
    assert "here `tiny`, from Spanish to English, scores" in run.text
    assert "this book's small" not in run.text and run.unnamed("tatoeba").empty
