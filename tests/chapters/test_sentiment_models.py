"""The chapter on sentiment with classifiers that a reader might bring: another one, stars for labels, labels without a name."""

import pytest

from tests.support.chapter_runs import run_cells
from tests.support.tiny_models import build_classifier

FEW = {"frames": 1, "jobs_of_names": 1, "device": "cpu"}


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
    run = run_cells("sentiment", frames=1, jobs_of_names=1)
    assert "What you will take away" in run.text and "as praise and blame should" in run.text
