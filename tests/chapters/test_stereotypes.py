"""What the chapter `stereotypes` finds: an order that families share, what of it needs no stereotype, and gaps that stretch."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from lib.ledger.results import recorded_rows
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells, run_some
from tests.support.tiny_gguf import write_gguf


def with_settings(found):
    settings = pd.json_normalize(found["settings"].map(json.loads)).set_index(found.index)
    return found.join(settings).set_index("quantity")


@pytest.fixture(scope="module")
def kept():
    return with_settings(recorded_rows("stereotypes"))


def test_without_a_download_the_order_and_the_gaps_are_those_of_the_released_scores(kept):
    live = with_settings(run_of("embedded", "stereotypes"))
    agreement = live.loc["median agreement of families"].set_index("over")["value"]
    assert agreement.round(3).to_dict() == {"all": 0.915, "within sides": 0.876}
    for quantity in ("gap", "standardised gap"):
        here, there = (table.loc[quantity].set_index("model")["value"] for table in (live, kept))
        assert len(here) == 34 and here.to_numpy() == pytest.approx(there[here.index].to_numpy())


def test_every_printed_number_that_the_scores_settle_comes_out(kept):
    answered = kept[kept["claim_id"] != ""]
    assert len(answered) == 1408 + 6 + 4 and answered["claim_id"].is_unique
    ends = kept.loc["stored ends that 1000 draws give"]
    assert ends["n"] == 2816 and ends["value"] / ends["n"] > 0.99


def test_one_family_keeps_its_order_in_three_slavic_branches_beside_groups_that_mean_nothing(kept):
    branches = kept.loc["agreement of branches"].set_index(["family", "over"])
    assert branches.loc[("XLM-R", "all"), "low"] > branches.loc[("mBERT", "all"), "high"]
    ratios = kept.loc["ratio of variances"].set_index(["family", "branch"])["value"]
    assert ratios["XLM-R"].min() > 7 > 3 > ratios["mBERT"].max()
    dealt = kept.loc["agreement of models, pairs dealt"].set_index("models")
    of_language = kept.loc["agreement of models in a language"].set_index("models")["value"]
    assert of_language["XLM-R models"].min() > dealt.loc["XLM-R models", "high"]
    assert (of_language["mBERT with XLM-R"] > dealt.loc["mBERT with XLM-R", "high"]).sum() == 2


def test_groups_that_mean_nothing_agree_too_but_less_than_stereotypes(kept):
    draws = kept.loc["agreement in draws"].set_index(["draws", "over"])
    p = kept.loc["p of agreement"].set_index(["draws", "over"])["value"]
    shuffled = draws.loc[("shuffled", "all")]
    assert 0.5 < shuffled["value"] < shuffled["high"] < 0.9
    assert p["shuffled", "all"] == pytest.approx(1 / 1001)
    # With two sides kept, the order of sixteen is what the null gives; the order within them is not
    assert p["shuffled within", "all"] > 0.05 > p["shuffled within", "within sides"]


def test_words_alone_order_stereotypes_as_the_families_do(kept):
    words = kept.loc["agreement with words"].set_index("over")["value"]
    assert words["all"] > 0.7 and kept.loc["AUC of words alone", "value"] < 0.6


def test_every_model_tells_the_sentences_apart_and_people_do_so_far_better(kept):
    auc = kept.loc["AUC of the blind reading"]["value"]
    assert len(auc) == 34 and auc.min() > 0.53 and auc.max() < 0.85
    assert kept.loc["blind reading as meant", "value"] > 0.97


def test_tuning_widens_the_gap_and_not_the_gap_in_spreads(kept):
    changes = kept.loc["change by tuning"].set_index("measure")
    assert (changes.loc["gap", "low"] > 0).all() and len(changes) == 8
    in_spreads = changes.loc["standardised gap"]
    assert (in_spreads["low"] < 0).all() and (in_spreads["high"] > 0).all()


def test_two_and_three_sizes_could_not_have_shown_an_order(kept):
    p = kept.loc["p of rank correlation with size"].set_index(["series", "measure"])["value"]
    assert p["Pythia", "gap"] < 0.01 and p["GPT-2", "gap"] > 0.05 and p["XLM-R", "gap"] > 0.05


def test_the_reader_of_endings_hears_a_speaker_who_is_named(kept):
    named = kept.loc["masculine share, speaker named"].set_index(["speaker", "system"])["value"]
    assert named["man"].min() > 0.99 and named["woman"].max() < 0.25
    gaps = kept.loc["gap of masculine shares"]
    assert len(gaps) == 32 and (gaps["low"] > 0).all()


def test_a_model_on_this_machine_is_asked_beside_its_null_and_named(kept):
    live = kept.loc["agreement with families, live"].set_index(["draws", "over"])
    assert set(live["model"]) == {"smollm2"}
    assert live["data"].str.contains("smollm2@sha256:").all()
    for quantity in ("gap, live", "standardised gap, live", "place by gap, live"):
        row = kept.loc[quantity]
        assert row["low"] <= row["value"] <= row["high"]
    assert kept.loc["gap, live", "n"] == 3565
    auc, room = (
        kept.loc[quantity, "value"]
        for quantity in ("AUC of the blind reading, live", "half width of chance, live")
    )
    assert auc > 0.5 + room


@pytest.mark.slow
@pytest.mark.sample("gest_data_gest")
def test_a_model_of_the_reader_s_own_stands_under_its_own_name(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    # its pieces are short, and a sentence of GEST has up to a hundred of them
    own = write_gguf(tmp_path / "own.gguf", "llama", "Q8_0", settings={"context_length": 512})
    run = run_cells("stereotypes", model=str(own), asked=2, released=True)
    data = run.namespace["ledger"].rows()["data"]
    assert own.name in run.text and "smollm2" not in run.text
    assert data.str.contains(f"{own.name}@sha256:").any()


def test_sentences_of_one_s_own_are_ranked_only_behind_sentences_that_are_told_apart(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("I knit, and I sew.\nI drive a lorry.\nI cry.\n")
    cells = ["parameters", "check-parameters", "effective-parameters", "imports"]
    cells += ["imports-of-the-study", "sentences-of-yours-read"]
    scores = pd.DataFrame({"she/he": [2.0, -1, 1], "woman/man": [1.0, -2, 0]}, list("abc"))
    about = {"yours": [*"abc"], "their_scores": scores, "stated": [["f"], ["m"]], "of_yours": {}}
    about |= {"asked_here": SimpleNamespace(name="mine"), "own_sentences": str(path)}
    for low, said in {0.4: "does not tell sentences of known gender apart", 0.9: "Your 3"}.items():
        told = SimpleNamespace(auc=0.95, low=low, high=1)
        run = run_some("stereotypes", cells, told=told, **about)
        assert said in run.text
    rows = run.namespace["ledger"].rows()
    assert sorted(rows["value"]) == [-1.5, 0.5, 1.5]


def test_without_a_model_or_the_sentences_a_box_says_why(tiny_gguf):
    cells = ["parameters", "check-parameters", "effective-parameters", "imports"]
    cells += ["live-scores", "live-order", "live-figure"]
    for model, why in {"none": "-p model=smollm2", str(tiny_gguf): "-p released=true"}.items():
        assert why in run_some("stereotypes", cells, model=model).shown[-1]
