"""What the chapter `resolvers` finds, and that it takes another encoder."""

import pytest

from lib.coreference.resolvers import lineup
from lib.coreference.resolvers.entries import entries
from lib.ledger import claims
from lib.paths import ROOT
from tests.chapters.runs import run_of
from tests.support import tiny_models


def test_every_number_is_one():
    assert run_of("embedded", "resolvers")["value"].notna().all()


def test_every_system_has_its_own_name_in_its_group_and_claims_that_exist():
    every = entries()
    assert len({(entry.group, entry.system) for entry in every}) == len(every)
    printed = [claim for entry in every for claim in entry.printed.values()]
    assert all(claims.printed(claim) > 0 for claim in printed)
    assert all(entry.split in lineup.SPLITS and entry.reads in lineup.READINGS for entry in every)


def test_systems_beat_the_rules_and_no_page_is_on_both_sides():
    found = lineup.overview(lineup.table_of(recorded), {})
    for split, rows in found.groupby("split"):
        best = rows.groupby("group")["log loss"].min()
        assert best.get("systems", 0) < best["rules"], split
    assert (recorded("test passages from a page trained on")["value"] == 0).all()


def recorded(quantity):
    """A quantity of the sample run, as a ledger gives it."""
    import json

    import pandas as pd

    rows = run_of("sample", "resolvers")
    rows = rows[rows["quantity"] == quantity].reset_index(drop=True)
    settings = pd.DataFrame([json.loads(text or "{}") for text in rows["settings"]])
    return pd.concat([settings, rows[["value", "low", "high", "n"]]], axis="columns")


@pytest.mark.slow
@pytest.mark.sample
def test_the_notebook_takes_another_encoder_by_its_parameter_alone(tmp_path, monkeypatch):
    papermill = pytest.importorskip("papermill")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setitem(tiny_models.SIZE, "max_position_embeddings", 2048)
    model = tiny_models.build("bert", tmp_path / "tiny-bert")
    system = "Kurita: one hidden layer"
    few = {"systems": [system], "seeds": 2, "resamples": 50}
    notebook = papermill.execute_notebook(
        str(ROOT / "chapters" / "resolvers.ipynb"),
        None,
        parameters={"model": str(model), "device": "cpu"} | few,
        cwd=ROOT / "chapters",
        progress_bar=False,
    )
    assert not [
        cell
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]
