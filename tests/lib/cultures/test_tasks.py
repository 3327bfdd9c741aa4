"""Embeddings of cultures: as gensim makes them, the same for any worker, kept whole, not made twice."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from lib.cultures import tasks as tasks_module
from lib.cultures.tasks import (
    ALGORITHMS,
    Training,
    open_vectors,
    plan_tasks,
    run_task,
    run_tasks,
    train,
)
from lib.cultures.texts import SplitReport, Splitting, part_folder, split_file
from lib.embeddings import open_store
from lib.embeddings.store import INDEX

TEXTS = [
    ["she", "is", "a", "nurse", "here"],
    ["he", "is", "an", "engineer", "there"],
    ["zoë", "is", "a", "judge"],
] * 20
SMALL = Training(window=3, min_count=2, dimensions=8, epochs=2)


def small(**named):
    return Training(**({"window": 3, "min_count": 2, "dimensions": 8, "epochs": 2} | named))


@pytest.fixture
def split(tmp_path):
    """A file of three cultures and a bit of a fourth, sorted; gives its report and parts."""
    path = tmp_path / "t.csv"
    rows = [f"{' '.join(text)},{place}" for place in ("TX", "OH", "UT") for text in TEXTS]
    path.write_text("\n".join(["body,where", *rows, "one two three,NY"]), encoding="utf-8")
    splitting = Splitting("body", "where")
    report = SplitReport.total([split_file(path, tmp_path / "texts", splitting)])
    return report, [part_folder(path, tmp_path / "texts", splitting)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_seed_gives_the_same_vectors_and_another_seed_others(algorithm):
    one, again, other = (train(TEXTS, small(algorithm=algorithm, seed=seed)) for seed in (0, 0, 1))
    assert list(one.words) == list(again.words) and np.array_equal(one.vectors, again.vectors)
    assert not np.array_equal(one.vectors, other.vectors)
    assert set(one.words) == {word for text in TEXTS for word in text} and one.words[0] == "is"
    assert one.vectors.shape == (len(one), 8) and one.ranked


def test_skip_gram_is_that_of_gensim():
    from gensim.models import Word2Vec

    theirs = Word2Vec(
        TEXTS,
        sg=1,
        vector_size=8,
        window=3,
        min_count=2,
        epochs=2,
        seed=0,
        workers=1,
    ).wv
    ours = train(TEXTS, SMALL)
    assert list(ours.words) == theirs.index_to_key and np.array_equal(ours.vectors, theirs.vectors)


def test_the_defaults_are_the_papers():
    training = Training()
    assert (
        training.algorithm,
        training.window,
        training.min_count,
        training.dimensions,
        training.cap,
    ) == ("skip-gram", 10, 5, 200, 10_000_000)
    assert (training.passes, Training("glove").passes, Training(epochs=3).passes) == (5, 25, 3)


def test_cultures_are_trained_once_and_kept_whole(tmp_path, split, monkeypatch, tree):
    report, parts = split
    wanted = plan_tasks(report, parts, tmp_path / "vectors", SMALL, fewest=2)
    assert [task.text.code for task in wanted] == ["OH", "TX", "UT"]
    assert list(run_tasks(wanted)) == [("OH", None), ("TX", None), ("UT", None)]
    before = tree(tmp_path / "vectors")
    monkeypatch.setattr(tasks_module, "train", lambda *_: pytest.fail("trained again"))
    assert list(run_tasks(wanted)) == [] and tree(tmp_path / "vectors") == before
    assert set(open_vectors(wanted)) == {"OH", "TX", "UT"}
    assert run_task(wanted[0]) == "OH"


def test_a_culture_with_too_little_text_is_reported_and_the_others_go_on(tmp_path, split):
    report, parts = split
    wanted = plan_tasks(report, parts, tmp_path / "vectors", SMALL)
    found = dict(run_tasks(wanted))
    assert found.keys() == {"NY", "OH", "TX", "UT"} and found["OH"] is None
    assert "occur 2 times or more, got none" in found["NY"]
    assert [task.text.code for task in wanted if task.done] == ["OH", "TX", "UT"]


def test_what_a_killed_process_left_is_removed_and_never_read(tmp_path, split):
    report, parts = split
    wanted = plan_tasks(report, parts, tmp_path / "vectors", SMALL, fewest=2)
    leftover = wanted[0].target.with_name(f".{wanted[0].target.name}.00004242.part")
    leftover.mkdir(parents=True)
    (leftover / "vectors.npy").write_bytes(b"half")
    assert not wanted[0].done
    list(run_tasks(wanted))
    assert not leftover.exists() and (wanted[0].target / INDEX).is_file()


def slowly(task):
    time.sleep(0.2)
    return run_task(task)


def test_a_worker_holds_few_tasks_and_no_results_that_its_death_would_take_along(
    tmp_path, split, monkeypatch
):
    from distributed import Client

    report, parts = split
    monkeypatch.setattr(tasks_module, "run_task", slowly)
    wanted = plan_tasks(report, parts, tmp_path / "vectors", SMALL)
    with Client(
        processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None
    ) as client:
        for left, _ in zip((3, 2, 1, 0), run_tasks(wanted, client)):
            assert all(len(keys) <= 2 for keys in client.processing().values())
            deadline = time.monotonic() + 10
            while len(client.futures) > left and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(client.futures) <= left


def test_training_is_the_same_in_another_process(tmp_path, split):
    report, parts = split
    wanted = plan_tasks(report, parts, tmp_path / "here", SMALL, fewest=2)[:1]
    list(run_tasks(wanted))
    code = """if True:
        import sys; from pathlib import Path
        from lib.cultures.texts import SplitReport, read_report
        from lib.cultures.tasks import Training, plan_tasks, run_task
        part, out = map(Path, sys.argv[1:])
        small = Training(window=3, min_count=2, dimensions=8, epochs=2)
        run_task(plan_tasks(SplitReport.total([read_report(part)]), [part], out, small, fewest=2)[0])"""
    subprocess.run(
        [sys.executable, "-c", code, str(parts[0]), str(tmp_path / "there")],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    (there,) = (tmp_path / "there").iterdir()
    assert np.array_equal(open_store(there).vectors, open_store(wanted[0].target).vectors)


def test_other_text_other_settings_and_another_seed_are_another_task(tmp_path, split):
    report, parts = split
    changes = [{}, {"seed": 1}, {"window": 4}, {"cap": 5}, {"algorithm": "cbow"}]
    keys = [plan_tasks(report, parts, tmp_path, small(**change))[0].key for change in changes]
    assert len(set(keys)) == len(changes)
    other = type(report)(**{**report.__dict__, "texts": {code: "other" for code in report.texts}})
    assert plan_tasks(other, parts, tmp_path, SMALL)[0].key != keys[0]
