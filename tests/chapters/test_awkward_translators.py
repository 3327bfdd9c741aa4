"""Translators that a reader might bring: small ones from a folder, language models that think or chat."""

import json

import pytest

from lib.translation.instructed import KEY
from tests.support.chapter_runs import run_cells, run_some
from tests.support.servers import send, told
from tests.support.tiny_models import build_translator


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
    assert "known: ServiceError: m: " in said and "reasoning without an end" in said
    assert "'<think>El número" in said and "sk-" not in said


@pytest.mark.slow
def test_a_language_model_that_chats_is_scored_by_its_translations_and_the_page_says_so(cache):
    with served("<think>she</think>Sure! Here is the translation:\n“{}”\n\n<b>Note</b>") as server:
        translator = f"instructed:{server.address}#m"
        shown = run_cells("translated_gender", translator=translator, workers=3, **SPANISH).text
    assert "answers** of a model that was told to translate. Taken off: reasoning" in shown
    assert "No translation, counted as empty: none." in shown and "<b>Note" not in shown


def test_a_translator_that_cannot_write_genders_is_not_judged_by_the_pronoun(tiny_translator):
    cells = ["parameters", "set-up", "change-me", "known", "known-read"]
    given = dict(translator=str(tiny_translator("marian")), draws=20)
    run = run_some("translated_gender", cells, **given)
    assert "could not be passed" in run.text and not run.namespace["passes"]
    assert run.namespace["model"].name == "tiny-marian"


@pytest.mark.slow
def test_the_index_is_that_of_any_translator_s_folder(tmp_path):
    few = dict(translator=str(build_translator("marian", tmp_path / "tiny")), beams=1, draws=50)
    run = run_cells("translation_index", **few)
    assert "Here `tiny`, from Spanish to English, scores" in run.text
    assert "this book's small" not in run.text and run.unnamed("tatoeba").empty


@pytest.mark.slow
def test_a_translator_that_contexts_do_not_move_is_asked_for_her_friend_to_the_end(tmp_path):
    tiny = str(build_translator("marian", tmp_path / "tiny"))
    run = run_cells("equalizing", translator=tiny, beams=1)
    rows = run.namespace["ledger"].rows()
    assert "of tiny." in run.text and "this translator **cannot** be asked" in run.text
    assert run.unnamed("tatoeba").empty
    assert "this book's small" not in run.text
    changes = rows[rows["quantity"] == "change of log odds"]
    assert len(changes) and changes["settings"].str.contains("tiny").all()


@pytest.mark.slow
def test_prefixes_are_put_before_the_sentences_of_any_translator_s_folder(tmp_path):
    folder = str(build_translator("marian", tmp_path / "tiny"))
    run = run_cells("prefix_injection", translator=folder, control=folder, draws=40)
    assert [*run.namespace["systems"]] == ["tiny", "tiny (control)"]
    assert run.unnamed("tatoeba").empty and not run.namespace["found"]["recorded"].any()
    assert set(run.namespace["verdicts"].values()) == {"lost"}
    assert "is lost in too many outputs for a score to be read**, for tiny" in run.text


@pytest.mark.slow
def test_prefixes_are_put_before_them_by_the_evidence_too(tmp_path, monkeypatch):
    folder = str(build_translator("marian", tmp_path / "tiny"))
    for dose in (0.0, 0.1):
        said = dict(feminine=3, masculine=3, ambiguous=0, unmarked=3)
        said |= dict(feminine_share=0.5, low=0.2, high=0.8)
        heard = dict.fromkeys(("none", "He", "I", "She"), said)
        scores = dict(
            settings=dict(speech=dose, arm="right", seed=0),
            heard=heard,
            steps=6,
            test={"one reference": {"BLEU": {"score": 7.0}}},
        )
        (tmp_path / "doses" / str(dose)).mkdir(parents=True)
        (tmp_path / "doses" / str(dose) / "scores.json").write_text(json.dumps(scores))
    few = dict(
        translator=folder, untaught=folder, doses=str(tmp_path / "doses"), draws=20, fewer=60
    )
    # The rule takes folders of data/models alone; a small one stands in for them.
    monkeypatch.setattr("lib.parameters.kept_folder", lambda name, value: value)
    run = run_cells("prefix_injection_evidence", **few)
    assert "adds up" in run.text and "Feminine share behind She said" in run.text
    assert run.unnamed("tatoeba").empty and run.namespace["leaks"].empty
    assert "nothing recorded with tiny" in run.text


@pytest.mark.slow
def test_sentences_of_one_s_own_are_rewritten_to_the_end_and_stand_for_themselves(tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("masculine,feminine\nEstoy solo.,Estoy sola.\nMe voy.,Me voy.\n")
    run = run_cells("reinflection", own_sentences=str(file), resamples=50)
    assert "3 sentences of your own" in run.text and "on your sentences" in run.text
    assert "Could not be passed" in run.text and "not have been shown" in run.text
    scored = run.namespace["spanish"]
    assert len(scored) and not scored["recorded"].any()
