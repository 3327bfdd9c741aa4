"""What the chapter `translated_gender` found: the readers, what the pronoun adds, and the two years."""

import json

import pandas as pd
import pytest

from lib.translation.instructed import KEY
from studies.translated_gender.winomt import PUBLISHED
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells, run_some
from tests.support.servers import send, told


@pytest.fixture(scope="module")
def found():
    rows = run_of("sample", "translated_gender")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    numbers = rows[["quantity", "value", "low", "high"]]
    return pd.concat([numbers, settings.drop(columns="n", errors="ignore")], axis="columns")


def of(found, quantity, *keys):
    return found[found["quantity"] == quantity].set_index(list(keys))


def test_winomt_accuracies_are_near_those_of_the_authors(found):
    by_rule = of(found, "WinoMT accuracy", "system", "language", "rule")["value"]
    for pair in [("google", "es"), ("bing", "es"), ("google", "he"), ("bing", "he")]:
        assert by_rule[(*pair, "own")] == pytest.approx(PUBLISHED[pair].accuracy, abs=1.2)
    for pair in [("google", "es"), ("google", "fr"), ("google", "de")]:
        assert by_rule[(*pair, "authors")] == pytest.approx(PUBLISHED[pair].accuracy, abs=0.6)


def test_the_pronoun_is_read_by_most_systems_and_hardly_by_others(found):
    added = of(found, "WinoMT by_pronoun", "system", "language", "rule").xs("own", level="rule")
    assert added.loc[("google", "es"), "low"] > 3 and added.loc[("bing", "de"), "low"] > 20
    assert abs(added.loc[("bing", "it"), "value"]) < 1


def test_our_reader_agrees_with_people_in_spanish(found):
    kappa = of(found, "agreement with people", "rater", "language", "score")
    ours = kappa.loc[("our reader", "es", "kappa")]
    assert ours["low"] > kappa.loc[("GPT-4o", "es", "kappa"), "high"]
    assert kappa.loc[("GPT-4o", "nl", "kappa"), "high"] < 0.4


def test_people_of_german_side_with_the_english(found):
    sides = of(found, "people side with", "language", "side")["value"]
    assert sides["de", "says"] > 0.5 > sides["de", "reader"]
    assert sides["es", "reader"] == 1


def test_no_system_of_2025_is_clearly_above_google_of_2019_in_spanish(found):
    less = of(found, "share less Google 2019", "language", "system")
    assert (less.loc["es"]["low"] <= 0).all()


def test_every_number_is_one_without_downloads():
    assert run_of("embedded", "translated_gender")["value"].notna().all()


def served(text):
    """A language model that answers each sentence in Spanish of a kind, put into a text."""

    def answer(body):
        sentence = body["messages"][0]["content"].split("English: ")[1].split("\n")[0]
        spanish = f"El número {sentence[::-1].casefold()} es una frase."
        content = text.format(spanish)
        return json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]})

    return told(send(answer))


SPANISH = dict(codes=["English", "Spanish"])


def test_a_language_model_that_only_thinks_is_not_scored(cache, monkeypatch):
    monkeypatch.setenv(KEY, "sk-secret-of-mine\n")
    with served("<think>{}") as server, pytest.raises(AssertionError) as caught:
        run_cells("translated_gender", translator=f"instructed:{server.address}#m", **SPANISH)
    said = str(caught.value)
    assert "translate-own: ServiceError: m: " in said and "reasoning without an end" in said
    assert "'<think>El número" in said and "sk-" not in said


@pytest.mark.slow
def test_a_language_model_that_chats_is_scored_by_its_translations_and_the_page_says_so(cache):
    with served("<think>she</think>Sure! Here is the translation:\n“{}”\n\n<b>Note</b>") as server:
        translator = f"instructed:{server.address}#m"
        shown = run_cells("translated_gender", translator=translator, workers=3, **SPANISH).text
    assert "answers** of a model that was told to translate. Taken off: reasoning" in shown
    assert "No translation, counted as empty: none." in shown and "<b>Note" not in shown


IMPORTS = ["imports", "imports-of-the-book"]


def test_a_translator_that_cannot_write_genders_is_not_judged_by_the_pronoun(tiny_translator):
    cells = ["parameters", "effective-parameters", *IMPORTS, "translate-own", "control-own"]
    given = dict(translator=str(tiny_translator("marian")), draws=20)
    run = run_some("translated_gender", [*cells, "control-own-read"], **given)
    assert "hardly writes these forms" in run.text
    assert run.namespace["model"].name == "tiny-marian"
