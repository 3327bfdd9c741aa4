"""The chapter `resolvers`: names of its systems, and another encoder."""

from functools import partial

import pytest

from lib.ledger import claims
from studies.resolvers import contrasts, lineup
from studies.resolvers.contrasts import neither_gap
from studies.resolvers.entries import entries
from tests.support import tiny_models
from tests.support.chapter_runs import run_cells, run_some

SCORED = [
    *("parameters", "effective-parameters", "imports", "imports-templates", "imports-data"),
    *("train-systems", "record-scores", "first-picture", "systems-read", "systems-table"),
    *(
        "order-compute",
        "seeds-table",
        "together",
        "seeds-read",
        "faults-read",
        "groups-words",
        "groups-read",
        "groups-tables",
        "parser-table",
    ),
    *("layers-read", "layers-figure", "kurita-topics", "kurita-topics-figure"),
    *("against-table", "against-read", "against-differs", "breaks-splits-read", "breaks-splits"),
]


@pytest.fixture
def own_lists(tmp_path):
    """Files of three occupations, one of them without a share of women, and of two pairs of nouns."""
    words, pairs = tmp_path / "jobs.txt", tmp_path / "nouns.csv"
    words.write_text("nurse\nflibbert\nengineer\n")
    pairs.write_text("bride,groom\nwitch,wizard\n")
    return dict(own_words=str(words), own_pairs=str(pairs))


def test_every_system_has_its_own_name_in_its_group_and_claims_that_exist():
    every = entries()
    assert len({(entry.group, entry.system) for entry in every}) == len(every)
    printed = [claim for entry in every for claim in entry.printed.values()]
    assert all(claims.printed(claim) > 0 for claim in printed)
    assert all(entry.split in lineup.SPLITS and entry.reads in lineup.READINGS for entry in every)


def test_recorded_scores_are_of_the_same_encoder_or_not_there():
    ours, theirs = (
        run_some("resolvers_evidence", SCORED, model=model, systems=[], device="cpu")
        for model in ("minilm", "a/folder")
    )
    assert "recorded with the profile sample" in ours.text
    assert len(ours.namespace["trained"]) and ours.namespace["table"]["recorded"].all()
    assert theirs.namespace["table"].empty and theirs.namespace["of_encoder"]("heads found").empty
    assert "none was trained in this run, and none recorded" in theirs.text
    assert "ours with" not in theirs.text
    assert "in this run" not in ours.text


@pytest.mark.slow
@pytest.mark.sample
def test_another_encoder_has_only_numbers_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setitem(tiny_models.SIZE, "max_position_embeddings", 2048)
    model = str(tiny_models.build("bert", tmp_path / "tiny-bert"))
    system = "Kurita: one hidden layer"
    shuffled = partial(neither_gap, draws=500)  # of 100,000, most of the time of this chapter
    monkeypatch.setattr(contrasts, "neither_gap", shuffled)
    run = run_cells(
        "resolvers_evidence", model=model, causal="none", systems=[system], seeds=1, resamples=50
    )
    table = run.namespace["table"]
    assert not table["recorded"].any()
    assert table.loc[table["group"] == "systems", "system"].tolist() == [system]
    assert f"topics lean by the masks of {model}" in run.text
    assert run.namespace["masked_model"].name == "tiny-bert"


def test_a_list_and_pairs_of_ones_own_run_to_the_end_and_say_what_is_not_known(own_lists):
    run = run_cells("resolvers", seeds=1, **own_lists)
    assert "no share of women is known of: flibbert" in run.text
    assert "bride" in run.text and set(run.namespace["gaps"]) == {"shipped resolver"}


def test_another_encoder_has_heads_of_its_own_and_no_recorded_system(tmp_path):
    model = str(tiny_models.build("bert", tmp_path / "tiny-bert"))
    run = run_cells("resolvers", model=model, seeds=1)
    assert run.namespace["systems"].empty and run.namespace["order"] is None
    assert "head taught on other nouns" in run.namespace["overall"]
    assert "none is recorded with" in run.text and "ours recorded with" not in run.text
    assert "MiniLM" not in run.namespace["main"]
