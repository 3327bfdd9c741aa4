"""A reader's own GGUF file goes through the chapters on language models by papermill, whatever its quantisation and architecture."""

import pandas as pd
import pytest

from lib.paths import ROOT
from tests.support.tiny_gguf import write_gguf

FILES = [("llama", "F16"), ("llama", "Q4_0"), ("qwen2", "Q8_0")]
FEW = {
    "language_models": {"occupations": 8, "random_words": 3},
    "asked_to_choose": {"jobs": 5, "known": 3, "control_jobs": 2, "generated": 3},
}


@pytest.mark.slow
@pytest.mark.parametrize(("architecture", "quantisation"), FILES)
def test_a_file_of_one_s_own_goes_through_both_chapters(
    architecture, quantisation, tmp_path, monkeypatch
):
    from papermill import execute_notebook

    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    name = f"mine-{architecture}.{quantisation}.gguf"
    file = write_gguf(tmp_path / name, architecture, quantisation, settings={"context_length": 512})
    for chapter, few in FEW.items():
        execute_notebook(
            ROOT / "chapters" / f"{chapter}.ipynb",
            tmp_path / "run.ipynb",
            parameters=few | {"model": str(file), "resamples": 20, "device": "cpu"},
            cwd=ROOT,
            progress_bar=False,
        )
        (written,) = (tmp_path / "results").rglob(f"{chapter}--*.csv")
        data = pd.read_csv(written)["data"].astype(str)
        assert data.str.contains(f"{name}@sha256:").any(), chapter
        assert data.str.contains(f"({quantisation} of Tiny)", regex=False).any(), chapter
        assert not data.str.contains("smollm2").any(), chapter
