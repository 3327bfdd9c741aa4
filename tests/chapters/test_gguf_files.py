"""A reader's own GGUF file goes through the chapters on language models by papermill; `tests/lib/language_models` reads every kind of file."""

import pandas as pd
import pytest

from lib.paths import ROOT
from tests.support.tiny_gguf import write_gguf

FEW = {
    "language_models": {"occupations": 8, "random_words": 3},
    "asked_to_choose": {"jobs": 5, "known": 3, "control_jobs": 2, "generated": 3},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "architecture", "quantisation"),
    [("language_models", "llama", "Q4_0"), ("asked_to_choose", "qwen2", "Q8_0")],
)
def test_a_file_of_one_s_own_goes_through_under_its_own_name(
    chapter, architecture, quantisation, tmp_path, monkeypatch
):
    from papermill import execute_notebook

    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    name = f"mine-{architecture}.{quantisation}.gguf"
    file = write_gguf(tmp_path / name, architecture, quantisation, settings={"context_length": 512})
    execute_notebook(
        ROOT / "chapters" / f"{chapter}.ipynb",
        tmp_path / "run.ipynb",
        parameters=FEW[chapter] | {"model": str(file), "resamples": 20, "device": "cpu"},
        cwd=ROOT,
        progress_bar=False,
    )
    (written,) = (tmp_path / "results").rglob(f"{chapter}--*.csv")
    data = pd.read_csv(written)["data"].astype(str)
    assert data.str.contains(f"{name}@sha256:").any()
    assert data.str.contains(f"({quantisation} of Tiny)", regex=False).any()
    assert not data.str.contains("smollm2").any()
