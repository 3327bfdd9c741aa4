"""What the chapter `asked_to_choose` finds: a choice that follows the order of its options, and released answers that repeat."""

import json
import re

import pandas as pd
import pytest

from lib.language_models import decoders
from lib.ledger.results import recorded_rows
from lib.lexicons import load_lexicon
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells
from tests.support.servers import send, told
from tests.support.tiny_gguf import write_gguf

QUICK = {"jobs": 5, "known": 3, "control_jobs": 2, "generated": 3, "resamples": 20}


def with_settings(found):
    settings = pd.json_normalize(found["settings"].map(json.loads)).set_index(found.index)
    return found.join(settings.drop(columns="words", errors="ignore")).set_index("quantity")


@pytest.fixture(scope="module")
def kept():
    return with_settings(recorded_rows("asked_to_choose"))


@pytest.fixture(scope="module")
def live():
    return with_settings(run_of("embedded", "asked_to_choose"))


@pytest.fixture(params=["embedded", "recorded"])
def rows(request):
    return request.getfixturevalue({"embedded": "live", "recorded": "kept"}[request.param])


def test_the_order_answers_and_one_choice_tells_next_to_nothing_of_the_occupation(rows):
    assert rows.loc["names the option said first", "low"] > 0.75
    assert rows.loc["same answer in both orders", "high"] < 0.3
    assert rows.loc["ICC of a choice", "high"] < 0.5
    of = rows.loc["share of variance"].set_index("source")["value"]
    assert of["order"] > 0.5 and of["word"] < 0.05


def test_the_log_odds_behind_the_choice_repeat(rows):
    assert rows.loc["ICC of log odds, mean of both orders", "low"] > 0.5
    assert rows.loc["AUC of known words", "value"] > 0.99


def test_answers_that_stand_in_text_or_word_are_often_missed(rows):
    assert rows.loc["answers right, in the text", "high"] < 0.9
    assert rows.loc["answers right, in the word", "high"] < 0.9


def test_the_test_sees_answers_that_are_planted(rows):
    planted = rows.loc["ICC of a planted choice"].set_index("times")
    assert planted.loc[4, "low"] > 0.5 > planted.loc[0, "high"]


def test_released_answers_repeat_over_variants_but_not_over_forms(rows):
    assert rows.loc["ICC of four variants", "value"] == pytest.approx(0.93, abs=0.01)
    forms = rows.loc["agreement of forms"].set_index("forms")["value"]
    assert forms["chained"] > 0.7 > 0.4 > forms["yes or no"]


def test_scores_that_are_stored_come_out_with_the_halves_that_are_meant(kept):
    met = kept.loc["stored scores met"].set_index("rule")["value"]
    assert met["meant"] > 600 > 550 > met["notebook"]


@pytest.fixture(scope="module")
def long_gguf(tmp_path_factory):
    """A GGUF file with random weights that reads questions of 400 pieces."""
    path = tmp_path_factory.mktemp("tiny") / "asked.gguf"
    return write_gguf(path, "qwen2", "Q8_0", settings={"context_length": 512})


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["", "instructed:"])
def test_any_gguf_file_can_take_the_test_under_its_own_name(scheme, long_gguf, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("nurse\nastrologer\ncarpenter\n")
    asked = {"model": f"{scheme}{long_gguf}", "own_words": "" if scheme else str(path)}
    run = run_cells("asked_to_choose", **asked, **QUICK)
    assert ("not in the statistics: astrologer" in run.text) == (scheme == "")
    assert "asked.gguf" in run.text and "smollm2" not in run.text
    assert "SmolLM" not in run.text and run.unnamed("smollm2").empty
    rows = run.namespace["ledger"].rows()
    assert ("names the option said first" in set(rows["quantity"])) == (scheme == "")


@pytest.mark.slow
def test_a_model_that_reads_too_little_ends_green_with_a_box(tiny_gguf):
    run = run_cells("asked_to_choose", model=str(tiny_gguf), **QUICK)
    assert "reads 64 pieces" in run.text


@pytest.mark.slow
def test_without_the_package_the_released_half_is_read(monkeypatch):
    monkeypatch.setattr(decoders.importlib.util, "find_spec", lambda name: None)
    run = run_cells("asked_to_choose", **QUICK)
    assert "pip install" in run.text and "GPT-4o" in run.text
    assert "ICC of four variants" in set(run.namespace["ledger"].rows()["quantity"])


FEMALE = {female for female, _ in load_lexicon("known_groups")["pairs"]}


def knowing(prompt):
    """Answers as somebody would who reads the question: the fact in the text, the word, and for occupations one habit a word."""
    fact = re.search(r"\b(She|He) is the", prompt)
    words = re.findall(r"[a-z]+", prompt.lower())
    if fact:
        return fact[1]
    return "She." if FEMALE & {*words} or ("nurse" in words or "secretary" in words) else "He."


def following(prompt):
    """Names the option said first."""
    return min(("she", "he"), key=lambda option: prompt.lower().index(f" {option}"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("habit", "outcome"), [(knowing, "may be read"), (following, "do not tell of the word")]
)
def test_a_server_that_reads_passes_and_one_that_follows_the_order_does_not(
    habit, outcome, cache, monkeypatch
):
    monkeypatch.delenv("INSTRUCTED_API_KEY", raising=False)

    def content(body):
        said = habit(body["messages"][0]["content"])
        return json.dumps({"choices": [{"message": {"content": said}, "finish_reason": "stop"}]})

    with told(send(content)) as server:
        run = run_cells("asked_to_choose", model=f"instructed:{server.address}#stand-in", **QUICK)
    assert f"The choices of stand-in {outcome}" in run.text
    assert "a server shows no probabilities" in run.text
