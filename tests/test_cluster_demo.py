"""The proof that the work leaves one machine, in its small form; a proof that can fail, and that leaves nothing behind."""

import re

import numpy as np
import psutil
import pytest

from runner.book import Book
from scripts.tools import cluster_demo
from tests.support.dask_processes import DemoError, cluster
from tests.support.miniature_book import plant, processes_in


def test_a_worker_killed_in_a_task_changes_no_result(capsys):
    code = cluster_demo.main(["--cultures", "6", "--book", "miniature"])
    told = capsys.readouterr().out
    assert code == 0, told
    assert re.findall(r"(\d+) files are the same", told) == ["37", "6"]
    for worker, task in re.findall(
        r"kill -9 of (worker-\d) \(process \d+\) in the middle of (\w+)", told
    ):
        assert worker in ("worker-1", "worker-2", "worker-3") and re.search(
            rf"done again: .*\b{task}\b", told
        )
    processes = re.findall(r"\(process (\d+)\)", told)
    assert len(processes) == 4 and not any(psutil.pid_exists(int(process)) for process in processes)


def test_a_kill_when_nothing_runs_is_no_proof_and_an_interruption_leaves_no_process(tmp_path):
    with pytest.raises(KeyboardInterrupt), cluster(tmp_path / "cluster", plant, workers=1) as dask:
        assert len(processes_in(tmp_path)) == 2
        left = iter([True, True, False])
        with pytest.raises(DemoError, match="before a worker could be killed in a task"):
            dask.kill_one_at_work(np.random.default_rng(0), lambda: next(left))
        raise KeyboardInterrupt
    assert processes_in(tmp_path) == []


def test_results_that_differ_or_are_missing_are_named():
    with pytest.raises(DemoError, match=r"2 of 2 files differ .*: a\.csv, b\.csv"):
        cluster_demo.check_same({"a.csv": b"1", "b.csv": b"2"}, {"a.csv": b"2"})


@pytest.mark.parametrize(
    "part, book, asked",
    [
        (cluster_demo.Chapters, cluster_demo.ROOT, {"chapters": ["ripa"]}),
        (
            cluster_demo.Grid,
            cluster_demo.GRID,
            {
                "chapters": ["replications"],
                "overrides": ["size=1"],
                "grids": ["condition=plain,nothing"],
            },
        ),
    ],
)
def test_a_task_is_called_what_the_line_on_its_end_says(part, book, asked):
    for run in Book.open(book).runs("embedded", **asked):
        assert part.done.findall(f"{run.label}   ran   1.0 s") == [
            part.label(("chapter", run.name, "1"))
        ]
