"""Masked models that a reader might bring: without most words, cased, without *they*; the chapter says what it cannot measure."""

import pytest

from tests.support import tiny_models
from tests.support.chapter_runs import run_cells

FEW = {"device": "cpu", "asked": 4, "around": 5}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "bert-cased"])
def test_a_model_of_few_whole_words_ends_green_with_boxes(kind, tiny_model):
    run = run_cells("log_probability_bias", model=str(tiny_model(kind)), **FEW)
    assert "could not be measured" in run.text


@pytest.mark.slow
def test_a_model_without_they_ends_green(tmp_path, monkeypatch):
    monkeypatch.setattr(tiny_models, "WORDS", [w for w in tiny_models.WORDS if w != "they"])
    model = tiny_models.build("bert", tmp_path / "tiny")
    run = run_cells("log_probability_bias", model=str(model), **FEW)
    assert "could not be measured" in run.text
